import assert from "node:assert/strict";
import type { SourceRecord } from "../../../src/contract/record.ts";
import {
  listMerges,
  mergeCompanies,
  showCompany,
  splitCompany,
} from "../../../src/ingest/record/company_merges.ts";
import { suppressCompany } from "../../../src/ingest/record/withdraw.ts";
import { companyState } from "../../support/company_state.ts";
import { oneEngineTest, serverTest } from "../../support/database.ts";
import { companyOf, observation, raw, record } from "../../support/recording.ts";

const reason = "one and the same";

const acme = (id: string, source: string, part: { name?: string; domains?: string[] } = {}) =>
  raw(id, {
    source,
    company: { name: `Acme ${source}`, external_id: source, domains: ["acme.example"], ...part },
  });

oneEngineTest(
  "merge_companies() moves everything of a company, and split_company() returns it",
  async (t) => {
    const { sql } = t;
    await record(sql, acme("1", "one"), acme("2", "one", { domains: ["one.example"] }));
    await record(
      sql,
      raw("3", {
        source: "two",
        company: {
          name: "Acme Two Inc",
          external_id: "x",
          domains: ["two.example"],
          identifiers: { uei: "UEI123456789" },
        },
      }),
    );
    const before = await companyState(sql);
    const { change_seq, recorded_at } = await observation(sql, "3");
    const merge = await mergeCompanies(sql, { kept: 1, merged: 2, reason });
    assert.deepEqual(merge, { merge: 1, kept: 1, merged: 2, observations: 1 });
    const moved = await observation(sql, "3");
    assert.equal(moved.company_id, 1);
    // Followers of changes and pollers of the listing see the move.
    assert.ok(moved.change_seq > change_seq && moved.recorded_at > recorded_at);
    const [{ merged_at, created_at }] = await sql<[{ merged_at: string; created_at: string }]>`
    select instant(merged_at) as merged_at,
      (select instant(created_at) from companies where id = 1) as created_at
    from company_merges
  `;
    assert.deepEqual(await showCompany(sql, 1), {
      id: 1,
      name: "Acme one",
      created_at,
      suppressed_at: null,
      merged_into: null,
      observations: 3,
      deliverable: 3,
      external_ids: [
        { source: "one", external_id: "one", name: "Acme one" },
        { source: "two", external_id: "x", name: "Acme Two Inc" },
      ],
      identifiers: [{ scheme: "uei", value: "UEI123456789", source: "two" }],
      names: [
        { source: "one", normalized_name: "acme one", legal_form: "", country: "CA" },
        { source: "two", normalized_name: "acme two", legal_form: "inc", country: "CA" },
      ],
      hostnames: [
        { hostname: "acme.example", active: true },
        { hostname: "one.example", active: true },
        { hostname: "two.example", active: true },
      ],
      merges: [
        {
          merge: 1,
          kept: 1,
          merged: 2,
          reason,
          source: null,
          merged_at,
          undone_at: null,
          observations: 1,
        },
      ],
    });
    const gone = await showCompany(sql, 2);
    assert.deepEqual(
      [gone?.merged_into, gone?.observations, gone?.names, gone?.hostnames, gone?.external_ids],
      [1, 0, [], [], []],
    );
    assert.deepEqual(await splitCompany(sql, 1), {
      merge: 1,
      kept: 1,
      returned: 2,
      observations: 1,
    });
    assert.deepEqual(await companyState(sql), before);
    assert.ok((await observation(sql, "3")).change_seq > moved.change_seq);
    assert.equal(await showCompany(sql, 3), null);
  },
);

oneEngineTest(
  "split_company() also returns later records that gave the returned identifiers",
  async ({ sql }) => {
    await record(sql, acme("1", "one", { domains: ["one.example"] }));
    await record(sql, acme("2", "two", { domains: ["two.example"] }));
    const third = (id: string, company: Partial<SourceRecord["company"]>) =>
      raw(id, { source: "three", company: { name: "Acme", ...company } });
    await record(sql, third("9", { domains: ["two.example"] }));
    await record(sql, third("10", { external_id: "k", domains: ["one.example"] }));
    await mergeCompanies(sql, { kept: 1, merged: 2, reason });
    await record(
      sql,
      acme("3", "two", { name: "Renamed Two", domains: ["three.example"] }),
      acme("4", "one", { domains: ["two.example"] }),
      raw("5", { source: "two", company: { name: "Acme two" } }),
      raw("6", {
        source: "two",
        company: { name: "Two", external_id: "two", identifiers: { cik: "9" } },
      }),
      third("9", { external_id: "k", domains: ["two.example"] }),
    );
    assert.equal((await showCompany(sql, 1))!.name, "Acme one");
    await splitCompany(sql, 1);
    const companies = await Promise.all(
      ["1", "2", "3", "4", "5", "6", "9", "10"].map((id) => companyOf(sql, id)),
    );
    // Record "5" was joined by its name alone, so it stays with the kept company. Record "9" came
    // from the merged company, but its revision names the kept one.
    assert.deepEqual(companies, [1, 2, 2, 1, 1, 2, 1, 1]);
    const { name, identifiers, hostnames } = (await showCompany(sql, 2))!;
    assert.equal(name, "Two");
    assert.deepEqual(identifiers, [{ scheme: "cik", value: "0000000009", source: "two" }]);
    const names = (hostnames as { hostname: string }[]).map(({ hostname }) => hostname);
    assert.deepEqual(names, ["three.example", "two.example"]);
    const deliverable = await sql`
    select hostname, array_agg(distinct company_id order by company_id) as companies
    from deliverable_domains group by 1 order by 1
  `;
    assert.deepEqual([...deliverable], [
      { hostname: "one.example", companies: [1] },
      { hostname: "three.example", companies: [2] },
      { hostname: "two.example", companies: [1, 2] },
    ]);
    await record(sql, acme("7", "two"), raw("8", { source: "two", company: { name: "Acme two" } }));
    assert.deepEqual([await companyOf(sql, "7"), await companyOf(sql, "8")], [2, 2]);
  },
);

