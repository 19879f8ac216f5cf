/** nginx with this repository's configuration, on loopback. */
import { type Change, findProgram, type FrontProxy, startFrontProxy } from "./front_proxy.ts";

/** Returns where nginx is installed; undefined if it is not. */
export function findNginx(): string | undefined {
  return findProgram(["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]);
}

/**
 * Starts nginx with `deploy/nginx.conf`. Only addresses and places differ: no TLS, a port of its own,
 * files in a directory of its own. If `quick`, its limits of ten seconds and more become one second. If
 * `below`, only the path /evidence/ goes to the service.
 */
export async function startNginx(
  program: string,
  { upstream, quick = false, below = false }: {
    upstream: string;
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
      [/server 127\.0\.0\.1:8080;/, `server ${new URL(upstream).host};`],
      [/\/var\/log\/nginx/g, directory],
      ...below ? [[/location \/ \{/, "location /evidence/ {"] as Change] : [],
      ...quick ? [[limits, "$1 1s;"] as Change] : [],
      [/^http \{$/m, `daemon off;\npid ${directory}/pid;\nhttp {\n${temporaryPaths(directory)}`],
    ],
    args: (directory, file) => ["-p", directory, "-c", file, "-e", `${directory}/error.log`],
    logs: ["access.log", "error.log"],
  });
}

/** The places that nginx writes to, without which it needs to be root. */
function temporaryPaths(directory: string): string {
  const names = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return names.map((name) => `${name}_temp_path ${directory}/${name};\n`).join("");
}
