import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { recordObservations } from "../../../src/ingest/record/pipeline.ts";
import { withdrawEvidence, withdrawObservation } from "../../../src/ingest/record/withdraw.ts";
import { databaseTest, serverTest } from "../../support/database.ts";
import { observation, raw, record } from "../../support/recording.ts";

const RECORDED_ONCE = { recorded: 1, revised: 0, unchanged: 0 };
const REVISED_ONCE = { recorded: 0, revised: 1, unchanged: 0 };

databaseTest("record_observations() stores every member of a record", async ({ sql }) => {
  const counts = await record(
    sql,
    raw("a-17", {
      company: { name: "Northwind Foods", external_id: "nw", domains: ["b.example", "a.example"] },
      expires_at: "2199-01-01T00:00:00Z",
      categories: ["42", "31-33"],
      evidence: [
        { source_uri: "https://news.example/1", excerpt: "One" },
        {
          source_uri: "https://news.example/2",
          excerpt: "Two",
          occurred_at: null,
          observed_at: "2026-03-03T00:00:00Z",
        },
      ],
    }),
  );
  assert.deepEqual(counts, RECORDED_ONCE);
  const [clock] = await sql`select change_seq, recorded_at from dataset_clock`;
  const { id, source_id, company_id, content_hash, ...rest } = await observation(sql, "a-17");
  assert.equal(content_hash.length, 32);
  assert.deepEqual(rest, {
    external_id: "a-17",
    company_external_id: "nw",
    company_identifiers: null,
    kind: "facility_expansion",
    observed_fact: "A second cold storage hall is being built.",
    why_it_may_matter: "New halls need refrigeration and racking.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.8,
    occurred_at: new Date("2026-03-01T00:00:00Z"),
    observed_at: new Date("2026-03-02T09:00:00Z"),
    expires_at: new Date("2199-01-01T00:00:00Z"),
    categories: ["31-33", "42"],
    texts: [],
    facets: {},
    recorded_at: clock!.recorded_at,
    last_seen_at: null,
    withdrawn_at: null,
    gone_at: null,
    change_seq: clock!.change_seq,
  });
  assert.deepEqual([...await sql`select id, name, permitted from sources`], [
    { id: source_id, name: "feed", permitted: true },
  ]);
  assert.deepEqual(
    [
      ...await sql`
      select source_uri, excerpt, occurred_at, observed_at, withdrawn_at from evidence
      where observation_id = ${id} order by id
    `,
    ],
    [
      {
        source_uri: "https://news.example/1",
        excerpt: "One",
        occurred_at: new Date("2026-03-01T00:00:00Z"),
        observed_at: new Date("2026-03-02T09:00:00Z"),
        withdrawn_at: null,
      },
      {
        source_uri: "https://news.example/2",
        excerpt: "Two",
        occurred_at: null,
        observed_at: new Date("2026-03-03T00:00:00Z"),
        withdrawn_at: null,
      },
    ],
  );
  assert.deepEqual(
    [
      ...await sql`
      select company_id, hostname from deliverable_domains where observation_id = ${id}
      order by hostname
    `,
    ],
    [{ company_id, hostname: "a.example" }, { company_id, hostname: "b.example" }],
  );
});

databaseTest(
  "record_observations() assigns ids in the order of records, also across sources",
  async ({ sql }) => {
    const places = Array.from({ length: 100 }, (_, place) => place + 1);
    await record(
      sql,
      ...places.map((place) => raw(`${place}`, { source: ["feed", "wire", "press"][place % 3] })),
    );
    const rows = await sql<
      { external_id: string }[]
    >`select external_id from observations order by id`;
    assert.deepEqual(rows.map(({ external_id }) => Number(external_id)), places);
  },
);

databaseTest(
  "record_observations() updates only last_seen_at for equal content",
  async ({ sql }) => {
    await record(sql, raw("a"));
    const before = await observation(sql, "a");
    assert.deepEqual(await record(sql, raw("a")), { recorded: 0, revised: 0, unchanged: 1 });
    const { last_seen_at, ...after } = await observation(sql, "a");
    assert.deepEqual({ ...after, last_seen_at: null }, { ...before });
    assert.ok(last_seen_at > before.recorded_at);
  },
);

databaseTest("record_observations() revises an observation under the same id", async ({ sql }) => {
  await record(sql, raw("a", { company: { name: "N", domains: ["a.example", "b.example"] } }));
  await record(sql, raw("a", { company: { name: "N", domains: ["a.example", "b.example"] } }));
  const before = await observation(sql, "a");
  const revised = raw("a", {
    company: { name: "N", domains: ["b.example", "c.example"] },
    observed_fact: "Two halls are built.",
    evidence: [{ source_uri: "https://news.example/2", excerpt: "Two halls" }],
  });
  assert.deepEqual(await record(sql, revised), REVISED_ONCE);
  const after = await observation(sql, "a");
  assert.equal(after.id, before.id);
  assert.equal(after.company_id, before.company_id);
  assert.equal(after.observed_fact, "Two halls are built.");
  assert.equal(after.last_seen_at, null);
  assert.ok(after.change_seq > before.change_seq);
  assert.ok(after.recorded_at > before.recorded_at);
  assert.deepEqual([...await sql`select source_uri, excerpt from evidence`], [
    { source_uri: "https://news.example/2", excerpt: "Two halls" },
  ]);
  const supported = await sql`select hostname from deliverable_domains order by hostname`;
  assert.deepEqual(supported.map(({ hostname }) => hostname), ["b.example", "c.example"]);
});

