import assert from "node:assert/strict";
import { listMerges, splitCompany } from "../../../src/ingest/record/company_merges.ts";
import type { SourceRecord } from "../../../src/contract/record.ts";
import { oneEngineTest } from "../../support/database.ts";
import { companyOf, raw, record } from "../../support/recording.ts";

type Company = SourceRecord["company"];

const of = (id: string, source: string, company: Company) => raw(id, { source, company });

oneEngineTest(
  "record_observations() finds companies by identifiers of registers",
  async ({ sql }) => {
    await record(
      sql,
      of("1", "edgar", { name: "Acme Inc", external_id: "320193", identifiers: { cik: "320193" } }),
      of("2", "sam", { name: "ACME GOV", identifiers: { uei: "ABCDEFGHJKL1" } }),
      of("3", "gleif", {
        name: "Acme Holdings",
        identifiers: { cik: "0000320193", lei: "5493001KJTIIGC8Y1R12" },
      }),
    );
    await record(
      sql,
      of("4", "sam", { name: "Another name", identifiers: { lei: "5493001KJTIIGC8Y1R12" } }),
      of("5", "sam", { name: "Acme Gov, LLC" }),
    );
    const [one, two] = [await companyOf(sql, "1"), await companyOf(sql, "2")];
    assert.notEqual(one, two);
    assert.deepEqual(
      await Promise.all(["3", "4", "5"].map((id) => companyOf(sql, id))),
      [one, one, two],
    );
    const stored = await sql`
    select i.scheme, i.value, i.company_id, s.name as source, i.company_external_id
    from company_identifiers i join sources s on s.id = i.source_id order by 1
  `;
    assert.deepEqual([...stored], [
      {
        scheme: "cik",
        value: "0000320193",
        company_id: one,
        source: "edgar",
        company_external_id: "320193",
      },
      {
        scheme: "lei",
        value: "5493001KJTIIGC8Y1R12",
        company_id: one,
        source: "gleif",
        company_external_id: null,
      },
      {
        scheme: "uei",
        value: "ABCDEFGHJKL1",
        company_id: two,
        source: "sam",
        company_external_id: null,
      },
    ]);
    assert.deepEqual(await listMerges(sql, 10), []);
  },
);

oneEngineTest(
  "record_observations() finds a company by identifier, else by hostname, else by name",
  async ({ sql }) => {
    await record(
      sql,
      of("host", "s", { name: "Host", domains: ["acme.example"] }),
      of("name", "s", { name: "Acme" }),
      of("cik", "s", { name: "Register", external_id: "r", identifiers: { cik: "7" } }),
    );
    await record(
      sql,
      of("1", "s", {
        name: "Acme",
        external_id: "new",
        domains: ["acme.example"],
        identifiers: { cik: "7" },
      }),
      of("3", "s", { name: "Acme", identifiers: { lei: `${"A".repeat(18)}26` } }),
      of("2", "s", {
        name: "Acme",
        domains: ["acme.example"],
        identifiers: { uei: "AEI123456789" },
      }),
    );
    for (const [id, expected] of [["1", "cik"], ["3", "name"]] as const) {
      assert.equal(await companyOf(sql, id), await companyOf(sql, expected), id);
    }
    // Since record "1", the company of record "cik" has the hostname, too. The company of record
    // "host" is older.
    assert.equal(await companyOf(sql, "2"), await companyOf(sql, "host"));
  },
);

oneEngineTest(
  "record_observations() does not join companies with different identifiers by hostname or name",
  async ({ sql }) => {
    const company = (cik: string) => ({
      name: "Acme Inc",
      domains: ["acme.example"],
      identifiers: { cik },
    });
    await record(sql, of("1", "s", company("1")), of("2", "s", company("2")));
    await record(sql, of("3", "other", company("3")), of("4", "s", company("2")));
    const ids = await Promise.all(["1", "2", "3"].map((id) => companyOf(sql, id)));
    assert.equal(new Set(ids).size, 3);
    assert.equal(await companyOf(sql, "4"), ids[1]);
    assert.deepEqual(await listMerges(sql, 10), []);
  },
);

oneEngineTest(
  "record_observations() prefers an external id of the source to an identifier of a register",
  async ({ sql }) => {
    const at = (id: string, external_id: string, cik: string) =>
      of(id, "s", { name: external_id, external_id, identifiers: { cik } });
    await record(sql, at("1", "a", "1"), at("2", "b", "2"));
    // A contradicting identifier is not stored, and does not merge companies.
    await record(sql, at("3", "a", "2"), at("4", "a", "3"));
    const a = await companyOf(sql, "1");
    assert.deepEqual([await companyOf(sql, "3"), await companyOf(sql, "4")], [a, a]);
    assert.deepEqual(
      [...await sql`select value, company_id from company_identifiers order by value`],
      [
        { value: "0000000001", company_id: a },
        { value: "0000000002", company_id: await companyOf(sql, "2") },
      ],
    );
    assert.deepEqual(await listMerges(sql, 10), []);
  },
);

oneEngineTest(
  "record_observations() finds no company by an identifier if another identifier contradicts",
  async ({ sql }) => {
    const lei = (letter: "A" | "B") => letter.repeat(18) + { A: "26", B: "77" }[letter];
    await record(sql, of("1", "s", { name: "One", identifiers: { cik: "1", lei: lei("A") } }));
    await record(sql, of("2", "t", { name: "Two", identifiers: { cik: "1", lei: lei("B") } }));
    await record(sql, of("3", "t", { name: "Three", identifiers: { lei: lei("A") } }));
    const [one, two, three] = await Promise.all(["1", "2", "3"].map((id) => companyOf(sql, id)));
    assert.notEqual(two, one);
    assert.equal(three, one);
  },
);

