import assert from "node:assert/strict";
import {
  type AnyDocument,
  type AnyOrama,
  count,
  create,
  getByID,
  insert,
  insertMultiple,
  load,
  remove,
  type Results,
  save,
  search,
  update,
} from "@orama/orama";
import { EVERYTHING } from "../../../src/search/engine/filters.ts";
import { segmentsOf, segmentsPlugin } from "../../../src/search/engine/plugin.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import {
  OBSERVATION_SCHEMA,
  observationPlugin,
  observationRow,
} from "../../../src/search/index/observation_plugin.ts";
import { observationDocument } from "../../support/documents.ts";
import { normalizeFilters } from "../../support/inputs.ts";

const OBSERVATIONS = [
  observationDocument(1, { country: "CA", company_id: 7, text: { observed_fact: "steel roof" } }),
  observationDocument(2, {
    country: "US",
    company_id: 7,
    hostnames: ["acme.com"],
    text: { observed_fact: "steel roof of a mill" },
  }),
  observationDocument(3, {
    country: "US",
    company_id: 8,
    hostnames: ["beta.com"],
    expires_at: "2026-04-01T00:00:00.000000Z",
    text: { observed_fact: "steel mill" },
  }),
];

const observations = (): AnyOrama =>
  create({ schema: OBSERVATION_SCHEMA, plugins: [observationPlugin()] });

const find = async (orama: AnyOrama, params: Record<string, unknown>) =>
  await search(orama, params) as Results<AnyDocument>;
const ids = async (orama: AnyOrama, params: Record<string, unknown>) =>
  (await find(orama, params)).hits.map(({ id }) => id);

Deno.test("observationPlugin() works through Orama's functions, and ranks as the index does", async () => {
  const orama = observations();
  insertMultiple(orama, OBSERVATIONS.map(observationRow));
  assert.equal(count(orama), 3);
  const index = new ObservationIndex();
  for (const document of OBSERVATIONS) index.put(document);
  for (const term of ["steel", "mill roof", "steel mill", "zeppelin"]) {
    assert.deepEqual(
      (await find(orama, { term })).hits.map(({ id, score }) => [id, score]),
      index.searchObservations({ words: term.split(" "), limit: 100 })
        .map(({ observation_id, score }) => [String(observation_id), score]),
    );
  }
  assert.deepEqual(
    segmentsOf(orama)
      .shortlist(
        { words: ["roof"], conditions: EVERYTHING },
        { companies: 1, observations_per_company: 2 },
      )
      .map(({ company_id }) => company_id),
    [7],
  );
  const { count: found, hits } = await find(orama, { term: "steel", limit: 1, offset: 1 });
  assert.deepEqual([found, hits.filter(Boolean).length], [3, 1]);
});

Deno.test("observationPlugin() returns stored documents without their texts", () => {
  const orama = observations();
  insert(orama, observationRow(OBSERVATIONS[2]!));
  assert.deepEqual(getByID(orama, "3"), {
    id: "3",
    observation_id: 3,
    company_id: 8,
    kind: "facility_expansion",
    demand_class: "proxy",
    country: "US",
    occurred_at: "2026-03-01T00:00:00.000000Z",
    observed_at: "2026-03-02T09:00:00.000000Z",
    expires_at: "2026-04-01T00:00:00.000000Z",
    amount: null,
    closes_at: null,
    sectors: 0,
  });
  assert.equal(getByID(orama, "4"), undefined);
});

Deno.test("observationPlugin() applies the filters of `where`", async () => {
  const orama = observations();
  insertMultiple(orama, OBSERVATIONS.map(observationRow));
  const cases: [Record<string, unknown>, string[]][] = [
    [{ country: { eq: "US" } }, ["3", "2"]],
    [{ country: { in: ["CA", "US"] }, company_id: { in: [7, 9] } }, ["1", "2"]],
    [{ company_id: { nin: [7] } }, ["3"]],
    [{ kind: { eq: "job_posting" } }, []],
    // A hostname selects all observations of its company.
    [{ hostnames: { containsAny: ["acme.com"] } }, ["1", "2"]],
    [{ expires_at: { gt: "2026-04-01T00:00:00.000000Z" } }, ["1", "2"]],
    [{ occurred_at: { gt: "2026-03-01T00:00:00.000000Z" } }, []],
  ];
  for (const [where, expected] of cases) {
    assert.deepEqual(await ids(orama, { term: "steel", where }), expected, JSON.stringify(where));
    assert.deepEqual(await ids(orama, { where }), expected.toSorted(), JSON.stringify(where));
  }
  assert.deepEqual(await ids(orama, {}), ["1", "2", "3"]);
  for (const where of [{ country: { nin: ["CA"] } }, { city: { eq: "X" } }, { kind: { in: [] } }]) {
    await assert.rejects(() => find(orama, { term: "steel", where }), /filter/);
  }
});

