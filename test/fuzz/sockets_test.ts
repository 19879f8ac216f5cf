/** Sends raw bytes to a serving process. It has to answer or close, and to echo nothing. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createContract } from "../../src/http/openapi.ts";
import { createJudge } from "../support/contract.ts";
import type { Service } from "../support/service.ts";
import { runs } from "./runs.ts";
import { residentBytes } from "../support/resident_bytes.ts";
import { logLines, serviceTest } from "./service.ts";
import { exchange, parseAnswers, type RawAnswer } from "./socket.ts";
import { CANARY, LAST, LAST_ANSWER, type Stream, streams } from "./socket_bytes.ts";
import { assertInnocent } from "./watch.ts";

/** Number of concurrent connections. */
const WIDTH = 8;

/** Max bytes by which the memory of a process may grow after its warm-up. */
const GROWTH_MAX = 150 * 1024 * 1024;

serviceTest(
  "raw bytes are refused or answered, and never echoed or logged",
  async (service, key) => {
    const seen = new Set<number>();
    const property = fc.asyncProperty(
      fc.array(streams(key), { minLength: WIDTH, maxLength: WIDTH }),
      (all) => checkAll(service, all, seen),
    );
    const fuzz = (numRuns: number) => fc.assert(property, { numRuns, endOnFailure: true });
    await fuzz(20);
    const before = await residentBytes(service.pid);
    await fuzz(runs(150));
    const grown = await residentBytes(service.pid) - before;
    assert.ok(grown < GROWTH_MAX, `the process has grown by ${grown} bytes`);
    // The generators reach answers of the service and of the HTTP server below it.
    assert.deepEqual([200, 400, 401, 404, 405, 422].filter((status) => !seen.has(status)), []);
    await checkServes(service, key);
    // A body that is cut off causes a warning.
    assertInnocent(
      logLines(service, [CANARY, key]).filter((line) => !line.includes("request unavailable")),
    );
  },
);

async function checkAll({ url }: Service, all: Stream[], seen: Set<number>): Promise<void> {
  const port = Number(new URL(url).port);
  await Promise.all(all.map(async ({ text, writes }) => {
    const answer = await exchange({ port, text: text + LAST, writes, until: LAST_ANSWER });
    const claim = `${JSON.stringify(text.slice(0, 700))} ${JSON.stringify(answer.slice(0, 700))}`;
    assert.ok(!answer.includes(CANARY), `echoed: ${claim}`);
    // A server with HTTP/2 answers its preface with a frame of settings.
    if (answer.startsWith("\0\0") && text.startsWith("PRI * HTTP/2.0\r\n\r\n")) return;
    for (const one of parseAnswers(answer)) {
      judge(one, claim);
      seen.add(one.status);
    }
  }));
}

/** Statuses of successes, of faults of callers, of missing readiness, and of HTTP itself. */
const STATUSES = [
  ...[100, 200, 202, 303, 304, 400, 401, 402, 403, 404, 405, 408, 411, 413, 414, 415, 417, 422],
  ...[429, 431, 501, 503, 505],
];

const envelopeOf = createJudge(createContract());

function judge({ status, headers, body }: RawAnswer, claim: string): void {
  assert.ok(STATUSES.includes(status), `${status}: ${claim}`);
  if (status < 400 || body === "") return;
  if (headers.get("content-type") !== "application/json") {
    // The HTTP server refuses bytes that are no HTTP with a plain text.
    assert.ok([400, 408, 413, 414, 431, 501, 505].includes(status), claim);
    return;
  }
  const length = Number(headers.get("content-length") ?? body.length);
  // The test has cut off the answer.
  if (body.length < length) return;
  const parsed = JSON.parse(body);
  // The MCP door answers a body that is no message with a JSON-RPC error.
  if (status === 400 && parsed.jsonrpc === "2.0") {
    assert.deepEqual(Object.keys(parsed).sort(), ["error", "id", "jsonrpc"], claim);
    return;
  }
  const faults = envelopeOf({ $ref: "#/components/schemas/ErrorEnvelope" }, parsed);
  assert.deepEqual(faults, [], claim);
}

async function checkServes({ url }: Service, key: string): Promise<void> {
  const response = await fetch(`${url}/api/usage`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  await response.body?.cancel();
}
