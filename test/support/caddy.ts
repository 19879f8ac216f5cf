/** Caddy with this repository's configuration, on loopback. */
import { findProgram, type FrontProxy, startFrontProxy } from "./front_proxy.ts";

/** Returns where Caddy is installed; undefined if it is not. */
export function findCaddy(): string | undefined {
  return findProgram(["/usr/bin/caddy", "/usr/local/bin/caddy"]);
}

/**
 * Starts Caddy with `deploy/Caddyfile`. Only addresses differ: no TLS, a port of its own, no address
 * for administration. The limits of a head and of an idle connection become one second. If `below`,
 * only the path /evidence/ goes to the service.
 */
export async function startCaddy(
  program: string,
  { upstream, below = false }: { upstream: string; below?: boolean },
): Promise<FrontProxy> {
  return await startFrontProxy({
    program,
    configuration: "deploy/Caddyfile",
    changes: ({ port }) => [
      [/^\{$/m, "{\n\tadmin off"],
      [/^evidence\.example \{$/m, `http://:${port} {`],
      [
        /reverse_proxy 127\.0\.0\.1:8080/,
        `reverse_proxy ${below ? "/evidence/* " : ""}${new URL(upstream).host}`,
      ],
      [/(read_header|idle) [0-9]+s/g, "$1 1s"],
    ],
    args: (_, file) => ["run", "--config", file, "--adapter", "caddyfile"],
    logs: [],
  });
}
