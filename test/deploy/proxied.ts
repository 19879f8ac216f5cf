/** Starts the service behind a front proxy, and sends requests that no client library makes. */
import assert from "node:assert/strict";
import { ErrorEnvelope } from "../../src/contract/operation.ts";
import { serveHttp } from "../../src/http/server.ts";
import { withApp } from "../support/app.ts";
import { type DatabaseCase, oneEngineTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import type { FrontProxy } from "../support/front_proxy.ts";
import { silent } from "../support/operations.ts";
import { type RawAnswer, RawConnection, sendRaw } from "../support/raw_http.ts";

/** Text that the requests contain, and that must not appear in a log. */
export const MARK = "m4rk";

/** Head of a search, up to the headers that describe its body. */
export const SEARCH = `POST /api/companies/search?${MARK} HTTP/1.1\r\nHost: ${MARK}\r\n`;

export interface Proxied {
  proxy: FrontProxy;
  key: string;
  /** The service. It stops at the end of the case, or earlier if the case disposes of it. */
  service: AsyncDisposable;
  /** Returns the number of searches that have reached the service. */
  searches(): number;
}

/** Registers a case behind a proxy. The case is ignored if the proxy is not installed. */
export function proxiedTest(
  name: string,
  start: ((upstream: string) => Promise<FrontProxy>) | undefined,
  body: (t: Proxied) => Promise<void>,
  { env = {} }: { env?: Record<string, string> } = {},
): void {
  if (start === undefined) return Deno.test({ name, ignore: true, fn() {} });
  oneEngineTest(name, async ({ db, sql }: DatabaseCase) => {
    const { key } = await createCaller(sql);
    await withApp(db, async ({ app }) => {
      let searches = 0;
      await using service = serveHttp({
        handler(request, transport) {
          if (request.method === "POST") searches++;
          return app.fetch(request, transport);
        },
        hostname: "127.0.0.1",
        port: 0,
        log: silent,
      });
      await using proxy = await start(`http://127.0.0.1:${service.addr.port}`);
      await body({ proxy, key, service, searches: () => searches });
    }, { env });
    // The body of a refused request is open until the proxy closes its connection. The test may
    // end earlier.
  }, { sanitizeResources: false });
}

/** Asserts that a service with BASE_PATH=/evidence answers behind a proxy only below that path. */
export async function assertBelowEvidence({ proxy, key }: Proxied): Promise<void> {
  const ask = (path: string) =>
    fetch(proxy.url + path, { headers: { authorization: `Bearer ${key}` }, redirect: "manual" });
  const usage = await ask("/evidence/api/usage");
  assert.equal((await usage.json()).subscription.plan, "builder");
  const contract = await ask("/evidence/openapi.json");
  assert.equal((await contract.json()).servers[0].url, "/evidence");
  const beside = await ask("/api/usage");
  await beside.body?.cancel();
  assert.ok(beside.status === 404 || beside.headers.get("request-id") === null);
}

/** Sends a text, and then nothing until the peer closes the connection. Returns the answer. */
export async function cut(url: string, parts: string): Promise<string> {
  using connection = await RawConnection.open(url);
  await connection.write(parts);
  return await connection.readToEnd();
}

/** Requests /healthz until the work ends. Each request has to succeed. Returns their number. */
export async function servedDuring(url: string, work: Promise<unknown>): Promise<number> {
  let served = 0;
  let isOver = false;
  void work.finally(() => isOver = true).catch(() => {});
  while (!isOver) {
    const response = await fetch(`${url}/healthz`);
    assert.deepEqual(await response.json(), { status: "alive" });
    served++;
  }
  return served;
}

/** Sends a text and asserts that the proxy refuses it with the service's error envelope. */
export async function assertRefused(
  url: string,
  request: string,
  { status, code }: { status: number; code: string },
): Promise<RawAnswer> {
  const answer = await sendRaw(url, request);
  const claim = `${request.slice(0, 80)}: ${answer.text}`;
  assert.equal(answer.status, status, claim);
  assert.equal(answer.headers.get("content-type"), "application/json", claim);
  assert.equal(ErrorEnvelope.parse(JSON.parse(answer.text)).error.code, code, claim);
  return answer;
}

/**
 * Writes single bytes with pauses until `until` resolves or the peer closes the connection. Returns
 * false if the peer has closed it.
 */
export async function drip(
  connection: RawConnection,
  { byte, pause_milliseconds, until }: {
    byte: string;
    pause_milliseconds: number;
    until: Promise<unknown>;
  },
): Promise<boolean> {
  let isOver = false;
  void until.then(() => isOver = true);
  while (!isOver) {
    if (!await connection.write(byte)) return false;
    await new Promise((resolve) => setTimeout(resolve, pause_milliseconds));
  }
  return true;
}
