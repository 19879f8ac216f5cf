/**
 * Clients that poll observations of hostnames by GET /api/observations, as callers would write
 * them.
 */
import assert from "node:assert/strict";
import type { TestApp } from "./app.ts";

/** A time before all observations of tests. */
export const LONG_AGO = "2020-01-01T00:00:00Z";

/** Returns the part of a record that gives these hostnames to the company with external id "n". */
export const of = (...domains: string[]) => ({
  company: { name: "North", external_id: "n", domains },
});

/** Returns the ids of recorded observations. */
export const ids = (recorded: { observation_id: number }[]) =>
  recorded.map(({ observation_id }) => observation_id);

/** Members of an observation that tests compare. */
export interface Seen {
  id: number;
  company_id: number;
  observed_fact: string;
}

interface PollerOptions {
  app: TestApp;
  key: string;
  hostnames: readonly string[];
  limit: number;
  /**
   * True to use the cursors of pages. By default each request continues from `as_of` of the
   * previous page.
   */
  cursors?: boolean;
  since?: string;
}

let requests = 0;

/** A client. Its state is `since`, a cursor, and the received pages. */
export class Poller {
  readonly #options: PollerOptions;
  #cursor: string | null = null;
  since: string;
  /** All received pages, in order. */
  readonly pages: Seen[][] = [];

  constructor(options: PollerOptions) {
    this.#options = options;
    this.since = options.since ?? LONG_AGO;
  }

  get seen(): Seen[] {
    return this.pages.flat();
  }

  /** Requests one page. @returns whether there is a next page */
  async poll(): Promise<boolean> {
    const { app, key, hostnames, limit, cursors = false } = this.#options;
    const query = new URLSearchParams({ since: this.since, limit: String(limit) });
    for (const hostname of hostnames) query.append("domains[]", hostname);
    if (this.#cursor !== null) query.set("cursor", this.#cursor);
    const request_key = `poll ${requests++}`;
    const { status, body } = await app.ask(`/api/observations?${query}`, { key, request_key });
    assert.equal(status, 200, JSON.stringify(body));
    this.pages.push(body.observations.map(seenOf));
    const more = body.next_cursor !== null;
    if (cursors) this.#cursor = body.next_cursor;
    else if (more) assert.ok(body.as_of > this.since, `as_of stays at ${this.since}`);
    if (!cursors || !more) this.since = body.as_of;
    return more;
  }

  /** Polls until there is no next page. @returns the observations that it has received */
  async drain(pages_max = 500): Promise<Seen[]> {
    const before = this.pages.length;
    while (await this.poll()) {
      assert.ok(this.pages.length - before < pages_max, `no end after ${pages_max} pages`);
    }
    return this.pages.slice(before).flat();
  }
}

function seenOf(
  { id, company, observed_fact }: { id: number; company: { id: number }; observed_fact: string },
): Seen {
  return { id, company_id: company.id, observed_fact };
}
