/** Runs the typed client against the service over HTTP, with injected faults. */
import { EvidenceClient } from "../../client/client.ts";
import type { ClientOptions } from "../../client/transport.ts";
import { withApp } from "./app.ts";
import { serveApp } from "./client_program.ts";
import { type DatabaseCase, oneEngineTest } from "./database.ts";
import { createWorld, type World } from "./world.ts";

/** Context of a case of the client. */
export interface ClientCase {
  world: World;
  /** Address of the service. */
  url: string;
  /** A client whose pauses take one millisecond each, and whose random numbers are always 0.5. */
  client: EvidenceClient;
  /** Seconds of each pause so far. */
  pauses: number[];
  /** Method, path and idempotency key of each request so far. */
  requests: string[];
  /** Functions that answer the next requests in place of the service, one request each. */
  next: ((request: Request) => Promise<Response> | Response)[];
  /** Returns the answer of the service. */
  serve(request: Request): Promise<Response>;
}

/** Registers a case of the client, on an embedded database. */
export function clientTest(
  name: string,
  use: (context: ClientCase) => Promise<void>,
  options: Partial<ClientOptions> = {},
): void {
  oneEngineTest(name, (t) => withClient(t, use, options));
}

/** Runs a case against a service with a worker. */
async function withClient(
  { db, sql }: Pick<DatabaseCase, "db" | "sql">,
  use: (context: ClientCase) => Promise<void>,
  options: Partial<ClientOptions>,
): Promise<void> {
  const world = await createWorld(sql);
  await withApp(db, async ({ app }) => {
    const requests: string[] = [];
    const next: ClientCase["next"] = [];
    const serve = async (request: Request) => await app.fetch(request);
    await using served = serveApp(app, (request) => {
      const { pathname } = new URL(request.url);
      const key = request.headers.get("idempotency-key");
      requests.push([request.method, pathname, key].filter((part) => part !== null).join(" "));
      return next.shift()?.(request) ?? request;
    });
    const url = new URL("/", served.url).href;
    const pauses: number[] = [];
    const timing = {
      pause: (seconds: number, signal?: AbortSignal) => {
        pauses.push(seconds);
        signal?.throwIfAborted();
        // Without this pause, the polls would not let the worker run, which is on the same thread.
        return new Promise<void>((resolve) => setTimeout(resolve, 1));
      },
      random: () => 0.5,
    };
    const client = new EvidenceClient({ url, key: world.keys.entitled, timing, ...options });
    await use({ world, url, client, pauses, requests, next, serve });
  }, { workers: 1 });
}

/** Returns an error response, as the service would send it. */
export function refusal(
  { status, code, retry_after }: { status: number; code: string; retry_after?: number },
): Response {
  const headers: Record<string, string> = { "request-id": "r-1" };
  if (retry_after !== undefined) headers["retry-after"] = String(retry_after);
  return Response.json({ error: { code, message: `The request failed with ${code}.` } }, {
    status,
    headers,
  });
}

/** Replaces the body of an answer by its beginning, as if the connection had been cut. */
export async function cut(answer: Promise<Response>): Promise<Response> {
  const { status, headers, body } = await answer;
  await body?.cancel();
  return new Response('{"usage":', { status, headers });
}
