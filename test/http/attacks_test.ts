/**
 * Bodies that are meant to exhaust a process. Its memory stays small, and it serves other callers.
 */
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { createKey } from "../../src/accounts/credential.ts";
import { BODY_MILLISECONDS, MAX_BODY_BYTES } from "../../src/doors/request.ts";
import { ADMITTED_MAX } from "../../src/operations/turns.ts";
import { serverTest } from "../support/database.ts";
import { createCaller } from "../support/factories.ts";
import { type RawAnswer, RawConnection } from "../support/raw_http.ts";
import { type Service, startService } from "../support/service.ts";
import { residentBytes } from "../support/resident_bytes.ts";

/**
 * Max bytes by which the resident memory may rise. Any traffic makes the heap grow by 32 MB once.
 */
const RISE_MAX = 48 * 1024 * 1024;
/** Max milliseconds until other callers are answered. */
const OTHERS_MAX = 200;
/** Milliseconds between two looks at the service. */
const PROBE_MILLISECONDS = 10;
/** Max number of attempts, because the machine itself may stall. */
const RUNS = 5;

async function askHealth({ url }: Service): Promise<number> {
  const start = performance.now();
  const response = await fetch(`${url}/healthz`);
  assert.deepEqual(await response.json(), { status: "alive" });
  return performance.now() - start;
}

/** Max rise of the memory in bytes, and max milliseconds of an answer, during an attack. */
interface Seen {
  rise: number;
  slowest: number;
}

/** Attacks the service. Measures its memory and its answers to other callers meanwhile. */
async function observe(service: Service, attack: () => Promise<unknown>): Promise<Seen> {
  const before = await residentBytes(service.pid);
  const seen = { rise: 0, slowest: 0 };
  let isUnderAttack = true;
  const watching = (async () => {
    do {
      seen.slowest = Math.max(seen.slowest, await askHealth(service));
      seen.rise = Math.max(seen.rise, await residentBytes(service.pid) - before);
      // Without a pause, the watch itself would keep both cores busy.
      await pause(PROBE_MILLISECONDS);
    } while (isUnderAttack);
  })();
  try {
    await attack();
  } finally {
    isUnderAttack = false;
    await watching;
  }
  return seen;
}

/**
 * Asserts that an attack costs little memory and does not delay other callers. Repeats the attack
 * after a delay, because the machine may have stalled.
 */
async function withstands(
  service: Service,
  claim: string,
  attack: () => Promise<unknown>,
): Promise<void> {
  for (let run = 1;; run++) {
    const { rise, slowest } = await observe(service, attack);
    assert.ok(rise <= RISE_MAX, `${claim}: memory rose by ${rise} bytes`);
    if (slowest < OTHERS_MAX) return;
    assert.ok(
      run < RUNS,
      `${claim}: other callers waited ${slowest} ms or more in all of ${RUNS} runs`,
    );
  }
}

interface Attack {
  path: string;
  key?: string;
  /** Header that frames the body. The default is a chunked body. */
  framing?: string;
}

function headOf({ path, key, framing = "Transfer-Encoding: chunked" }: Attack): string {
  return [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    "Idempotency-Key: k",
    ...key === undefined ? [] : [`Authorization: Bearer ${key}`],
    framing,
    "",
    "",
  ].join("\r\n");
}

/** Sends the head and then the body as fast as the service reads it. Returns the answer. */
async function send({ url }: Service, attack: Attack, body: Uint8Array): Promise<RawAnswer> {
  using connection = await RawConnection.open(url);
  await connection.write(headOf(attack));
  const [answer] = await Promise.all([connection.readAnswer(), connection.write(body)]);
  return answer;
}

/** The attacked service, the key of the attacker, and that of another account. */
interface Target {
  service: Service;
  key: string;
  calm: string;
}

const ATTACKS = [
  sendOneByteChunks,
  forgeKeys,
  sendIncompleteBodies,
  sendManyBodies,
  sendOneByteSegments,
];

serverTest(
  "hostile bodies are refused, cost little memory, and delay no other caller",
  async (t) => {
    const { key } = await createCaller(t.sql);
    const { key: calm } = await createCaller(t.sql);
    await using service = await startService({ env: { DATABASE_URL: t.url, WORKERS: "0" } });
    for (let n = 0; n < 50; n++) await askHealth(service);
    for (const attack of ATTACKS) {
      await attack({ service, key, calm }).catch((error) => {
        throw new Error(attack.name, { cause: error });
      });
    }
    await service.stop();
  },
);

const chunks = (count: number) => new TextEncoder().encode("1\r\n \r\n".repeat(count));

