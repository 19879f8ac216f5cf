/** Starts nginx with this repository's configuration, on loopback. */
import { type Change, findProgram, type FrontProxy, startFrontProxy } from "./front_proxy.ts";

/** Returns the path of nginx; undefined if it is not installed. */
export function findNginx(): string | undefined {
  return findProgram(["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]);
}

/**
 * Starts nginx with `deploy/nginx.conf`. The configuration is changed in these points: a free port
 * of loopback, the address of the service, no TLS, files in a temporary directory, no daemon.
 * @param options.replicas addresses of all replicas, by default only that of the service
 * @param options.quick true reduces the time-outs of headers, bodies and idle connections to one
 * second
 * @param options.below true passes only paths below /evidence/ to the service
 */
export async function startNginx(
  program: string,
  { upstream, replicas = [upstream], quick = false, below = false }: {
    upstream: string;
    replicas?: string[];
    quick?: boolean;
    below?: boolean;
  },
): Promise<FrontProxy> {
  const limits = /(client_header_timeout|client_body_timeout|keepalive_timeout) [0-9]+s;/g;
  return await startFrontProxy({
    program,
    configuration: "deploy/nginx.conf",
    changes: ({ port, directory }) => [
      [/^ *ssl_certificate.*\n/gm, ""],
      [/listen 443 ssl;/, `listen 127.0.0.1:${port};`],
      [
        /server 127\.0\.0\.1:8080 (.*);/,
        replicas.map((url) => `server ${new URL(url).host} $1;`).join("\n"),
      ],
      [/\/var\/log\/nginx/g, directory],
      ...below ? [[/location \/ \{/, "location /evidence/ {"] as Change] : [],
      ...quick ? [[limits, "$1 1s;"] as Change] : [],
      [/^http \{$/m, `daemon off;\npid ${directory}/pid;\nhttp {\n${temporaryPaths(directory)}`],
    ],
    args: (directory, file) => ["-p", directory, "-c", file, "-e", `${directory}/error.log`],
    logs: ["access.log", "error.log"],
  });
}

/**
 * Returns settings of the directories for temporary files. The default ones are only writable for
 * root.
 */
function temporaryPaths(directory: string): string {
  const names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return names.map((name) => `${name}_temp_path ${directory}/${name};\n`).join("");
}
