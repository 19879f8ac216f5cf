/** Requests that parsers read differently are refused. Answers and logs do not repeat them. */
import assert from "node:assert/strict";
import { createContract } from "../../src/http/openapi.ts";
import { createJudge } from "../support/contract.ts";
import { exchange, parseAnswers } from "./socket.ts";
import { CANARY, LAST, LAST_ANSWER } from "./socket_bytes.ts";
import { logLines, serviceTest } from "./service.ts";
import { assertInnocent } from "./watch.ts";

interface Refusal {
  line: string;
  headers: string[];
  body?: string;
  statuses: number[];
}

const HOST = "Host: 127.0.0.1";
const SEARCH = '{"query":"warehouse"}';

const line = "GET /healthz HTTP/1.1";
const search = (...headers: string[]) => ({
  line: "POST /api/companies/search HTTP/1.1",
  headers: [HOST, "Content-Type: application/json", `Content-Length: ${SEARCH.length}`, ...headers],
  body: SEARCH,
});

/** Values of Host that no parser, or only a lenient one, accepts as an authority. */
const HOSTS = ["x:99999", "a^b", "%", "x/docs#", "x/docs", "x?y", `u:${CANARY}@x`, "a b", "[::1"];

const REFUSALS: Refusal[] = [
  ...HOSTS.map((host) => ({ line, headers: [`Host: ${host}`], statuses: [400] })),
  { line, headers: [], statuses: [400] },
  { line, headers: ["Host: x", "Host: y"], statuses: [400] },
  { line: "GET /api/usage HTTP/1.1", headers: ["Host: x/docs#"], statuses: [400] },
  { line: `GET http://x:99999/${CANARY} HTTP/1.1`, headers: [HOST], statuses: [400] },
  { line: `GET http://a^${CANARY}/healthz HTTP/1.1`, headers: [HOST], statuses: [400] },
  {
    line: "POST /mcp HTTP/1.1",
    headers: ["Host: a^b", `Origin: http://${CANARY}`, "Content-Length: 0"],
    statuses: [400],
  },
  {
    line: "POST /mcp HTTP/1.1",
    headers: [HOST, "Origin: https://127.0.0.1", "Content-Length: 0"],
    statuses: [403],
  },
  // Members that every JavaScript object has must not be taken for HTTP methods.
  ...["constructor", "__proto__", "toString", CANARY].map((method) => ({
    line: `${method} /healthz HTTP/1.1`,
    headers: [HOST],
    statuses: [405],
  })),
  {
    ...search("Authorization: KEY", "Idempotency-Key: a", "Content-Encoding: gzip"),
    statuses: [415],
  },
  {
    ...search("Authorization: KEY", "Idempotency-Key: a", "Idempotency-Key: b"),
    statuses: [400, 422],
  },
];

const envelopeOf = createJudge(createContract());

serviceTest(
  "requests that parsers read differently are refused, without an echo in answers or logs",
  async (service, key) => {
    const port = Number(new URL(service.url).port);
    const faults: string[] = [];
    for (const { line, headers, body = "", statuses } of REFUSALS) {
      const all = headers.map((one) => one.replace("KEY", `Bearer ${key}`));
      const text = [line, ...all, "", body].join("\r\n");
      const answer = await exchange({
        port,
        text: text + LAST,
        until: LAST_ANSWER,
        patience: 60_000,
      });
      const [first] = parseAnswers(answer);
      const claim = `${line} ${headers.join(", ")}: ${answer.slice(0, 200)}`;
      if (!statuses.includes(first?.status ?? 0) || answer.includes(CANARY)) faults.push(claim);
      else if (first!.body !== "") {
        const schema = { $ref: "#/components/schemas/ErrorEnvelope" };
        faults.push(...envelopeOf(schema, JSON.parse(first!.body)).map((one) => `${one} ${claim}`));
      }
    }
    assert.deepEqual(faults, []);
    assertInnocent(logLines(service, [key, CANARY]));
  },
);
