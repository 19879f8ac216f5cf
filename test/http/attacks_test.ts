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
/** Max milliseconds by which the answers to other callers may be late. */
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

/** Max rise of the memory in bytes, and max milliseconds of answers, during an attack. */
interface Seen {
  rise: number;
  attacked: number;
  spared: number;
}

/** Attacks a service. Measures its memory, and its answers to other callers and those of a peer. */
async function observe(
  { service, spared }: Target,
  attack: () => Promise<unknown>,
): Promise<Seen> {
  const before = await residentBytes(service.pid);
  const seen = { rise: 0, attacked: 0, spared: 0 };
  let isUnderAttack = true;
  const watching = (async () => {
    do {
      const [attacked, usual] = await Promise.all([service, spared].map(askHealth));
      seen.attacked = Math.max(seen.attacked, attacked!);
      seen.spared = Math.max(seen.spared, usual!);
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
 * Asserts that an attack costs little memory and does not delay other callers. A delay of the
 * machine or of this process also shows at the peer. Repeats the attack after a delay, because only
 * the attacked process may have stalled.
 */
async function withstands(
  target: Target,
  claim: string,
  attack: () => Promise<unknown>,
): Promise<void> {
  for (let run = 1;; run++) {
    const { rise, attacked, spared } = await observe(target, attack);
    assert.ok(rise <= RISE_MAX, `${claim}: memory rose by ${rise} bytes`);
    if (attacked - spared < OTHERS_MAX) return;
    assert.ok(
      run < RUNS,
      `${claim}: other callers waited ${attacked} ms, and ${spared} ms at the peer, in run ${run}`,
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

/**
 * The attacked service, a peer on the same database that nobody attacks, the key of the attacker,
 * and that of another account.
 */
interface Target {
  service: Service;
  spared: Service;
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
    const env = { DATABASE_URL: t.url, WORKERS: "0" };
    await using service = await startService({ env });
    await using spared = await startService({ env });
    for (let n = 0; n < 50; n++) await Promise.all([service, spared].map(askHealth));
    for (const attack of ATTACKS) {
      await attack({ service, spared, key, calm }).catch((error) => {
        throw new Error(attack.name, { cause: error });
      });
    }
    await service.stop();
    await spared.stop();
  },
);

const chunks = (count: number) => new TextEncoder().encode("1\r\n \r\n".repeat(count));

/** One-byte chunks cost little memory and do not delay other callers. */
async function sendOneByteChunks(target: Target): Promise<void> {
  const { service, key } = target;
  for (const path of ["/api/companies/search", "/mcp"]) {
    for (const [who, status] of [[undefined, 401], [createKey(), 401], [key, 413]] as const) {
      for (const [count, connections] of [[10_000, 1], [400_000, 4]] as const) {
        const claim = `${path}: ${count} chunks on ${connections} connections, ${status}`;
        await withstands(
          target,
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
async function forgeKeys(target: Target): Promise<void> {
  const { service, key } = target;
  await withstands(target, "500 forged keys", async () => {
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
async function sendIncompleteBodies(target: Target): Promise<void> {
  const { service, key } = target;
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
    target,
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
async function sendManyBodies(target: Target): Promise<void> {
  const { service, key, calm } = target;
  const search = { path: "/api/companies/search", framing: "Content-Length: 9" };
  await withstands(target, "silent bodies", async () => {
    // They come one after another, because 600 at once are 600 requests before the next caller's.
    const silent = Array.from({ length: 600 }, async (_, n) => {
      await pause(2 * n);
      const path = n % 2 === 0 ? "/mcp" : search.path;
      return await send(service, { ...search, path, key }, none);
    });
    const asking = async () => {
      await pause(2_000);
      const body = new TextEncoder().encode("[1,2,3,4]");
      return await send(service, { ...search, key: calm }, body);
    };
    const [other, ...answers] = await Promise.all([asking(), ...silent]);
    assert.equal(other.status, 422, "another account");
    const count = (status: number) => answers.filter((one) => one.status === status).length;
    assert.deepEqual([count(408), count(429)], [ADMITTED_MAX, 600 - ADMITTED_MAX]);
    const { headers, text } = answers.find(({ status }) => status === 429)!;
    assert.deepEqual([headers.get("retry-after"), headers.get("connection")], ["1", "close"]);
    assert.equal(JSON.parse(text).error.code, "too_many_requests");
  });
}

/** A declared body in one-byte segments is refused at the limits. */
async function sendOneByteSegments(target: Target): Promise<void> {
  const { service, key } = target;
  const attack = { path: "/mcp", key, framing: `Content-Length: ${MAX_BODY_BYTES}` };
  await withstands(target, "one-byte segments", async () => {
    using connection = await RawConnection.open(service.url);
    await connection.write(headOf(attack));
    let answered = false;
    const writing = async () => {
      while (!answered && await connection.write(" "));
    };
    // The service refuses too many small reads (413). If the system merges segments, the reads are
    // larger, and the time-out ends them (408).
    const [answer] = await Promise.all([
      connection.readAnswer().finally(() => answered = true),
      writing(),
    ]);
    assert.ok([408, 413].includes(answer.status));
  });
}
