/** Runs the service on a test's database, without a socket: with Request and Response. */
import { type App, createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import type { Source } from "../../src/ingest/sources/kit/source.ts";
import type { Log } from "../../src/log.ts";
import type { Metrics } from "../../src/metrics.ts";
import { silent } from "./operations.ts";

/** Answer of the service, with its body as JSON. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- each test checks the shape of the body
  body: any;
}

interface AskOptions {
  method?: string;
  key?: string;
  request_key?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A started service, and functions that send requests to it. */
export interface TestApp {
  app: App;
  ask(path: string, options?: AskOptions): Promise<HttpAnswer>;
  search(body: unknown, options: AskOptions): Promise<HttpAnswer>;
}

/** Options of withApp(). */
export interface AppUse {
  workers?: number;
  now?: () => Date;
  /** Settings in addition to WORKERS. */
  env?: Record<string, string>;
  /** Sources in place of the registered ones. */
  sources?: ReadonlyMap<string, Source>;
  log?: Log;
  metrics?: Metrics;
  /** Returns the demo key. Without this function, the service has no demo. */
  demo_key?: () => Promise<string | undefined>;
}

/**
 * Returns a clock that is stopped at the present time. Thus no metering window ends between two
 * answers that a test compares.
 */
export function stoppedClock(): () => Date {
  const now = new Date();
  return () => now;
}

/** Runs `use` with a started service. The service has no background workers by default. */
export async function withApp(
  db: Database,
  use: (app: TestApp) => Promise<void>,
  { workers = 0, now, env = {}, sources, log = silent, metrics, demo_key }: AppUse = {},
): Promise<void> {
  const app = createApp({
    db,
    now,
    log,
    settings: readSettings({ WORKERS: String(workers), ...env }),
    sources,
    metrics,
    demo_key,
  });
  await app.start();
  try {
    await use(asking(app));
  } finally {
    await app.close();
  }
}

/** Returns a started service with functions that send requests to it. */
export function asking(app: App): TestApp {
  const ask = (path: string, options: AskOptions = {}) => askAt(app, path, options);
  return {
    app,
    ask,
    search: (body, options) => ask("/api/companies/search", { method: "POST", body, ...options }),
  };
}

async function askAt(
  app: App,
  path: string,
  { method = "GET", key, request_key, headers = {}, body }: AskOptions,
): Promise<HttpAnswer> {
  const response = await app.fetch(
    new Request(`http://127.0.0.1${path}`, {
      method,
      headers: {
        ...key !== undefined && { authorization: `Bearer ${key}` },
        ...request_key !== undefined && { "idempotency-key": request_key },
        ...body !== undefined && { "content-type": "application/json" },
        ...headers,
      },
      body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    }),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}