oneEngineTest(
  "merge_companies() and split_company() refuse contradictory requests",
  async ({ sql }) => {
    const register = (id: string, cik: string) =>
      raw(id, { company: { name: id, external_id: id, identifiers: { cik } } });
    await record(sql, acme("1", "one"), acme("2", "two", { domains: [] }), register("3", "1"));
    await record(sql, acme("4", "four", { domains: [] }), register("5", "2"));
    const refused = async (kept: number, merged: number, why: string) =>
      await assert.rejects(mergeCompanies(sql, { kept, merged, reason }), { message: why });
    const before = await companyState(sql);
    await refused(1, 1, "a company cannot be merged with itself");
    await refused(1, 9, "there is no company 9");
    await refused(9, 1, "there is no company 9");
    await refused(3, 5, "companies 3 and 5 are two by their identifiers: cik");
    assert.deepEqual(await companyState(sql), before);
    assert.equal(await splitCompany(sql, 1), null);

    await mergeCompanies(sql, { kept: 2, merged: 4, reason });
    await refused(1, 4, "company 4 was merged into 2: merge that one, or undo it first");
    await mergeCompanies(sql, { kept: 1, merged: 2, reason });
    await assert.rejects(splitCompany(sql, 1), {
      message: "company 2 was merged further by merge 2: undo that first",
    });
    await splitCompany(sql, 2);
    await splitCompany(sql, 1);
    await assert.rejects(splitCompany(sql, 1), { message: "merge 1 was undone before" });
    assert.deepEqual(await companyState(sql), before);
    // An operator may merge companies again after a split.
    await mergeCompanies(sql, { kept: 4, merged: 2, reason });
    assert.deepEqual((await listMerges(sql, 1)).map(({ merge, kept }) => [merge, kept]), [[3, 4]]);
  },
);

oneEngineTest(
  "merge_companies() suppresses both if one was; split_company() restores each",
  async (t) => {
    const { sql } = t;
    for (const id of ["1", "2", "3"]) await record(sql, acme(id, id, { domains: [] }));
    const shown = async () =>
      (await sql`select id from deliverable_observations order by id`).map(({ id }) => id);
    const merge = (kept: number, merged: number) => mergeCompanies(sql, { kept, merged, reason });
    await suppressCompany(sql, 1);
    await suppressCompany(sql, 2);
    await merge(1, 2);
    await merge(3, 1);
    assert.deepEqual(await shown(), []);
    await splitCompany(sql, 2);
    assert.deepEqual(await shown(), [3]);
    await splitCompany(sql, 1);
    assert.deepEqual(await shown(), [3]);
    // If a company is suppressed while merged, both companies stay suppressed after the split.
    for (const id of ["4", "5"]) await record(sql, acme(id, id, { domains: [] }));
    const { merge: last } = await merge(4, 5);
    assert.deepEqual(await suppressCompany(sql, 5), { company: 4, observations: 2 });
    assert.deepEqual(await shown(), [3]);
    await splitCompany(sql, last);
    assert.deepEqual(await shown(), [3]);
    const { merge: lastMerge } = await merge(3, 1);
    await suppressCompany(sql, 3);
    await splitCompany(sql, lastMerge);
    assert.deepEqual(await shown(), []);
  },
);

serverTest(
  "writers that merge, split and record concurrently leave consistent companies",
  async ({ sql }) => {
    await record(sql, ...["1", "2", "3", "4"].map((id) => acme(id, id, { domains: [] })));
    const before = await companyState(sql);
    const merging = async (kept: number, merged: number) => {
      for (let round = 0; round < 10; round++) {
        const { merge } = await mergeCompanies(sql, { kept, merged, reason });
        await splitCompany(sql, merge);
      }
    };
    const recording = async () => {
      for (let round = 0; round < 20; round++) {
        await record(sql, acme("1", "1", { domains: [] }), acme("4", "4", { domains: [] }));
        await record(sql, acme("4", "4", { domains: [] }), acme("2", "2", { domains: [] }));
      }
    };
    await Promise.all([merging(1, 2), merging(4, 3), recording(), recording()]);
    assert.deepEqual(await companyState(sql), before);
    assert.equal((await listMerges(sql, 100)).length, 20);
  },
);
