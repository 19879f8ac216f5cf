import assert from "node:assert/strict";
import { recordObservations } from "../../../src/ingest/record/pipeline.ts";
import type { ReadContext, SourceEntry } from "../../../src/ingest/record/entry.ts";
import { homepage } from "../../../src/ingest/sources/homepage/homepage.ts";
import type { Sql } from "../../../src/db/connect.ts";
import type { NormalRecord } from "../../../src/ingest/record/normalize.ts";
import { oneEngineTest } from "../../support/database.ts";
import { companyOf, raw, record } from "../../support/recording.ts";

const LEI = "549300MLUDYVRQOOXS22";
const PAGE = `<!doctype html><html lang="en"><head><title>Victim Inc</title>
<link rel="canonical" href="https://victim.example/">
<meta property="og:url" content="https://victim.example/">
<script type="application/ld+json">${
  JSON.stringify({
    "@context": "https://schema.org",
    "@type": "Organization",
    name: "Victim Inc",
    legalName: "Victim Inc",
    leiCode: LEI,
    sameAs: "https://victim.example/",
    address: { addressLocality: "Ottawa", addressRegion: "ON", addressCountry: "CA" },
  })
}</script></head><body></body></html>`;

/** Reads a page. */
async function readPage(page: string, part: Partial<ReadContext>): Promise<SourceEntry["judged"]> {
  const context = { retrieved_at: new Date("2026-08-01T00:00:00Z"), ...part };
  for await (const { judged } of homepage.read(new Blob([page]).stream(), context)) return judged;
  throw new Error("the page has no record");
}

/** Returns the record of PAGE at a hostname. Its names and addresses are those of the victim. */
async function pageAt(hostname: string, page = PAGE): Promise<NormalRecord> {
  const judged = await readPage(page, { target: hostname });
  assert.ok("record" in judged);
  return judged.record;
}

/** Records the victim as a register knows it. */
const recordVictim = (sql: Sql) =>
  record(
    sql,
    raw("register", {
      source: "gleif",
      country: "CA",
      company: {
        name: "Victim Inc",
        external_id: LEI,
        domains: ["victim.example"],
        identifiers: { lei: LEI },
      },
    }),
  );

Deno.test("scenario 50: the request or the operator states the hostname of a page, never the page", async () => {
  const address = "https://WWW.fetched.example/about";
  const company = { name: "Known Inc", domains: ["known.example"] };
  const recordOf = async (part: Partial<ReadContext>) => {
    const judged = await readPage(PAGE, part);
    assert.ok("record" in judged);
    const { external_id, hostnames, evidence } = judged.record;
    return [external_id, ...hostnames, evidence[0]!.source_uri];
  };
  assert.deepEqual(await recordOf({ target: "asked.example", address, company }), [
    "asked.example",
    "asked.example",
    "https://asked.example/",
  ]);
  assert.deepEqual(await recordOf({ address, company }), [
    "known.example",
    "known.example",
    "https://known.example/",
  ]);
  assert.deepEqual(await recordOf({ address }), [
    "www.fetched.example",
    "www.fetched.example",
    "https://www.fetched.example/",
  ]);
  assert.deepEqual(await readPage(PAGE, {}), {
    reason: "the hostname of the page is not known: state it by --company and --domain",
  });
});

oneEngineTest(
  "scenario 50: a page that copies name, LEI and address of a company does not reach it",
  async ({ sql }) => {
    await recordVictim(sql);
    await recordObservations(sql, [await pageAt("victim.example")]);
    await recordObservations(sql, [await pageAt("copy.example")]);
    const victim = await companyOf(sql, "register");
    assert.equal(await companyOf(sql, "victim.example"), victim);
    assert.notEqual(await companyOf(sql, "copy.example"), victim);
    const hostnames = await sql`
      select distinct company_id, hostname from deliverable_domains order by hostname
    `;
    assert.deepEqual([...hostnames], [
      { company_id: await companyOf(sql, "copy.example"), hostname: "copy.example" },
      { company_id: victim, hostname: "victim.example" },
    ]);
  },
);

oneEngineTest(
  "scenario 50: pages of one name and country stay apart, in one batch and in any order",
  async ({ sql }) => {
    const hosts = ["copy.example", "victim.example", "other.example"];
    await recordObservations(sql, await Promise.all(hosts.map((host) => pageAt(host))));
    await recordVictim(sql);
    // A revised page is not assigned by its name either.
    const revised = PAGE.replace("<title>Victim Inc", "<title>Victim Inc, really");
    await recordObservations(sql, [
      await pageAt("copy.example", revised),
      await pageAt("further.example", revised),
    ]);
    const victim = await companyOf(sql, "register");
    assert.equal(await companyOf(sql, "victim.example"), victim);
    const others = ["copy.example", "other.example", "further.example"];
    const companies = await Promise.all(others.map((host) => companyOf(sql, host)));
    assert.equal(new Set([...companies, victim]).size, 4);
  },
);

oneEngineTest(
  "record_observations() assigns a page to a company of its hostname with or without www",
  async ({ sql }) => {
    await recordObservations(sql, [await pageAt("victim.example")]);
    await recordObservations(sql, [await pageAt("www.victim.example")]);
    await recordObservations(sql, [await pageAt("www.copy.example")]);
    await recordObservations(sql, [await pageAt("copy.example")]);
    const of = (host: string) => companyOf(sql, host);
    assert.equal(await of("www.victim.example"), await of("victim.example"));
    assert.equal(await of("copy.example"), await of("www.copy.example"));
    assert.notEqual(await of("copy.example"), await of("victim.example"));
  },
);

oneEngineTest(
  "record_observations() does not assign a record by name to a company of another hostname",
  async ({ sql }) => {
    const named = (id: string, ...domains: string[]) =>
      raw(id, { company: { name: "Acme Inc", domains } });
    await record(sql, named("1"), named("2", "acme.example"), named("3", "acme.ca"), named("4"));
    await record(sql, named("5", "acme.example", "new.example"), named("6", "www.acme.ca"));
    const [one, two, three, four, five, six] = await Promise.all(
      ["1", "2", "3", "4", "5", "6"].map((id) => companyOf(sql, id)),
    );
    assert.deepEqual([two, four, five], [one, one, one]);
    assert.notEqual(three, one);
    assert.equal(six, three);
    // A record that corrects its hostname keeps its company, unless another record contradicts.
    const beta = (id: string, domain: string) =>
      raw(id, { company: { name: "Beta Inc", domains: [domain] } });
    await record(sql, beta("7", "old.example"));
    const seven = await companyOf(sql, "7");
    await record(sql, beta("7", "beta.example"), beta("8", "beta.example"));
    await record(sql, beta("8", "third.example"));
    assert.equal(await companyOf(sql, "7"), seven);
    assert.notEqual(await companyOf(sql, "8"), seven);
  },
);