/** Returns a record whose company shares nothing with companies of other sources. */
const apart = (id: string, source: string, part: Partial<Company> = {}) =>
  of(id, source, {
    name: `Acme of ${source}`,
    external_id: source,
    domains: [`${source}.example`],
    ...part,
  });

oneEngineTest(
  "record_observations() merges two companies with one identifier, and lists the merge",
  async ({ sql }) => {
    await record(sql, apart("1", "one"), apart("2", "two", { identifiers: { cik: "5" } }));
    const [one, two] = [await companyOf(sql, "1"), await companyOf(sql, "2")];
    await record(sql, apart("3", "one", { identifiers: { cik: "5" } }), apart("4", "two"));
    for (const id of ["1", "2", "3", "4"]) assert.equal(await companyOf(sql, id), one);
    const [{ at }] = await sql<[{ at: string }]>`
      select instant(recorded_at) as at from observations where external_id = '3'
    `;
    const merges = await listMerges(sql, 10);
    const { merged_at } = merges[0]!;
    assert.ok(merged_at <= at, `merged at ${merged_at}, recorded again at ${at}`);
    assert.deepEqual(merges, [{
      merge: 1,
      kept: one,
      merged: two,
      reason: "cik:0000000005",
      source: "one",
      merged_at,
      undone_at: null,
      observations: 1,
    }]);
    const rows = await sql`
      select c.name, array(select hostname from deliverable_domains d where d.company_id = c.id
        order by observation_id) as hostnames
      from companies c order by id
    `;
    assert.deepEqual([...rows], [
      {
        name: "Acme of one",
        hostnames: ["one.example", "two.example", "one.example", "two.example"],
      },
      { name: "Acme of two", hostnames: [] },
    ]);
    await record(sql, of("5", "three", { name: "Third", domains: ["two.example"] }));
    assert.equal(await companyOf(sql, "5"), one);
  },
);

oneEngineTest(
  "record_observations() merges companies within one batch, also in chains",
  async ({ sql }) => {
    const cik = { cik: "1" };
    const uei = { uei: "UEI123456789" };
    await record(
      sql,
      apart("c", "c", { identifiers: uei }),
      apart("b", "b", { identifiers: cik }),
      apart("a", "a"),
      of("host", "h", { name: "By hostname", domains: ["a.example"] }),
      // The CIK of a2 merges a into b, with earlier records of this batch. Then b is merged into c.
      apart("a2", "a", { identifiers: cik }),
      apart("b2", "b", { identifiers: { ...cik, ...uei } }),
      of("host2", "h2", { name: "By hostname", domains: ["a.example"] }),
      apart("a3", "a"),
    );
    const c = await companyOf(sql, "c");
    for (const id of ["a", "b", "host", "a2", "b2", "host2", "a3"]) {
      assert.equal(await companyOf(sql, id), c, id);
    }
    const merges = await listMerges(sql, 10);
    assert.deepEqual(merges.map(({ reason, source }) => [reason, source]), [
      ["uei:UEI123456789", "b"],
      ["cik:0000000001", "a"],
    ]);
    assert.deepEqual(
      [...await sql`select count(*) from companies where merged_into is null`],
      [{ count: 1 }],
    );
  },
);

oneEngineTest(
  "record_observations() does not merge companies again after a split",
  async ({ sql }) => {
    const cik = { cik: "5" };
    await record(
      sql,
      apart("zero", "zero"),
      apart("1", "one"),
      apart("2", "two", { identifiers: cik }),
    );
    const [one, two] = [await companyOf(sql, "1"), await companyOf(sql, "2")];
    await record(sql, apart("3", "one", { identifiers: cik }));
    await splitCompany(sql, 1);
    await record(
      sql,
      apart("4", "one", { identifiers: cik }),
      apart("5", "two", { identifiers: cik }),
      of("6", "third", { name: "T", identifiers: cik }),
    );
    const at = (ids: string[]) => Promise.all(ids.map((id) => companyOf(sql, id)));
    assert.deepEqual(await at(["1", "3", "4"]), [one, one, one]);
    assert.deepEqual(await at(["2", "5", "6"]), [two, two, two]);
    // Nor does it matter which of the two a record names, and which one has its identifier.
    const lei = { lei: `${"L".repeat(18)}05` };
    await record(sql, apart("10", "one", { identifiers: lei }));
    await record(sql, apart("11", "two", { identifiers: lei }));
    assert.deepEqual(await at(["1", "10", "2", "11"]), [one, one, two, two]);
    // The two companies also stay apart after the first one is merged into an older company.
    const uei = { uei: "UEI123456789" };
    await record(
      sql,
      of("7", "zero", { name: "Zero", external_id: "zero", identifiers: uei }),
      apart("8", "one", { identifiers: uei }),
    );
    assert.equal((await listMerges(sql, 10)).length, 2);
    await record(sql, apart("9", "one", { identifiers: cik }));
    assert.equal((await listMerges(sql, 10)).length, 2);
    assert.deepEqual(await at(["2", "5", "6"]), [two, two, two]);
  },
);

oneEngineTest(
  "record_observations() keeps a company suppressed when it is merged with another one",
  async ({ sql }) => {
    await record(sql, apart("1", "one"), apart("2", "two", { identifiers: { cik: "5" } }));
    await sql`select suppress_company(${await companyOf(sql, "2")})`;
    await record(sql, apart("3", "one", { identifiers: { cik: "5" } }));
    assert.deepEqual([...await sql`select id from deliverable_observations`], []);
    await splitCompany(sql, 1);
    assert.deepEqual(
      [
        ...await sql`
        select o.external_id from deliverable_observations d join observations o using (id)
        order by 1
      `,
      ],
      [{ external_id: "1" }, { external_id: "3" }],
    );
  },
);
