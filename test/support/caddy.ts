/** Starts Caddy with this repository's configuration, on loopback. */
import { type Change, findProgram, type FrontProxy, startFrontProxy } from "./front_proxy.ts";

/** Returns the path of Caddy; undefined if it is not installed. */
export function findCaddy(): string | undefined {
  return findProgram(["/usr/bin/caddy", "/usr/local/bin/caddy"]);
}

/**
 * Starts Caddy with `deploy/Caddyfile`. The configuration is changed in these points: a free port
 * of loopback, the address of the service, no TLS, no address for administration. The time-outs of
 * request headers and of idle connections are one second.
 * @param options.replicas addresses of all replicas, by default only that of the service
 * @param options.below true passes only paths below /evidence/ to the service
 */
export async function startCaddy(
  program: string,
  { upstream, replicas = [upstream], below = false }: {
    upstream: string;
    replicas?: string[];
    below?: boolean;
  },
): Promise<FrontProxy> {
  return await startFrontProxy({
    program,
    configuration: "deploy/Caddyfile",
    changes: ({ port }) => [
      [/^\{$/m, "{\n\tadmin off"],
      [/^evidence\.example \{$/m, `http://:${port} {`],
      [
        /reverse_proxy 127\.0\.0\.1:8080/,
        `reverse_proxy ${below ? "/evidence/* " : ""}${
          replicas.map((url) => new URL(url).host).join(" ")
        }`,
      ],
      ...below ? [[/health_uri /, "health_uri /evidence"] as Change] : [],
      [/(read_header|idle) [0-9]+s/g, "$1 1s"],
    ],
    args: (_, file) => ["run", "--config", file, "--adapter", "caddyfile"],
    logs: [],
  });
}
