/** Serves the handler by Deno.serve. */
import { Failure } from "../failures.ts";
import { defectFields, type Log } from "../log.ts";
import type { Handler } from "./handler.ts";
import { listen } from "./listen.ts";
import { failureResponse } from "./response.ts";

export interface ServerOptions {
  handler: Handler;
  hostname: string;
  /** Port; 0 for any free one. */
  port: number;
  log: Log;
}

/**
 * Serves HTTP/1.1. The front proxy limits the time of headers and idle connections
 * (docs/front_proxy.md).
 */
export function serveHttp(
  { handler, hostname, port, log }: ServerOptions,
): Deno.HttpServer<Deno.NetAddr> {
  return listen({
    hostname,
    port,
    setting: "PORT",
    // The handler answers its own failures. By default, Deno would print an error with its address.
    onError(error) {
      log.error("request failed outside the handler", defectFields(error));
      return failureResponse(new Failure("internal_error"));
    },
  }, (request) => handler(request, { requires_host: true }));
}
