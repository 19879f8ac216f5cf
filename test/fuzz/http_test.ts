/** The HTTP door under generated requests: every answer is one that the document has. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Sql } from "../../src/db/connect.ts";
import type { Handler } from "../../src/http/handler.ts";
import { PAGES } from "../../src/http/pages.ts";
import { drain } from "../../src/operations/worker.ts";
import { standingClock, withApp } from "../support/app.ts";
import { createAnswerJudge, errorCode, type Judgement } from "../support/contract.ts";
import { type DatabaseCase, embeddedTest, serverTest } from "../support/database.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld } from "../support/world.ts";
import { createRequestJudge } from "./accepted.ts";
import { type FuzzRequest, httpRequests, show } from "./http_requests.ts";
import { assertOwn, collectKnown, type Known } from "./known.ts";
import { runs } from "./runs.ts";
import { assertCharged, assertInnocent, readStored, type Stored, watchedLog } from "./watch.ts";

const CLAIM = "whatever is asked over HTTP, the answer is in the document and costs what it says";

embeddedTest(CLAIM, (t) => fuzz(t, runs(1200), REACHED));
serverTest(CLAIM, (t) => fuzz(t, runs(150), []));

const METERED = new Set([
  "POST /api/companies/search",
  "GET /api/companies",
  "GET /api/observations",
]);

/** Kinds of answers that the generators have to reach. */
const REACHED = [
  "POST /api/companies/search 200",
  "POST /api/companies/search 202",
  "POST /api/companies/search 413 payload_too_large",
  "POST /api/companies/search 415 unsupported_media_type",
  "POST /api/companies/search 422 idempotency_conflict",
  "POST /api/companies/search 422 invalid_cursor",
  "POST /api/companies/search 422 invalid_search",
  "POST /api/companies/search 422 result_limit_reached",
  "GET /api/companies 200",
  "GET /api/companies 422 invalid_lookup",
  "GET /api/observations 200",
  "GET /api/observations 422 invalid_cursor",
  "GET /api/observations 422 invalid_search",
  "GET /api/companies/{id} 200",
  "GET /api/companies/{id} 404 company_not_found",
  "GET /api/observations/{id} 200",
  "GET /api/usages/{id} 200",
  "GET /api/usages/{id} 404 usage_not_found",
  "GET /api/usage 200",
  "GET /api/usage 401 invalid_api_key",
  "GET /api/usage 405 method_not_allowed",
];

async function fuzz({ db, sql }: DatabaseCase, numRuns: number, reached: string[]): Promise<void> {
  const world = await createWorld(sql);
  const { log, lines } = watchedLog();
  await withApp(db, async ({ app }) => {
    const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
    const known = await collectKnown(app.fetch, world);
    const property = new Property(app.fetch, sql, { document, known });
    await fc.assert(
      fc.asyncProperty(httpRequests(document, known), (request) => property.check(request)),
      { numRuns, endOnFailure: true },
    );
    property.assertReached(reached);
    // Work in the background; between the requests it would leave rows of its own.
    while (await drain(app.context, app.actions.metered, 50) > 0);
  }, { log, now: standingClock() });
  assertInnocent(lines);
  await assertSettled(sql);
}

interface Answered extends Judgement {
  status: number;
  replayed: boolean;
  text: string;
  // deno-lint-ignore no-explicit-any -- any body
  body: any;
}

class Property {
  readonly #fetch: Handler;
  readonly #sql: Sql;
  readonly #known: Known;
  readonly #judge: ReturnType<typeof createAnswerJudge>;
  readonly #judgeRequest: ReturnType<typeof createRequestJudge>;
  readonly #seen = new Set<string>();
  #stored: Stored | undefined;
  #asked = 0;

  constructor(
    fetch: Handler,
    sql: Sql,
    { document, known }: { document: Parameters<typeof createAnswerJudge>[0]; known: Known },
  ) {
    this.#fetch = fetch;
    this.#sql = sql;
    this.#known = known;
    this.#judge = createAnswerJudge(document);
    this.#judgeRequest = createRequestJudge(document);
  }

