/** The property that holds for generated requests to both doors, and the run that checks it. */
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Sql } from "../../src/db/connect.ts";
import type { Handler } from "../../src/http/handler.ts";
import { drain } from "../../src/operations/worker.ts";
import { stoppedClock, type TestApp, withApp } from "../support/app.ts";
import type { DatabaseCase } from "../support/database.ts";
import { assertSettled } from "../support/operations.ts";
import { createWorld } from "../support/world.ts";
import { assertOwn, collectKnown, type Known } from "./known.ts";
import {
  assertCharged,
  assertInnocent,
  type Charged,
  readStored,
  type Stored,
  watchedLog,
} from "./watch.ts";

/** A generated request to either door. */
export interface Generated {
  /** Path and query, if they are generated. */
  target?: string;
  /** Headers, whose names may repeat. */
  headers: [string, string][];
  body?: { bytes: Uint8Array<ArrayBuffer> };
  /** True if the document allows the request and the service has no other reason to refuse it. */
  clean: boolean;
}

/** An answer, as judged by a door. */
export interface Judged {
  status: number;
  text: string;
  /** Breaches of the door's document. */
  faults: unknown[];
  /** Kind of the answer, such as `http 202`. A run has to reach certain kinds. */
  kind: string;
  /** Parts of the answer that determine its charge. */
  charged: Omit<Charged, "usage">;
  /** The operation in the answer. */
  usage?: Charged["usage"] & { id: number };
  /** True if the answer is a success, so that its content has to belong to the caller. */
  accepted: boolean;
}

/** One door: its requests, and the checks that apply only to its answers. */
export interface Door<Request extends Generated, Answer extends Judged> {
  requests: fc.Arbitrary<Request>;
  /** Describes a request in messages. */
  show(request: Request): string;
  /** Sends a request. Returns undefined if the answer is a page or comes from the other door. */
  ask(request: Request): Promise<Answer | undefined>;
  /** Makes the assertions that apply only to this door. */
  check(request: Request, answer: Answer, claim: string): void;
  /** Asserts that a repeated request got the same answer. */
  checkRetry(again: Answer, first: Answer, claim: string): void;
  /** Pattern of the kinds of answers that a clean request must not get. */
  invalid: RegExp;
}

/** The service and the known values, from which a door is made. */
export interface Session {
  app: TestApp["app"];
  fetch: Handler;
  // deno-lint-ignore no-explicit-any -- the document as JSON
  document: any;
  keys: Awaited<ReturnType<typeof createWorld>>["keys"];
  known: Known;
}

/**
 * Sends generated requests to a door. Every answer has to conform to the door's document, and the
 * units that it reports have to be charged. An identical retry gets the same answer. The log may
 * contain no secret and no warning.
 */
export async function fuzzDoor<Request extends Generated, Answer extends Judged>(
  { db, sql }: DatabaseCase,
  { numRuns, reached }: { numRuns: number; reached: readonly string[] },
  open: (session: Session) => Door<Request, Answer> | Promise<Door<Request, Answer>>,
): Promise<void> {
  const world = await createWorld(sql);
  const { log, lines } = watchedLog();
  await withApp(db, async ({ app }) => {
    const document = await (await app.fetch(new Request("http://127.0.0.1/openapi.json"))).json();
    const known = await collectKnown(app.fetch, world);
    const door = await open({ app, fetch: app.fetch, document, keys: world.keys, known });
    const property = new Property(door, sql, known);
    await fc.assert(
      fc.asyncProperty(door.requests, (request) => property.check(request)),
      { numRuns, endOnFailure: true },
    );
    property.assertReached(reached);
    // Background work is done last, because it would write rows between the requests.
    while (await drain(app.context, app.actions.metered) > 0);
  }, { log, now: stoppedClock() });
  assertInnocent(lines);
  await assertSettled(sql);
}

/** Number of requests of which one is sent twice. */
const RETRIED = 3;

class Property<Request extends Generated, Answer extends Judged> {
  readonly #door: Door<Request, Answer>;
  readonly #sql: Sql;
  readonly #known: Known;
  readonly #seen = new Set<string>();
  #stored: Stored | undefined;
  #requests = 0;

  constructor(door: Door<Request, Answer>, sql: Sql, known: Known) {
    this.#door = door;
    this.#sql = sql;
    this.#known = known;
  }

  async check(request: Request): Promise<void> {
    const door = this.#door;
    const claim = door.show(request);
    const before = this.#stored ?? await readStored(this.#sql);
    const first = await door.ask(request);
    if (first === undefined) return;
    const { status, text, faults, kind, charged, usage } = first;
    assert.deepEqual(faults, [], `${claim}: ${status} ${text.slice(0, 600)}`);
    const after = this.#stored = await readStored(this.#sql);
    assertCharged(before, after, { ...charged, usage }, claim);
    door.check(request, first, claim);
    if (first.accepted) {
      const body = new TextDecoder().decode(request.body?.bytes);
      const { headers, target = "" } = request;
      assertOwn(this.#known, { headers, text: target + body, usage }, claim);
    }
    if (request.clean) assert.doesNotMatch(kind, door.invalid, `${claim}: ${text}`);
    this.#seen.add(kind);
    if (this.#requests++ % RETRIED === 0) await this.#checkRetry(request, first);
  }

  async #checkRetry(request: Request, first: Answer): Promise<void> {
    const claim = `${this.#door.show(request)}: retry`;
    const again = (await this.#door.ask(request))!;
    this.#door.checkRetry(again, first, claim);
    assert.deepEqual(await readStored(this.#sql), this.#stored, `${claim}: charged`);
  }

  assertReached(kinds: readonly string[]): void {
    const missing = kinds.filter((kind) => !this.#seen.has(kind));
    assert.deepEqual(missing, [], [...this.#seen].sort().join("\n"));
  }
}
