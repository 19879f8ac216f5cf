/** nginx with this repository's configuration, on loopback. */
import { findPort } from "./port.ts";
import { eventually } from "./waiting.ts";

const PLACES = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"];

/** Returns where nginx is installed; undefined if it is not. */
export function findNginx(): string | undefined {
  return PLACES.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

/** Stopped at the end of its block. */
export interface Nginx extends AsyncDisposable {
  url: string;
  /** Reads everything that it has logged. */
  logs(): string;
}

/**
 * Starts nginx with `deploy/nginx.conf`. Only addresses and places differ: no TLS, a port of its own,
 * files in a directory of its own. Its limits of ten seconds and more become one second.
 */
export async function startNginx(
  program: string,
  { upstream }: { upstream: string },
): Promise<Nginx> {
  const directory = Deno.makeTempDirSync({ prefix: "ce-nginx-" });
  const port = findPort();
  Deno.writeTextFileSync(`${directory}/nginx.conf`, configuration({ upstream, port, directory }));
  const child = new Deno.Command(program, {
    args: ["-p", directory, "-c", `${directory}/nginx.conf`, "-e", `${directory}/error.log`],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const messages = new Response(child.stderr).text();
  let ended = false;
  child.status.then(() => ended = true);
  await eventually("nginx listens", async () => {
    if (ended) throw new Error(`nginx ended: ${await messages}`);
    return await accepts(port);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    logs: () =>
      ["access.log", "error.log"].map((name) => Deno.readTextFileSync(`${directory}/${name}`))
        .join(""),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await messages;
      Deno.removeSync(directory, { recursive: true });
    },
  };
}

function configuration(
  { upstream, port, directory }: { upstream: string; port: number; directory: string },
): string {
  const changes: [RegExp, string][] = [
    [/^ *ssl_certificate.*\n/gm, ""],
    [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
    [/server 127\.0\.0\.1:8080;/, `server ${new URL(upstream).host};`],
    [/\/var\/log\/nginx/g, directory],
    [/(client_header_timeout|client_body_timeout|keepalive_timeout) [0-9]+s;/g, "$1 1s;"],
    [/^http \{$/m, `daemon off;\npid ${directory}/pid;\nhttp {\n${temporaryPaths(directory)}`],
  ];
  let text = Deno.readTextFileSync("deploy/nginx.conf");
  for (const [pattern, replacement] of changes) {
    const changed = text.replace(pattern, replacement);
    if (changed === text) throw new Error(`deploy/nginx.conf has nothing like ${pattern}`);
    text = changed;
  }
  return text;
}

/** The places that nginx writes to, without which it needs to be root. */
function temporaryPaths(directory: string): string {
  const names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return names.map((name) => `${name}_temp_path ${directory}/${name};\n`).join("");
}

async function accepts(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return false;
    throw error;
  }
}
