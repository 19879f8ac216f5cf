/** The service as the typed client meets it: over HTTP, with faults in between. */
import { EvidenceClient } from "../../client/client.ts";
import type { ClientOptions } from "../../client/transport.ts";
import { withApp } from "./app.ts";
import { serveApp } from "./client_program.ts";
import { type DatabaseCase, embeddedTest } from "./database.ts";
import { createWorld, type World } from "./world.ts";

/** Context of a case of the client. */
export interface ClientCase {
  world: World;
  /** Address of the service. */
  url: string;
  /** A client whose waits take no time, and whose chance is always the same. */
  client: EvidenceClient;
  /** Seconds of all waits so far. */
  pauses: number[];
  /** All requests so far: method, path and idempotency key. */
  requests: string[];
  /** Answers the next requests in place of the service, one after the other. */
  next: ((request: Request) => Promise<Response> | Response)[];
  /** Answers as the service does. */
  serve(request: Request): Promise<Response>;
}

/** Registers a case of the client, on an embedded database. */
export function clientTest(
  name: string,
  use: (given: ClientCase) => Promise<void>,
  options: Partial<ClientOptions> = {},
): void {
  embeddedTest(name, (t) => withClient(t, use, options));
}

/** Runs a case against a service with a worker. */
async function withClient(
  { db, sql }: Pick<DatabaseCase, "db" | "sql">,
  use: (given: ClientCase) => Promise<void>,
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
        // A poll that follows at once would take the only thread from the worker.
        return new Promise<void>((resolve) => setTimeout(resolve, 1));
      },
      random: () => 0.5,
    };
    const client = new EvidenceClient({ url, key: world.keys.entitled, timing, ...options });
    await use({ world, url, client, pauses, requests, next, serve });
  }, { workers: 1 });
}

/** Returns an error as the service answers it. */
export function refusal(
  { status, code, retry_after }: { status: number; code: string; retry_after?: number },
): Response {
  const headers: Record<string, string> = { "request-id": "r-1" };
  if (retry_after !== undefined) headers["retry-after"] = String(retry_after);
  return Response.json({ error: { code, message: `It is ${code}.` } }, { status, headers });
}

/** Returns an answer that was cut in the middle of its body. */
export async function cut(answer: Promise<Response>): Promise<Response> {
  const { status, headers, body } = await answer;
  await body?.cancel();
  return new Response('{"usage":', { status, headers });
}