Deno.test("observationPlugin() groups by company in the same order as the index", async () => {
  const orama = observations();
  const index = new ObservationIndex();
  // Orama itself groups only the best results. It would miss some of these weak observations.
  for (let id = 1; id <= 400; id++) {
    const observed_fact = id % 3 === 0 ? "steel mill" : "steel roof of a long grey mill";
    const document = observationDocument(id, {
      company_id: 1 + id % 120,
      country: id % 2 === 0 ? "CA" : "US",
      text: { observed_fact },
    });
    insert(orama, observationRow(document));
    index.put(document);
  }
  const filters = normalizeFilters({ countries: ["CA"] });
  const where = { country: { eq: "CA" } };
  const limits = { companies: 100, observations_per_company: 2 };
  const cases = [
    { companies: 100, params: { term: "steel mill" }, words: ["steel", "mill"] },
    { companies: 40, params: { term: "roof", where }, words: ["roof"], filters },
    { companies: 60, params: { where }, words: [], filters },
  ];
  for (const { companies, params, ...query } of cases) {
    const groupBy = { properties: ["company_id"], maxResult: 2 };
    const { groups } = await find(orama, { ...params, groupBy });
    const expected = query.words.length > 0
      ? index.shortlist({ ...query, ...limits })
      : index.listCompanies({ ...query, ...limits });
    assert.deepEqual(
      groups!.map(({ values, result }) => [values, result.map(({ id, score }) => [id, score])]),
      expected.map(({ company_id, observations }) => [
        [company_id],
        observations.map(({ observation_id, score }) => [String(observation_id), score]),
      ]),
    );
    assert.equal(groups!.length, companies);
    const [first] = groups![0]!.result as unknown as { document: AnyDocument }[];
    assert.equal(first!.document.company_id, groups![0]!.values[0]);
  }
  for (const groupBy of [{ properties: ["company"] }, { properties: ["company_id"], reduce: {} }]) {
    await assert.rejects(() => find(orama, { term: "steel", groupBy }));
  }
});

Deno.test("observationPlugin() updates, removes, saves and loads", async () => {
  const orama = observations();
  insertMultiple(orama, OBSERVATIONS.map(observationRow));
  assert.throws(() => insert(orama, observationRow(OBSERVATIONS[0]!)), /already exists/);
  const glass = observationDocument(2, { text: { observed_fact: "glass" } });
  update(orama, "2", observationRow(glass));
  assert.equal(remove(orama, "3"), true);
  assert.equal(remove(orama, "3"), false);
  assert.deepEqual(await ids(orama, { term: "steel glass" }), ["2", "1"]);
  const copy = observations();
  load(copy, structuredClone(save(orama)));
  assert.equal(count(copy), 2);
  assert.deepEqual(
    (await find(copy, { term: "steel glass" })).hits,
    (await find(orama, { term: "steel glass" })).hits,
  );
  insert(copy, observationRow(OBSERVATIONS[2]!));
  assert.deepEqual(await ids(copy, { term: "mill" }), ["3"]);
});

Deno.test("observationPlugin() accepts only positive integers as ids", () => {
  const orama = observations();
  for (const id of ["", "0", "-1", "01", "1.5", "x", "constructor"]) {
    const row = { ...observationRow(OBSERVATIONS[0]!), id };
    assert.throws(() => insert(orama, row), /positive integer|must be/, id);
  }
  assert.equal(count(orama), 0);
});

Deno.test("segmentsPlugin() accepts any fields and any ids", async () => {
  const make = (): AnyOrama =>
    create({
      schema: { title: "string", text: "string" },
      plugins: [
        segmentsPlugin({
          fields: { title: { weight: 2, bits: 8 }, text: { weight: 1, bits: 20 } },
          results_max: 2,
        }),
      ],
    });
  const orama = make();
  insertMultiple(orama, [
    { id: "a", title: "plain", text: "wings and flow" },
    { id: "constructor", title: "wing", text: "flow" },
    { id: "__proto__", title: "glass", text: "wings" },
  ]);
  assert.deepEqual(await ids(orama, { term: "wing flow" }), ["constructor", "a"]);
  assert.deepEqual(getByID(orama, "constructor"), { id: "constructor" });
  const copy = make();
  load(copy, structuredClone(save(orama)));
  assert.deepEqual(await ids(copy, { term: "glass" }), ["__proto__"]);
  for (
    const params of [
      { exact: true },
      { tolerance: 1 },
      { boost: { title: 2 } },
      { properties: ["title"] },
      { where: { title: "x" } },
      { sortBy: { property: "title" } },
    ]
  ) {
    await assert.rejects(
      () => find(orama, { term: "wing", ...params }),
      /this index does not support/,
    );
  }
});
