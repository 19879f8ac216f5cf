import assert from "node:assert/strict";
import type { SourceRecord } from "../../../src/contract/record.ts";
import type { Sql } from "../../../src/db/connect.ts";
import {
  listMerges,
  mergeCompanies,
  splitCompany,
} from "../../../src/ingest/record/company_merges.ts";
import { oneEngineTest } from "../../support/database.ts";
import { companyOf, raw, record } from "../../support/recording.ts";

type Company = SourceRecord["company"];

const of = (id: string, source: string, company: Company) => raw(id, { source, company });

/** Returns a record of a company's home page. That source gives the company no external id. */
const page = (cik: string | undefined, part: Partial<Company> = {}) =>
  of("page", "homepage", {
    name: "Acme",
    domains: ["acme.example"],
    ...cik !== undefined && { identifiers: { cik } },
    ...part,
  });

/** Returns the stored identifiers with their companies. */
const stored = async (sql: Sql) =>
  (await sql`select scheme || ':' || value as identifier, company_id
    from company_identifiers order by 1`)
    .map(({ identifier, company_id }) => [identifier, company_id]);

oneEngineTest("record_observations() applies a source's correction of an identifier", async (t) => {
  const { sql } = t;
  await record(sql, page("1"), of("news", "press", { name: "Acme", domains: ["acme.example"] }));
  const acme = await companyOf(sql, "page");
  await record(sql, page("2"));
  assert.deepEqual(await stored(sql), [["cik:0000000002", acme]]);
  await record(sql, of("genuine", "register", { name: "True One", identifiers: { cik: "1" } }));
  assert.deepEqual([await companyOf(sql, "page"), await companyOf(sql, "news")], [acme, acme]);
  const registered = await companyOf(sql, "genuine");
  assert.notEqual(registered, acme);
  // The source omits the identifier, and then gives it again.
  await record(sql, page(undefined));
  assert.deepEqual(await stored(sql), [["cik:0000000001", registered]]);
  await record(sql, page("2"));
  assert.deepEqual(await stored(sql), [["cik:0000000001", registered], ["cik:0000000002", acme]]);
  assert.deepEqual(await listMerges(sql, 10), []);
});

oneEngineTest(
  "record_observations() keeps an identifier that another observation gives",
  async ({ sql }) => {
    const feed = (id: string, cik: string, name = "Acme") =>
      of(id, "feed", { name, external_id: "a", identifiers: { cik } });
    await record(sql, feed("1", "1"), feed("2", "1"));
    const acme = await companyOf(sql, "1");
    await record(sql, feed("1", "2"));
    assert.deepEqual(await stored(sql), [["cik:0000000001", acme]]);
    // The other observation may also be revised or new in the same batch.
    await record(sql, feed("1", "1"));
    await record(sql, feed("2", "1", "Acme again"), feed("1", "2", "Acme again"));
    assert.deepEqual(await stored(sql), [["cik:0000000001", acme]]);
    await record(sql, feed("3", "1"), feed("2", "2"));
    assert.deepEqual(await stored(sql), [["cik:0000000001", acme]]);
    await record(sql, feed("3", "2"));
    assert.deepEqual(await stored(sql), [["cik:0000000002", acme]]);
  },
);

oneEngineTest(
  "record_observations() merges companies by a corrected identifier, in one batch",
  async (t) => {
    const { sql } = t;
    const feed = (cik: string) =>
      of("f", "feed", { name: "Acme", external_id: "a", identifiers: { cik } });
    const register = (cik: string) =>
      of(`r${cik}`, "register", {
        name: `Register ${cik}`,
        external_id: cik,
        identifiers: { cik },
      });
    await record(sql, feed("1"), register("2"));
    const acme = await companyOf(sql, "f");
    await record(
      sql,
      feed("2"),
      register("1"),
      of("by", "x", { name: "X", identifiers: { cik: "1" } }),
    );
    const ids = await Promise.all(["f", "r2", "r1", "by"].map((id) => companyOf(sql, id)));
    assert.deepEqual(ids.slice(0, 2), [acme, acme]);
    assert.notEqual(ids[2], acme);
    assert.equal(ids[3], ids[2]);
    assert.deepEqual(
      (await listMerges(sql, 10)).map(({ reason, source }) => [reason, source]),
      [["cik:0000000002", "feed"]],
    );
  },
);

oneEngineTest(
  "split_company() does not return an identifier from before a correction",
  async (t) => {
    const { sql } = t;
    await record(sql, page("1"), of("news", "press", { name: "Acme News" }));
    const [acme, news] = [await companyOf(sql, "page"), await companyOf(sql, "news")];
    await mergeCompanies(sql, { kept: news, merged: acme, reason: "one" });
    await record(sql, page("2"));
    assert.deepEqual(await stored(sql), [["cik:0000000002", news]]);
    await splitCompany(sql, 1);
    assert.equal(await companyOf(sql, "page"), acme);
    assert.deepEqual(await stored(sql), [["cik:0000000002", acme]]);
  },
);