databaseTest("record_observations() keeps observations and evidence withdrawn", async ({ sql }) => {
  await record(sql, raw("a"), raw("b", { company: { name: "B" } }));
  await withdrawObservation(sql, (await observation(sql, "a")).id);
  await withdrawEvidence(sql, "HTTPS://News.example:443/1");
  await record(
    sql,
    raw("a", {
      observed_fact: "Changed.",
      evidence: [{ source_uri: "https://x.example", excerpt: "X" }],
    }),
    raw("b", {
      company: { name: "B" },
      evidence: [
        { source_uri: "https://news.example/1", excerpt: "again" },
        { source_uri: "https://news.example/9", excerpt: "other" },
      ],
    }),
    raw("c", { company: { name: "C" } }),
  );
  assert.ok((await observation(sql, "a")).withdrawn_at instanceof Date);
  const shown = await sql`
    select o.external_id, e.source_uri from deliverable_observations d
    join observations o using (id)
    join evidence e on e.observation_id = d.id and e.withdrawn_at is null
  `;
  assert.deepEqual([...shown], [{ external_id: "b", source_uri: "https://news.example/9" }]);
});

databaseTest(
  "record_observations() counts a record twice if a batch contains it twice",
  async ({ sql }) => {
    const first = raw("a");
    const second = raw("a", { observed_fact: "Changed." });
    assert.deepEqual(await record(sql, first, raw("b"), first, second, second), {
      recorded: 2,
      revised: 1,
      unchanged: 2,
    });
    assert.equal((await observation(sql, "a")).observed_fact, "Changed.");
    assert.deepEqual(await record(sql, second, first, second), {
      recorded: 0,
      revised: 2,
      unchanged: 1,
    });
    assert.equal((await observation(sql, "a")).observed_fact, "Changed.");
    const [{ count }] = await sql<[{ count: number }]>`select count(*) from evidence`;
    assert.equal(count, 2);
  },
);

databaseTest("record_observations() records all of a batch or nothing", async ({ sql }) => {
  const judged = normalizeRecord(raw("b", { company: { name: "B", domains: ["b.example"] } }));
  assert.ok("record" in judged);
  const broken = { ...judged.record, country: "FR" };
  await record(sql, raw("a"));
  const [before] = await sql`select * from dataset_clock`;
  await assert.rejects(
    recordObservations(sql, [judged.record, broken]),
    /observations_country_known/,
  );
  const [after] = await sql`select * from dataset_clock`;
  assert.deepEqual(after, before);
  assert.equal((await sql`select from companies`).length, 1);
  assert.equal((await sql`select from domains`).length, 0);
});

databaseTest(
  "record_observations() orders recorded_at by commit among many writers",
  async ({ sql }) => {
    const WRITERS = 8;
    const BATCHES = 12;
    const seen = new Map<number, Date>();
    let writing = true;
    const poll = async () => {
      // The poller reads only rows after its last one. It would miss a row that is committed later
      // with an earlier time.
      let since = new Date(0);
      for (let last = false; !last;) {
        last = !writing;
        const rows = await sql`
        select id, recorded_at from observations where recorded_at > ${since}
        order by recorded_at, id
      `;
        for (const row of rows) {
          seen.set(row.id, row.recorded_at);
          since = row.recorded_at;
        }
      }
    };
    const write = async (writer: number) => {
      for (let batch = 0; batch < BATCHES; batch++) {
        // All writers record the same companies and hostnames, but in different orders.
        const records = Array.from({ length: 5 }, (_, n) => {
          const company = (writer % 2 === 0 ? n + batch : 11 - n + batch) % 7;
          return raw(`${writer}-${batch}-${n}`, {
            company: { name: `Company ${company}`, domains: [`c${company}.example`] },
          });
        });
        assert.deepEqual(await record(sql, ...records), { recorded: 5, revised: 0, unchanged: 0 });
      }
    };
    const polling = poll();
    await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    writing = false;
    await polling;

    const total = WRITERS * BATCHES * 5;
    assert.equal(seen.size, total);
    assert.equal((await sql`select from companies`).length, 7);
    const [clock] = await sql`select change_seq from dataset_clock`;
    assert.equal(clock!.change_seq, WRITERS * BATCHES);
    const order = await sql`
    select recorded_at > lag(recorded_at) over (order by change_seq, id) as after_the_last
    from observations
  `;
    assert.equal(order.length, total);
    // The times also ascend within a batch, because a listing can stop after any observation.
    assert.deepEqual(order.slice(1).filter((row) => !row.after_the_last), []);
  },
);

databaseTest(
  "advance_dataset_clock() still advances after the server's clock was set back",
  async ({ sql }) => {
    await sql`update dataset_clock set recorded_at = '2100-01-01T00:00:00Z'`;
    await record(sql, raw("a"));
    const { recorded_at } = await observation(sql, "a");
    assert.deepEqual(recorded_at, new Date("2100-01-01T00:00:00.001Z"));
  },
);

/** Writes while another writer locks the dataset clock for longer than lock_timeout. */
async function writeLater<Written>(sql: Sql, write: () => Promise<Written>): Promise<Written> {
  const locked = Promise.withResolvers<void>();
  const otherWrite = sql.begin(async (tx) => {
    await tx`select advance_dataset_clock()`;
    locked.resolve();
    await tx`select pg_sleep(4)`;
  });
  await locked.promise;
  const written = await write();
  await otherWrite;
  return written;
}

serverTest("recordObservations() retries if another writer is slow", async ({ sql }) => {
  assert.deepEqual(await writeLater(sql, () => record(sql, raw("a"))), RECORDED_ONCE);
});

serverTest("withdrawObservation() retries if another writer is slow", async ({ sql }) => {
  await record(sql, raw("a"));
  const { id } = await observation(sql, "a");
  const withdrawn = await writeLater(sql, () => withdrawObservation(sql, id));
  assert.deepEqual(withdrawn, { observation: id, withdrawn: true });
});
