/** Sends generated requests to the HTTP door. The document has to describe every answer. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Handler } from "../../src/http/handler.ts";
import { PAGES } from "../../src/http/pages.ts";
import { createAnswerJudge, errorCode, type Judgement } from "../support/contract.ts";
import { embeddedTest, serverTest } from "../support/database.ts";
import { createRequestJudge } from "./accepted.ts";
import { type FuzzRequest, httpRequests, show } from "./http_requests.ts";
import { type Door, fuzzDoor, type Judged, type Session } from "./property.ts";
import { runs } from "./runs.ts";

const CLAIM = "every answer over HTTP conforms to the document, including its charge";

embeddedTest(CLAIM, (t) => fuzzDoor(t, { numRuns: runs(1200), reached: REACHED }, openDoor));
serverTest(CLAIM, (t) => fuzzDoor(t, { numRuns: runs(150), reached: [] }, openDoor));

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

type JudgedAnswer = Judgement & Judged;

function openDoor({ fetch, document, known }: Session): Door<FuzzRequest, JudgedAnswer> {
  const judge = createAnswerJudge(document);
  const judgeRequest = createRequestJudge(document);
  return {
    requests: httpRequests(document, known),
    show,
    ask: (request) => ask(fetch, judge, request),
    check(request, { status, operation = "nowhere" }, claim) {
      assert.notEqual(status, 500, claim);
      if ((status === 200 || status === 202) && operation.includes(" /api/")) {
        assert.deepEqual(judgeRequest(operation, request), [], `${claim}: accepted`);
      }
    },
    checkRetry(again, first, claim) {
      assert.deepEqual([again.status, again.text], [first.status, first.text], claim);
      if (first.charged.metered && first.usage !== undefined) {
        assert.equal(again.charged.replayed, true, claim);
      }
    },
    invalid: / invalid_/,
  };
}

/** Sends a request and judges its answer. Skips requests that `Request` refuses, pages and /mcp. */
async function ask(
  fetch: Handler,
  judge: ReturnType<typeof createAnswerJudge>,
  generated: FuzzRequest,
): Promise<JudgedAnswer | undefined> {
  const request = requestOf(generated);
  fc.pre(request !== undefined);
  const { method, url } = request;
  const path = decoded(new URL(url).pathname);
  const response = await fetch(request);
  const text = await readText(response);
  if (path !== "/openapi.json" && (PAGES.has(path) || path === "/")) return;
  if (path === "/mcp") return;
  const { status, headers } = response;
  const body = text === "" ? undefined : JSON.parse(text);
  const judged = judge({ method, path, status, headers, body });
  const { operation = "nowhere" } = judged;
  const replayed = headers.get("idempotency-replayed") === "true";
  return {
    ...judged,
    status,
    text,
    kind: [operation, status, errorCode(body)].filter(Boolean).join(" "),
    charged: { status, replayed, metered: METERED.has(operation) },
    usage: body?.usage,
    accepted: status < 400,
  };
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

/** Splits a body into chunks. The last chunk is the rest, so that the whole body is sent. */
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
