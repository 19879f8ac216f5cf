/** Serves HTTP by Deno.serve: the handler, and the metrics at a separate address. */
import type { Registry } from "prom-client";
import { hostAddress } from "../contract/host_address.ts";
import { Failure } from "../failures.ts";
import { defectFields, type Log } from "../log.ts";
import { failureResponse, type Handler } from "./handler.ts";

/** Address of a server, and the log of its errors. */
interface ServerOptions {
  hostname: string;
  /** Number of the port; 0 for any free port. */
  port: number;
  log: Log;
}

/**
 * Serves HTTP/1.1. HTTP/2 without TLS cannot be turned off in Deno, but its requests have no Host
 * header and are refused. The front proxy limits the time of headers and idle connections
 * (docs/front_proxy.md).
 */
export function serveHttp(
  { handler, hostname, port, log }: ServerOptions & { handler: Handler },
): Deno.HttpServer<Deno.NetAddr> {
  return listen("PORT", {
    hostname,
    port,
    // The handler answers its own failures. By default, Deno would print any other error with the
    // address of the request.
    onError(error) {
      log.error("request failed outside the handler", defectFields(error));
      return failureResponse(new Failure("internal_error"));
    },
  }, (request) => handler(request, { requires_host: true }));
}

/** Metrics of a process. */
interface ServedMetrics {
  registry: Pick<Registry, "metrics" | "contentType">;
  /** Updates values that are computed only when metrics are read. */
  collect: () => Promise<void>;
}

/** Serves `/metrics` for Prometheus, and nothing else. */
export function serveMetrics(
  { hostname, port, registry, collect, log }: ServerOptions & ServedMetrics,
): Deno.HttpServer<Deno.NetAddr> {
  return listen("METRICS_PORT", {
    hostname,
    port,
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

/**
 * Listens at an address.
 * @param setting name of the setting that holds the port
 * @throws Error that names the address and the setting
 */
function listen(
  setting: "PORT" | "METRICS_PORT",
  options: Required<Pick<Deno.ServeTcpOptions, "hostname" | "port" | "onError">>,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  return naming(setting, options, () => Deno.serve({ ...options, onListen: () => {} }, handler));
}

/**
 * Checks that PORT is free, before anything is built that takes time.
 * @throws Error that names the address and the setting
 */
export function checkPort(address: { hostname: string; port: number }): void {
  naming("PORT", address, () => Deno.listen(address)).close();
}

/** Opens an address. @throws Error that names the address and the setting */
function naming<Result>(
  setting: "PORT" | "METRICS_PORT",
  { hostname, port }: { hostname: string; port: number },
  open: () => Result,
): Result {
  try {
    return open();
  } catch (error) {
    const address = hostAddress(hostname, port);
    throw new Error(`Cannot listen at ${address}. Is ${setting} right?`, { cause: error });
  }
}