/** One-byte chunks cost little memory and do not delay other callers. */
async function sendOneByteChunks({ service, key }: Target): Promise<void> {
  for (const path of ["/api/companies/search", "/mcp"]) {
    for (const [who, status] of [[undefined, 401], [createKey(), 401], [key, 413]] as const) {
      for (const [count, connections] of [[10_000, 1], [400_000, 4]] as const) {
        const claim = `${path}: ${count} chunks on ${connections} connections, ${status}`;
        await withstands(
          service,
          claim,
          () =>
            Promise.all(Array.from({ length: connections }, async () => {
              const answer = await send(service, { path, key: who }, chunks(count));
              assert.equal(answer.status, status, claim);
            })),
        );
      }
    }
  }
}

/** 500 forged keys are refused without a delay of other callers. */
async function forgeKeys({ service, key }: Target): Promise<void> {
  await withstands(service, "500 forged keys", async () => {
    for (let batch = 0; batch < 10; batch++) {
      await Promise.all(Array.from({ length: 50 }, async () => {
        const attack = { path: "/api/companies/search", key: createKey() };
        assert.equal((await send(service, attack, chunks(100))).status, 401);
      }));
    }
  });
  const answer = await fetch(`${service.url}/api/usage`, {
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(answer.status, 200);
  await answer.body?.cancel();
}

/** Slow, huge and incomplete requests are refused, others are served. */
async function sendIncompleteBodies({ service, key }: Target): Promise<void> {
  const path = "/api/companies/search";
  const attacks: [string, Attack, Uint8Array, number][] = [
    ["100 MB declared", { path, key, framing: "Content-Length: 100000000" }, chunks(1), 413],
    ["a huge length", { path, key, framing: `Content-Length: 1${"0".repeat(18)}` }, chunks(1), 413],
    ["endless chunks", { path, key }, largeChunks(64), 413],
    ["a million brackets", { path, key }, largeChunks(16, "["), 413],
    ["a body declared and never sent", { path, key, framing: "Content-Length: 9" }, none, 408],
    ["chunks that never end", { path, key }, chunks(3), 408],
    ["silence at /mcp", { path: "/mcp", key, framing: "Content-Length: 9" }, none, 408],
  ];
  const start = performance.now();
  await withstands(
    service,
    "all of them",
    () =>
      Promise.all(attacks.map(async ([claim, attack, body, status]) => {
        const answer = await send(service, attack, body);
        assert.equal(answer.status, status, `${claim}: ${answer.text}`);
        assert.equal(answer.headers.get("connection"), "close", claim);
      })),
  );
  assert.ok(performance.now() - start >= BODY_MILLISECONDS);
}

const none = new Uint8Array();

/** Returns chunks of 64 KiB. */
function largeChunks(count: number, byte = " "): Uint8Array {
  return new TextEncoder().encode(`10000\r\n${byte.repeat(65_536)}\r\n`.repeat(count));
}

/** Few bodies of an account are read at once, and the others are refused. */
async function sendManyBodies({ service, key, calm }: Target): Promise<void> {
  const search = { path: "/api/companies/search", framing: "Content-Length: 9" };
  await withstands(service, "silent bodies", async () => {
    const silent = Array.from({ length: 600 }, (_, n) => {
      const path = n % 2 === 0 ? "/mcp" : search.path;
      return send(service, { ...search, path, key }, none);
    });
    await pause(2_000);
    const other = await send(
      service,
      { ...search, key: calm },
      new TextEncoder().encode("[1,2,3,4]"),
    );
    assert.equal(other.status, 422, "another account");
    const answers = await Promise.all(silent);
    const count = (status: number) => answers.filter((one) => one.status === status).length;
    assert.deepEqual([count(408), count(429)], [ADMITTED_MAX, 600 - ADMITTED_MAX]);
    const { headers, text } = answers.find(({ status }) => status === 429)!;
    assert.deepEqual([headers.get("retry-after"), headers.get("connection")], ["1", "close"]);
    assert.equal(JSON.parse(text).error.code, "too_many_requests");
  });
}

/** A declared body in one-byte segments is refused at the limits. */
async function sendOneByteSegments({ service, key }: Target): Promise<void> {
  const attack = { path: "/mcp", key, framing: `Content-Length: ${MAX_BODY_BYTES}` };
  await withstands(service, "one-byte segments", async () => {
    using connection = await RawConnection.open(service.url);
    await connection.write(headOf(attack));
    let answered = false;
    const answer = connection.readAnswer().finally(() => answered = true);
    // The service refuses too many small reads (413). If the system merges segments, the reads are
    // larger, and the time-out ends them (408).
    while (!answered && await connection.write(" "));
    assert.ok([408, 413].includes((await answer).status));
  });
}
