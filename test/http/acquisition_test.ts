import assert from "node:assert/strict";
import type { Database, Sql } from "../../src/db/connect.ts";
import type { Source } from "../../src/ingest/sources/kit/source.ts";
import { Metrics } from "../../src/metrics.ts";
import { type TestApp, withApp } from "../support/app.ts";
import { oneEngineTest } from "../support/database.ts";
import { createCaller, record, sourceRecord } from "../support/factories.ts";
import {
  bulletin,
  listing,
  type Publisher,
  searchedBulletin,
  startPublisher,
} from "../support/publisher.ts";
import { startTimeoutsAt } from "../support/timeout.ts";

/** A source that searches can ask. */
const BULLETIN = searchedBulletin((address, { terms, domains: [hostname], records_max }) => ({
  url: `${address}/search?q=${hostname ?? terms.join("+")}&limit=${records_max}`,
}));

const crane = (id: string) =>
  bulletin(id, {
    company: { name: `Port ${id}`, domains: [`${id}.example`] },
    kind: "procurement_request",
    demand_class: "explicit_request",
    observed_fact: `The port asks for a harbour crane, lot ${id}.`,
  });

/** Settings with enough time for sources on a slow machine. */
const PATIENT = { ACQUISITION_MILLISECONDS: "10000" };

interface Case {
  search: TestApp["search"];
  key: string;
  metrics: Metrics;
}

async function withPublisher(
  { db, sql }: { db: Database; sql: Sql },
  publisher: Publisher,
  use: (one: Case) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const { key } = await createCaller(sql);
  await sql`
    insert into sources (name, address, asked_in_searches)
    values ('bulletin', ${publisher.address}, true)
  `;
  const metrics = new Metrics();
  await withApp(db, ({ search }) => use({ search, key, metrics }), {
    metrics,
    sources: new Map([["bulletin", BULLETIN]]),
    env: { FETCH_OPEN_ADDRESSES: new URL(publisher.address).host, ...PATIENT, ...env },
  });
}

const names = (body: { companies: { name: string }[] }) => body.companies.map(({ name }) => name);

oneEngineTest("a short first page is filled from a source once", async (world) => {
  await using publisher = startPublisher(() => listing([crane("one"), crane("two")]));
  await record(world.sql, [sourceRecord({ observed_fact: "A harbour crane is sold." })]);
  await withPublisher(world, publisher, async ({ search, key, metrics }) => {
    const query = { query: "harbour crane" };
    const first = await search(query, { key, request_key: "k1" });
    const ports = names(first.body).filter((name) => name.startsWith("Port"));
    assert.deepEqual(ports, ["Port one", "Port two"]);
    assert.equal(first.body.companies.length, 3);
    assert.deepEqual(first.body.coverage.limitations, []);
    assert.deepEqual(first.body.limitations, ["limited_source_coverage"]);
    const { usage } = first.body;
    assert.equal(usage.delivered_units, 3);
    assert.equal(usage.fresh_evidence_units, 2);
    assert.match(await metrics.registry.metrics(), /ce_units_total\{unit="fresh_evidence"\} 2/);
    assert.deepEqual(publisher.asked, ["/search?q=harbour+crane&limit=50"]);

    const replay = await search(query, { key, request_key: "k1" });
    assert.deepEqual(replay.body.usage, usage);
    assert.deepEqual(replay.body.limitations, ["limited_source_coverage"]);
    const again = await search(query, { key, request_key: "k2" });
    assert.equal(again.body.usage.fresh_evidence_units, 0);
    assert.deepEqual(names(again.body), names(first.body));
    assert.equal(publisher.asked.length, 1);
    // This answer comes only from the dataset.
    assert.deepEqual(again.body.limitations, ["limited_source_coverage", "dataset_read_only"]);
  });
});

