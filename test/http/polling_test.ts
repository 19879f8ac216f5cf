import assert from "node:assert/strict";
import { mergeCompanies, splitCompany } from "../../src/ingest/record/company_merges.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import {
  setSource,
  suppressCompany,
  withdrawObservation,
} from "../../src/ingest/record/withdraw.ts";
import type { Sql } from "../../src/db/connect.ts";
import { withApp } from "../support/app.ts";
import { embeddedTest, oneEngineTest, serverTest } from "../support/database.ts";
import { AMPLE, createCaller, record, sourceRecord } from "../support/factories.ts";
import { ids, of, Poller } from "../support/poller.ts";

const A = "a.example";
const B = "b.example";

interface Gain {
  name: string;
  /** Records observations that are not listed under B at present. Returns their ids. */
  before(sql: Sql): Promise<number[]>;
  /** Makes B list these observations. Returns the ids of those that it records in addition. */
  gain(sql: Sql): Promise<number[]>;
  /** True if the observations were always listed under A. */
  known_under_a: boolean;
}

const GAINS: Gain[] = [
  {
    name: "a later record gives the hostname",
    before: async (sql) => ids(await record(sql, [of(A), of(A), of()])),
    gain: async (sql) => ids(await record(sql, [of(A, B)])),
    known_under_a: true,
  },
  {
    name: "a revision gives the hostname",
    before: async (sql) => ids(await record(sql, [of(A), of(A)])),
    async gain(sql) {
      await record(sql, [{ ...of(A), external_id: "revised" }]);
      return ids(await record(sql, [{ ...of(A, B), external_id: "revised", confidence: 0.1 }]));
    },
    known_under_a: true,
  },
  {
    name: "the company is merged with one that has the hostname",
    before: async (sql) => ids(await record(sql, [of(A), of(A)])),
    async gain(sql) {
      const [south] = await record(sql, [{ company: { name: "South", domains: [B] } }]);
      const [north] = await sql<{ id: number }[]>`select id from companies where name = 'North'`;
      await mergeCompanies(sql, { kept: north!.id, merged: south!.company_id, reason: "one" });
      return ids([south!]);
    },
    known_under_a: true,
  },
  {
    name: "the only source that gives the hostname is permitted again",
    async before(sql) {
      const known = ids(await record(sql, [of(A)]));
      const company = { name: "North", domains: [A, B] };
      await record(sql, [{ source: "other", external_id: "hidden", company }]);
      await setSource(sql, "other", false);
      return known;
    },
    async gain(sql) {
      await setSource(sql, "other", true);
      return ids(
        await sql<{ observation_id: number }[]>`
          select id as observation_id from observations where external_id = 'hidden'
        `,
      );
    },
    known_under_a: true,
  },
  {
    name: "the only record with the hostname was withdrawn, and another record gives it",
    async before(sql) {
      const known = ids(await record(sql, [of(A)]));
      const [support] = await record(sql, [of(A, B)]);
      await withdrawObservation(sql, support!.observation_id);
      return known;
    },
    gain: async (sql) => ids(await record(sql, [of(A, B)])),
    known_under_a: true,
  },
  {
    name: "the only record with the hostname has expired, and another record gives it",
    async before(sql) {
      const known = ids(await record(sql, [of(A)]));
      const [support] = await record(sql, [{ ...of(A, B), expires_at: "2199-01-01T00:00:00Z" }]);
      // This simulates that the time of the expiry has come.
      await sql`
        update observations set expires_at = now() - interval '1 second'
        where id = ${support!.observation_id}
      `;
      return known;
    },
    gain: async (sql) => ids(await record(sql, [of(A, B)])),
    known_under_a: true,
  },
  {
    name: "a merge that had suppressed the company is undone",
    async before(sql) {
      const known = await record(sql, [of(A, B), of(A)]);
      const [south] = await record(sql, [{ company: { name: "South" } }]);
      await suppressCompany(sql, south!.company_id);
      const merged = south!.company_id;
      await mergeCompanies(sql, { kept: known[0]!.company_id, merged, reason: "one" });
      return ids(known);
    },
    async gain(sql) {
      await splitCompany(sql, (await sql<{ id: number }[]>`select id from company_merges`)[0]!.id);
      return [];
    },
    known_under_a: false,
  },
];

for (const { name, before, gain, known_under_a } of GAINS) {
  oneEngineTest(
    `a poller gets observations that a hostname gains: ${name}`,
    async ({ db, sql }) => {
      const { key } = await createCaller(sql);
      await withApp(db, async (app) => {
        const known = await before(sql);
        const [one, two] = [A, B].map((hostname) =>
          new Poller({ app, key, hostnames: [hostname], limit: 10 })
        );
        await one!.drain();
        assert.deepEqual(await two!.drain(), []);
        const added = await gain(sql);
        const sorted = (seen: { id: number }[]) => seen.map(({ id }) => id).sort((a, b) => a - b);
        assert.deepEqual(sorted(await two!.drain()), [...known, ...added].sort((a, b) => a - b));
        // A poller of the other hostname does not get the same observations again.
        assert.deepEqual(
          sorted(await one!.drain()),
          [...known_under_a ? [] : known, ...added].sort((a, b) => a - b),
        );
      });
    },
  );
}

