/** Reads addresses of databases. */
import { parse } from "pg-connection-string";

/** Destination and login of a database. */
export interface DatabaseAddress {
  /** Name or IP address of the host, or the directory of its socket. */
  host: string;
  port: number;
  user?: string;
  password?: string;
  database?: string;
  /** Settings of TLS; absent: no TLS. */
  ssl?: boolean | object;
}

const DEFAULT_PORT = 5432;

/**
 * Reads an address as hosted databases give it: a URL with a host name, an IPv4 or IPv6 address, or
 * a directory of sockets.
 * @throws Error that says what is wrong. No message contains the address or parts of a password
 */
export function readAddress(database_url: string): DatabaseAddress {
  if (!/^postgres(ql)?:\/\//.test(database_url)) {
    throw new Error("The database's address must start with postgres:// or postgresql://.");
  }
  const [, authority = ""] = /^\w+:\/\/([^/?#]*)/.exec(database_url)!;
  if (authority.lastIndexOf("@") !== authority.indexOf("@")) {
    throw new Error("A @ in the user or password of the database's address must be written %40.");
  }
  if (authority.slice(authority.indexOf("@") + 1).includes(",")) {
    throw new Error(
      "The database's address names several hosts. Name one: the primary, or a proxy before it.",
    );
  }
  let parsed: ReturnType<typeof parse>;
  try {
    // sslmode=require does not check the certificate, as in libpq.
    parsed = parse(database_url, { useLibpqCompat: true });
  } catch {
    // The error of the parser may contain the address.
    const reason = /[?&]ssl(rootcert|cert|key)=/.test(database_url)
      ? "names a certificate file that cannot be read"
      : "cannot be read as a URL";
    throw new Error(`The database's address ${reason}.`);
  }
  const { host, port, user, password, database, ssl } = parsed;
  return {
    host: (host || "localhost").replace(/^\[(.*)\]$/, "$1"),
    port: Number(port || DEFAULT_PORT),
    ...user && { user },
    ...password && { password },
    ...database && { database: decodeURIComponent(database) },
    ...ssl !== undefined && ssl !== "false" && { ssl: ssl as boolean | object },
  };
}

/** Options of an address that name files. */
const FILE_OPTIONS = ["sslrootcert", "sslcert", "sslkey"];

/**
 * Reads the destination of an address, and the names of its certificate files, without reading
 * these files.
 * @throws any error of `readAddress`
 */
export function readDestination(
  database_url: string,
): { host: string; port: number; files: string[] } {
  const [start, query] = database_url.split("?", 2) as [string, string | undefined];
  const options = new URLSearchParams(query);
  const files = FILE_OPTIONS.flatMap((name) => options.getAll(name));
  // Some modes require a file.
  for (const name of [...FILE_OPTIONS, "sslmode"]) options.delete(name);
  const { host, port } = readAddress(`${start}?${options}`);
  return { host, port, files };
}

/** Returns the host and port, or the path, for a message. */
export function placeOf({ host, port }: Pick<DatabaseAddress, "host" | "port">): string {
  if (host.startsWith("/")) return `${host}/.s.PGSQL.${port}`;
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