  async check(request: FuzzRequest): Promise<void> {
    const claim = show(request);
    const before = this.#stored ?? await readStored(this.#sql);
    const first = await this.#ask(request);
    if (first === undefined) return;
    const { status, replayed, body, operation = "nowhere" } = first;
    const code = errorCode(body);
    assert.deepEqual(first.faults, [], `${claim}: ${status} ${first.text.slice(0, 300)}`);
    assert.notEqual(status, 500, claim);
    const after = this.#stored = await readStored(this.#sql);
    const metered = METERED.has(operation);
    assertCharged(before, after, { status, replayed, metered, usage: body?.usage }, claim);
    if ((status === 200 || status === 202) && operation.includes(" /api/")) {
      assert.deepEqual(this.#judgeRequest(operation, request), [], `${claim}: accepted`);
    }
    const text = request.target + new TextDecoder().decode(request.body?.bytes);
    if (status < 400) assertOwn(this.#known, { ...request, text, usage: body?.usage }, claim);
    if (request.clean) assert.doesNotMatch(code ?? "", /^invalid_/, `${claim}: ${first.text}`);
    const kind = [operation, status, code].filter(Boolean).join(" ");
    this.#seen.add(kind);
    // A third of the requests are sent twice, those of every kind among them.
    if (this.#asked++ % 3 === 0) await this.#checkRetry(request, first);
  }

  async #checkRetry(request: FuzzRequest, first: Answered): Promise<void> {
    const claim = `${show(request)}: again`;
    const again = (await this.#ask(request))!;
    assert.deepEqual([again.status, again.text], [first.status, first.text], claim);
    if (METERED.has(first.operation!) && first.body?.usage !== undefined) {
      assert.equal(again.replayed, true, claim);
    }
    assert.deepEqual(await readStored(this.#sql), this.#stored, `${claim}: charged`);
  }

  assertReached(kinds: string[]): void {
    for (const kind of kinds) {
      const all = [...this.#seen].sort().join("\n");
      assert.ok(this.#seen.has(kind), `${kind} is not reached: ${all}`);
    }
  }

  /** Returns nothing for what no client can send, and for pages that people read. */
  async #ask(generated: FuzzRequest): Promise<Answered | undefined> {
    const request = requestOf(generated);
    fc.pre(request !== undefined);
    const { method, url } = request;
    const path = decoded(new URL(url).pathname);
    const response = await this.#fetch(request);
    const text = await readText(response);
    if (path !== "/openapi.json" && (PAGES.has(path) || path === "/")) return;
    const { status, headers } = response;
    const replayed = headers.get("idempotency-replayed") === "true";
    if (path === "/mcp") return;
    const body = text === "" ? undefined : JSON.parse(text);
    return {
      ...this.#judge({ method, path, status, headers, body }),
      status,
      replayed,
      text,
      body,
    };
  }
}

function requestOf({ method, target, headers, body }: FuzzRequest): Request | undefined {
  try {
    const all = new Headers();
    for (const [name, value] of headers) all.append(name, value);
    const bytes = body?.chunks === undefined ? body?.bytes : inChunks(body.bytes, body.chunks);
    return new Request(`http://127.0.0.1${target}`, { method, headers: all, body: bytes });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The last chunk is the rest, so that every body is sent whole. */
function inChunks(bytes: Uint8Array<ArrayBuffer>, sizes: readonly number[]): ReadableStream {
  let at = 0;
  const parts = sizes.map((size) => bytes.slice(at, at += size));
  return ReadableStream.from([...parts, bytes.slice(at)].filter(({ length }) => length > 0));
}

async function readText(response: Response): Promise<string> {
  const { body, headers } = response;
  if (body === null || headers.get("content-encoding") === null) return await response.text();
  return await new Response(body.pipeThrough(new DecompressionStream("gzip"))).text();
}

/** Decodes a path as the router does. */
function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