oneEngineTest("a known hostname does not list its observations again", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await record(sql, [of(A), of(A), { ...of(A), external_id: "revised" }]);
  await withApp(db, async (app) => {
    const poller = new Poller({ app, key, hostnames: [A], limit: 10 });
    assert.equal((await poller.drain()).length, 3);
    await record(sql, [of(A), of(A)]);
    assert.equal((await poller.drain()).length, 2);
    await record(sql, [{ ...of(A), external_id: "revised", confidence: 0.1 }]);
    assert.equal((await poller.drain()).length, 1);
  });
});

oneEngineTest("a record that expires soon does not keep its hostname", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const expires_at = new Date(Date.now() + 30 * 60_000).toISOString();
  const [known, support] = await record(sql, [of(), { ...of(A), expires_at }]);
  await withApp(db, async (app) => {
    const poller = new Poller({ app, key, hostnames: [A], limit: 10 });
    await poller.drain();
    // When the poller sees this record, `support` may have expired. The hostname therefore counts
    // as gained, and all observations are listed again.
    const [next] = await record(sql, [of(A)]);
    assert.deepEqual((await poller.drain()).map(({ id }) => id), ids([known!, support!, next!]));
  });
});

// The embedded database needs ten times as long for a page as a server.
for (const [register, count] of [[embeddedTest, 200], [serverTest, 1_500]] as const) {
  register(`a poller without cursors gets a batch of ${count} in pages of 25`, async (t) => {
    const { db, sql } = t;
    const { key } = await createCaller(sql, { terms: AMPLE });
    const recorded = ids(await record(sql, Array.from({ length: count }, () => of(A))));
    await withApp(db, async (app) => {
      const poller = new Poller({ app, key, hostnames: [A], limit: 25 });
      await poller.drain();
      assert.equal(poller.pages.length, count / 25);
      assert.deepEqual(poller.seen.map(({ id }) => id), recorded);
      // The company gains a hostname, which lists all of its observations again in one write.
      await record(sql, [of(B)]);
      const pollerOfB = new Poller({ app, key, hostnames: [B], limit: 100 });
      await pollerOfB.drain();
      assert.equal(pollerOfB.pages.length, count / 100 + 1);
      assert.equal(new Set(pollerOfB.seen.map(({ id }) => id)).size, count + 1);
      await setSource(sql, "acme-feed", false);
      assert.deepEqual(await poller.drain(), []);
      await setSource(sql, "acme-feed", true);
      const again = new Poller({ app, key, hostnames: [A], limit: 100, since: poller.since });
      assert.equal((await again.drain()).length, count + 1);
    });
  });
}

oneEngineTest("a poller misses no change between its pages", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const company = await record(sql, [of(A), of(A), of(A), of(A)]);
  const recordOfSouth = { source: "other", company: { name: "South", domains: [A] } };
  const south = await record(sql, [recordOfSouth, recordOfSouth, recordOfSouth]);
  await withApp(db, async (app) => {
    for (const cursors of [true, false]) {
      const poller = new Poller({ app, key, hostnames: [A, B], limit: 2, cursors });
      await poller.poll();
      // These observations are hidden before their page, and shown again after it.
      await setSource(sql, "other", false);
      await poller.poll();
      await poller.poll();
      await setSource(sql, "other", true);
      await record(sql, [of(B)]);
      while (await poller.poll()) {
        await record(sql, [{ company: { name: "West", domains: [B] } }]);
      }
      await poller.drain();
      const seen = new Set(poller.seen.map(({ id }) => id));
      const missed = ids([...company, ...south]).filter((id) => !seen.has(id));
      assert.deepEqual(missed, [], `cursors: ${cursors}`);
    }
  });
});

serverTest("a poller does not skip a writer that commits later", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  const [known] = await record(sql, [of(A)]);
  await withApp(db, async (app) => {
    const poller = new Poller({ app, key, hostnames: [B], limit: 1 });
    const judged = normalizeRecord(sourceRecord(of(B)));
    assert.ok("record" in judged);
    const batch = JSON.stringify([judged.record]);
    await sql.begin(async (tx) => {
      await tx`select record_observations(${batch}::text::jsonb)`;
      assert.deepEqual(await poller.drain(), []);
    });
    assert.equal((await poller.drain()).length, 2);
    assert.ok(poller.seen.some(({ id }) => id === known!.observation_id));
  });
});

oneEngineTest("pollers beside concurrent writers miss no observation", async ({ db, sql }) => {
  const { key } = await createCaller(sql, { terms: AMPLE });
  await withApp(db, async (app) => {
    const pollers = [[A], [B], [A, B]].map((hostnames) => ({
      hostnames,
      poller: new Poller({ app, key, hostnames, limit: 3 }),
    }));
    let writing = 4;
    const write = async (writer: number) => {
      for (let n = 0; n < 6; n++) {
        const domains = [[A], [], [B], [A, B]][(n + writer) % 4]!;
        const company = { name: `Company ${n % 3}`, external_id: `${n % 3}`, domains };
        const recorded = await record(sql, [{ company }, { company }, of(A)]);
        if (n % 2 === 1) await withdrawObservation(sql, recorded[0]!.observation_id);
      }
      writing--;
    };
    const written = Promise.all([0, 1, 2, 3].map(write));
    while (writing > 0) await Promise.all(pollers.map(({ poller }) => poller.poll()));
    await written;
    for (const { hostnames, poller } of pollers) {
      await poller.drain();
      const seen = new Set(poller.seen.map(({ id }) => id));
      const fresh = await new Poller({ app, key, hostnames, limit: 100 }).drain();
      assert.deepEqual(fresh.filter(({ id }) => !seen.has(id)), [], `${hostnames}`);
    }
  });
});