oneEngineTest("filters apply to acquired records, and prevent useless requests", async (world) => {
  await using publisher = startPublisher(() => listing([crane("one"), crane("two")]));
  await withPublisher(world, publisher, async ({ search, key }) => {
    const ask = (request_key: string, filters: object) =>
      search({ query: "harbour crane", filters }, { key, request_key });
    const none = [{ countries: ["US"] }, { kinds: ["facility_expansion"] }, { company_ids: [7] }];
    for (const filters of [...none, { demand_classes: ["proxy"] }]) {
      assert.deepEqual((await ask(JSON.stringify(filters), filters)).body.companies, []);
    }
    assert.deepEqual(publisher.asked, []);

    const one = await ask("named", { domains: ["one.example"], countries: ["CA"] });
    assert.deepEqual(publisher.asked, ["/search?q=one.example&limit=50"]);
    assert.deepEqual(names(one.body), ["Port one"]);
    // The other record was stored, but not delivered.
    assert.equal(one.body.usage.fresh_evidence_units, 1);
    assert.equal((await world.sql`select from observations`).length, 2);
  });
});

oneEngineTest("a full page and a next page ask no source", async (world) => {
  await using publisher = startPublisher(() => listing([]));
  await record(
    world.sql,
    ["a", "b", "c"].map((id) =>
      sourceRecord({ external_id: id, company: { name: id }, observed_fact: "A harbour crane." })
    ),
  );
  await withPublisher(world, publisher, async ({ search, key }) => {
    const query = { query: "harbour crane", limit: 2 };
    const first = await search(query, { key, request_key: "k1" });
    assert.equal(first.body.companies.length, 2);
    const cursor = first.body.next_cursor;
    const next = await search({ ...query, cursor }, { key, request_key: "k2" });
    assert.equal(next.body.companies.length, 1);
    assert.deepEqual(publisher.asked, []);
  });
});

oneEngineTest("at most ACQUISITION_RECORDS records are stored", async (world) => {
  await using publisher = startPublisher(() => listing(["a", "b", "c"].map(crane)));
  await withPublisher(world, publisher, async ({ search, key }) => {
    const { body } = await search({ query: "harbour crane" }, { key, request_key: "k1" });
    assert.deepEqual(publisher.asked, ["/search?q=harbour+crane&limit=2"]);
    assert.deepEqual(names(body).sort(), ["Port a", "Port b"]);
  }, { ACQUISITION_RECORDS: "2" });
});

oneEngineTest("a source that fails adds a limitation, and is not asked again", async (world) => {
  await using publisher = startPublisher(() => new Response("no", { status: 403 }));
  await withPublisher(world, publisher, async ({ search, key }) => {
    const failed = await search({ query: "harbour crane" }, { key, request_key: "k1" });
    assert.equal(failed.status, 200);
    assert.deepEqual(failed.body.coverage.limitations, ["acquisition_incomplete"]);
    assert.equal(failed.body.limitations[1], "acquisition_incomplete");
    const second = await search({ query: "tug boat" }, { key, request_key: "k2" });
    assert.equal(publisher.asked.length, 1);
    // The source might have had records for this search.
    assert.deepEqual(second.body.coverage.limitations, ["acquisition_incomplete"]);
  });
});

oneEngineTest("a search does not wait for a source that is late", async (world) => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  await using publisher = startPublisher(async () => {
    await late;
    return listing([crane("one")]);
  });
  await withPublisher(world, publisher, async ({ search, key }) => {
    const { body } = await search({ query: "harbour crane" }, { key, request_key: "k1" });
    assert.deepEqual(body.companies, []);
    assert.deepEqual(body.coverage.limitations, ["acquisition_incomplete"]);
    resolve();
  }, { ACQUISITION_MILLISECONDS: "100" });
});

oneEngineTest("a search does not wait for a source that stops in its answer", async (world) => {
  const begun = Promise.withResolvers<void>();
  const hungUp = Promise.withResolvers<void>();
  await using publisher = startPublisher(async () => {
    const whole = await listing([crane("one")]).bytes();
    return new Response(
      new ReadableStream({
        start: (body) => body.enqueue(whole.subarray(0, 20)),
        // This is called when the first part has been read.
        pull: () => begun.resolve(),
        cancel: () => hungUp.resolve(),
      }),
    );
  });
  using _time = startTimeoutsAt(begun.promise);
  await withPublisher(world, publisher, async ({ search, key }) => {
    const { body } = await search({ query: "harbour crane" }, { key, request_key: "k1" });
    assert.deepEqual(body.coverage.limitations, ["acquisition_incomplete"]);
    await hungUp.promise;
  });
  assert.equal((await world.sql`select from observations`).length, 0);
});

