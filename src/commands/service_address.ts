/** Formats the addresses of services, for connections and for permissions. */
import { hostAddress } from "../contract/host_address.ts";
import { placeOf, readDestination } from "../db/address.ts";

/** Settings in the environment. An empty one counts as not set. */
type Settings = Readonly<Record<string, string | undefined>>;

/** Returns the URL at which this machine reaches a service that listens on the host and port. */
export function serviceAddress(host: string, port: number | string): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${hostAddress(name, port)}`;
}

/**
 * Returns `host:port` at which the service listens. Returns the default address for invalid
 * settings, because the command itself refuses them.
 */
export function listeningAddress({ HOST, PORT }: Settings): string {
  const address = hostAddress(HOST || "127.0.0.1", PORT || 8080);
  return URL.canParse(`http://${address}`) ? address : "127.0.0.1:8080";
}

/**
 * Returns `host:port` of the metrics; an empty list if they are not served or the settings are
 * invalid.
 */
export function metricsAddresses({ METRICS_HOST, METRICS_PORT }: Settings): string[] {
  if (!METRICS_PORT) return [];
  const address = hostAddress(METRICS_HOST || "127.0.0.1", METRICS_PORT);
  return URL.canParse(`http://${address}`) ? [address] : [];
}

/**
 * Returns the host and port of a URL in the form of a permission; an empty list if it is invalid.
 */
export function hostAndPort(text: string | undefined): string[] {
  const url = text ? URL.parse(text) : null;
  if (url === null) return [];
  return [`${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`];
}

/**
 * Returns `host:port` of each model's API. An invalid address gives no permission, because the
 * command itself refuses it.
 */
export function endpointAddresses({ PLANNER_URL, EMBEDDINGS_URL }: Settings): string[] {
  return [PLANNER_URL, EMBEDDINGS_URL].flatMap(hostAndPort);
}

/** Returns `host:port` of each node of a search cluster. */
export function clusterAddresses({ SEARCH_URL = "" }: Settings): string[] {
  return SEARCH_URL.split(",").flatMap((node) => hostAndPort(node.trim()));
}

/** Addresses and Unix sockets of a PostgreSQL server. */
export interface DatabaseServer {
  addresses: string[];
  sockets: string[];
  /** Certificates and keys of TLS, which the driver reads. */
  files: string[];
}

/** Reads an address as the driver does. An invalid address gives no permission. */
export function databaseServer(database_url: string, environment: Settings): DatabaseServer {
  try {
    const { files, ...destination } = readDestination(database_url, environment);
    const place = placeOf(destination);
    return destination.host.startsWith("/")
      ? { addresses: [], sockets: [place], files }
      : { addresses: [place], sockets: [], files };
  } catch {
    return { addresses: [], sockets: [], files: [] };
  }
}
