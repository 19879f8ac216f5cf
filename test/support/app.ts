/** The service over a test's database, asked as a client would: with Request and Response. */
import { type App, createApp } from "../../src/app.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import type { Source } from "../../src/ingest/sources/source.ts";
import type { Log } from "../../src/log.ts";
import type { Metrics } from "../../src/metrics.ts";
import { silent } from "./operations.ts";

export interface Asked {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- a test says itself what it expects of a body
  body: any;
}

interface AskOptions {
  method?: string;
  key?: string;
  request_key?: string;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface TestApp {
  app: App;
  ask(path: string, options?: AskOptions): Promise<Asked>;
  search(body: unknown, options: AskOptions): Promise<Asked>;
}

export interface AppUse {
  workers?: number;
  now?: () => Date;
  /** Other settings. */
  env?: Record<string, string>;
  /** Sources that replace those that are registered. */
  sources?: ReadonlyMap<string, Source>;
  log?: Log;
  metrics?: Metrics;
  /** Returns the key of the demo, in place of no demo. */
  demo_key?: () => Promise<string | undefined>;
}

/**
 * A clock that stands still from now on: no window of metering, which end on the hour, ends between
 * two answers that are compared.
 */
export function standingClock(): () => Date {
  const now = new Date();
  return () => now;
}

/** Loaded and without background work of its own, unless `workers` says otherwise. */
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
  const ask = (path: string, options: AskOptions = {}) => askAt(app, path, options);
  try {
    await use({
      app,
      ask,
      search: (body, options) => ask("/api/companies/search", { method: "POST", body, ...options }),
    });
  } finally {
    await app.close();
  }
}

async function askAt(
  app: App,
  path: string,
  { method = "GET", key, request_key, headers = {}, body }: AskOptions,
): Promise<Asked> {
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