oneEngineTest("one search at a time asks a host, and the others do not wait", async (world) => {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await using publisher = startPublisher(async () => {
    asked.resolve();
    await held;
    return listing([crane("one")]);
  });
  await withPublisher(world, publisher, async ({ search, key }) => {
    const first = search({ query: "harbour crane" }, { key, request_key: "k1" });
    await asked.promise;
    for (const query of ["harbour crane", "tug boat"]) {
      const { body } = await search({ query }, { key, request_key: query });
      assert.deepEqual(body.coverage.limitations, ["acquisition_incomplete"]);
    }
    resolve();
    assert.deepEqual(names((await first).body), ["Port one"]);
    assert.equal(publisher.asked.length, 1);
  });
});

oneEngineTest(
  "a failing host does not prevent requests to other hosts of its source",
  async ({ db, sql }) => {
    const { key } = await createCaller(sql);
    await using dead = startPublisher(() => new Response(null, { status: 404 }));
    await using live = startPublisher(() => listing([crane("one")]));
    const { remote } = BULLETIN;
    const source: Source = {
      ...BULLETIN,
      remote: {
        ...remote!,
        search: {
          ...remote!.search!,
          request: (_address, { domains: [hostname] }) => ({
            url: `${hostname === "one.example" ? live.address : dead.address}/`,
          }),
        },
      },
    };
    await sql`insert into sources (name, asked_in_searches) values ('bulletin', true)`;
    const hosts = [dead, live].map(({ address }) => new URL(address).host);
    await withApp(db, async ({ search }) => {
      const ask = (hostname: string) =>
        search({ query: "crane", filters: { domains: [hostname] } }, {
          key,
          request_key: hostname,
        });
      const { body } = await ask("two.example");
      assert.deepEqual(body.coverage.limitations, ["acquisition_incomplete"]);
      assert.deepEqual(names((await ask("one.example")).body), ["Port one"]);
    }, {
      sources: new Map([["bulletin", source]]),
      env: { FETCH_OPEN_ADDRESSES: hosts.join(), ...PATIENT },
    });
  },
);

oneEngineTest("several sources together keep to ACQUISITION_RECORDS", async ({ db, sql }) => {
  const { key } = await createCaller(sql);
  await using quick = startPublisher(() => listing([crane("one"), crane("two")]));
  // The second source answers after the records of the first one are stored.
  const isStored = async () => (await sql`select from observations`).length === 2;
  await using slow = startPublisher(() =>
    new Response(ReadableStream.from((async function* () {
      while (!await isStored()) await new Promise((resolve) => setTimeout(resolve, 10));
      const records = ["a", "b", "c"].map((id) => ({ ...crane(id), source: "gazette" }));
      yield await listing(records).bytes();
    })()))
  );
  await sql`
    insert into sources (name, address, asked_in_searches)
    values ('bulletin', ${quick.address}, true), ('gazette', ${slow.address}, true)
  `;
  const sources = new Map(["bulletin", "gazette"].map((name) => [name, { ...BULLETIN, name }]));
  const env = {
    ACQUISITION_RECORDS: "2",
    ...PATIENT,
    FETCH_OPEN_ADDRESSES: [quick, slow].map(({ address }) => new URL(address).host).join(),
  };
  await withApp(db, async ({ search }) => {
    const { body } = await search({ query: "harbour crane" }, { key, request_key: "k1" });
    assert.deepEqual(names(body), ["Port one", "Port two"]);
    assert.deepEqual(body.coverage.limitations, []);
  }, { sources, env });
  assert.equal(slow.asked.length, 1);
  assert.equal((await sql`select from observations`).length, 2);
});

oneEngineTest("only sources that are permitted and opened to searches are asked", async (world) => {
  await using publisher = startPublisher(() => listing([crane("one")]));
  await withPublisher(world, publisher, async ({ search, key }) => {
    const set = (permitted: boolean, asked: boolean) =>
      world.sql`update sources set permitted = ${permitted}, asked_in_searches = ${asked}`;
    await set(false, true);
    await search({ query: "harbour crane" }, { key, request_key: "k1" });
    await set(true, false);
    await search({ query: "harbour crane" }, { key, request_key: "k2" });
    assert.deepEqual(publisher.asked, []);
    await set(true, true);
    const { body } = await search({ query: "harbour crane" }, { key, request_key: "k3" });
    assert.deepEqual(names(body), ["Port one"]);
  });
});
