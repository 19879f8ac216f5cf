/** Serves `/metrics` for Prometheus, and nothing else. */
import type { Registry } from "prom-client";
import { defectFields, type Log } from "../log.ts";
import { listen } from "./listen.ts";

/** Options of a server of metrics. */
interface MetricsServerOptions {
  hostname: string;
  /** Port; 0 for any free one. */
  port: number;
  registry: Pick<Registry, "metrics" | "contentType">;
  /** Updates values that are computed only when metrics are read. */
  collect: () => Promise<void>;
  log: Log;
}

/** Serves the metrics of this process until it is shut down. */
export function serveMetrics(
  { hostname, port, registry, collect, log }: MetricsServerOptions,
): Deno.HttpServer<Deno.NetAddr> {
  return listen({
    hostname,
    port,
    setting: "METRICS_PORT",
    onError(error) {
      log.error("metrics could not be read", defectFields(error));
      return new Response(null, { status: 500 });
    },
  }, async (request) => {
    // The Host of a request is arbitrary, so its address may not parse.
    const path = URL.parse(request.url)?.pathname;
    if (path !== "/metrics") return new Response("metrics are at /metrics\n", { status: 404 });
    if (request.method !== "GET") {
      return new Response(null, { status: 405, headers: { allow: "GET" } });
    }
    await collect();
    const headers = { "content-type": registry.contentType, "cache-control": "no-store" };
    return new Response(await registry.metrics(), { headers });
  });
}
