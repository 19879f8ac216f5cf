import assert from "node:assert/strict";
import { sam } from "../../../src/ingest/sources/sam/sam.ts";
import { contentOf, readSource, recordOf } from "../../support/reading.ts";
import { answer } from "../../support/sam_notices.ts";

Deno.test("sam maps an award of the API to a record of its buyer and a record of its awardee", async () => {
  const [entry, awardee] = await readSource(
    sam,
    answer({
      noticeId: "f90f",
      title: "Q999--Nurses.",
      fullParentPathName: "VETERANS AFFAIRS, DEPARTMENT OF.VETERANS AFFAIRS, DEPARTMENT OF.NAC",
      fullParentPathCode: "036.3600.36F797",
      type: "Award Notice",
      responseDeadLine: "2025-12-01T16:00:00-05:00",
      archiveDate: "2026-04-03",
      naicsCode: "561320",
      naicsCodes: ["561320", "621399"],
      award: {
        date: "2026-01-29",
        number: "36F79726D0065",
        amount: "5000000.00",
        awardee: {
          name: "ACME CARE, LLC",
          ueiSAM: "LPZ2UE7MLNL5",
          location: { city: { name: "ATLANTA" }, state: { name: "GA" }, country: { name: "GA" } },
        },
      },
      placeOfPerformance: { city: { name: "" }, state: { name: "" }, country: { name: "" } },
      uiLink: "https://sam.gov/workspace/contract/opp/f90f/view",
    }),
  );
  const times = {
    occurred_at: "2026-01-29T05:00:00.000Z",
    observed_at: "2026-02-02T05:00:00.000Z",
  };
  const excerpt = "Q999--Nurses.\nAward Notice\nContract 36F79726D0065 awarded to ACME CARE, LLC " +
    "(UEI LPZ2UE7MLNL5) for 5,000,000 US dollars on 2026-01-29.\n" +
    "Product or service code Z2AA\nNAICS 561320, 621399\nSolicitation 47PD-1";
  const quoted = {
    texts: [`${excerpt}\nVETERANS AFFAIRS, DEPARTMENT OF\nNAC`],
    evidence: [{
      source_uri: "https://sam.gov/workspace/contract/opp/f90f/view",
      excerpt,
      ...times,
    }],
  };
  assert.equal(entry!.line, 2);
  assert.equal(awardee!.line, 2);
  assert.deepEqual(contentOf(entry!), {
    source: "sam",
    external_id: "f90f",
    company_name: "VETERANS AFFAIRS, DEPARTMENT OF – NAC",
    company_external_id: "036.3600.36F797",
    company_identifiers: [],
    hostnames: [],
    kind: "procurement_request",
    observed_fact: "VETERANS AFFAIRS, DEPARTMENT OF – NAC published a notice (Award Notice): " +
      "Q999--Nurses. Contract 36F79726D0065 awarded to ACME CARE, LLC (UEI LPZ2UE7MLNL5) for " +
      "5,000,000 US dollars on 2026-01-29. Product or service code Z2AA. NAICS 561320, 621399. " +
      "Solicitation 47PD-1.",
    why_it_may_matter: "A proxy: a public buyer has awarded this contract already; it shows what " +
      "the office buys, and from whom, not an open request (Award Notice).",
    demand_class: "proxy",
    country: "US",
    confidence: 0.9,
    ...times,
    expires_at: "2026-04-04T03:59:59.000Z",
    categories: ["56", "62"],
    ...quoted,
    facets: {
      amount: { currency: "USD", value: 5_000_000 },
      counterpart: "ACME CARE, LLC",
      document: "Award Notice",
      naics: ["561320", "621399"],
    },
  });
  assert.deepEqual(contentOf(awardee!), {
    source: "sam",
    external_id: "f90f:awardee",
    company_name: "ACME CARE, LLC",
    company_external_id: null,
    company_identifiers: ["uei:LPZ2UE7MLNL5"],
    hostnames: [],
    kind: "partnership",
    observed_fact:
      "ACME CARE, LLC won contract 36F79726D0065 from VETERANS AFFAIRS, DEPARTMENT OF " +
      "– NAC for 5,000,000 US dollars on 2026-01-29: Q999--Nurses. NAICS 561320, 621399.",
    why_it_may_matter: "A proxy: this company has won public work (Award Notice) and may need " +
      "subcontractors, staff and supplies for it; it asks for nothing itself.",
    demand_class: "proxy",
    country: "US",
    confidence: 0.9,
    ...times,
    expires_at: null,
    categories: ["56", "62"],
    ...quoted,
    facets: {
      amount: { currency: "USD", value: 5_000_000 },
      counterpart: "VETERANS AFFAIRS, DEPARTMENT OF – NAC",
      document: "Award Notice",
      naics: ["561320", "621399"],
      places: [{ city: "ATLANTA", country: "US", region: "GA" }],
    },
  });
});

Deno.test("sam reads a deadline without a zone in the time zone of the office", async () => {
  const expiryOf = async (part: Record<string, unknown>) =>
    recordOf((await readSource(sam, answer(part)))[0]!).expires_at;
  const denver = { officeAddress: { city: "Denver", state: "CO", countryCode: "USA" } };
  const abroad = { officeAddress: { city: "FPO", state: "AP", countryCode: "USA" } };
  const summer = { responseDeadLine: "2026-07-01T10:00" };
  const winter = { responseDeadLine: "2026-03-02" };
  assert.equal(await expiryOf({ ...denver, ...summer }), "2026-07-01T16:00:00.000Z");
  assert.equal(await expiryOf({ ...denver, ...winter }), "2026-03-03T06:59:59.000Z");
  assert.equal(await expiryOf({ ...abroad, ...summer }), "2026-07-01T14:00:00.000Z");
  assert.equal(await expiryOf({ ...abroad, ...winter }), "2026-03-03T04:59:59.000Z");
  // An offset takes precedence over the zone of the office.
  const stated = { responseDeadLine: "2026-07-01T10:00:00-04:00" };
  assert.equal(await expiryOf({ ...denver, ...stated }), "2026-07-01T14:00:00.000Z");
  const [posted] = await readSource(sam, answer({ ...denver, postedDate: "2026-07-01" }));
  assert.equal(recordOf(posted!).observed_at, "2026-07-01T04:00:00.000Z");
});

Deno.test("sam names the place of performance once, and does not replace it by the office", async () => {
  const office = { officeAddress: { city: "Denver", state: "CO", countryCode: "USA" } };
  const guam = { city: null, state: null, country: { code: "GUM", name: "GUAM" } };
  const records = (await readSource(
    sam,
    answer(
      { ...office, placeOfPerformance: { city: { name: "Moab" }, state: { code: "UT" } } },
      office,
      { ...office, placeOfPerformance: guam },
      { ...office, placeOfPerformance: { country: { code: "USA" } } },
    ),
  )).map(recordOf);
  assert.deepEqual(records.map(({ facets }) => facets.places), [
    [{ city: "Moab", country: "US", region: "UT" }],
    [{ country: "US" }],
    [{ country: "US", region: "GU" }],
    [{ country: "US" }],
  ]);
  assert.match(records[0]!.observed_fact, /Place of performance: Moab, UT, US\./);
  assert.doesNotMatch(records[1]!.observed_fact, /Place of performance/);
});

Deno.test("sam maps a named awardee to a record if it is or works in Canada or the United States", async () => {
  const award = { type: "Award Notice", placeOfPerformance: null };
  const by = (name: string, location: object = {}) => ({
    ...award,
    award: { number: "1", date: "2026-01-29", awardee: { name, location } },
  });
  const ottawa = { city: { name: "Ottawa" }, state: { code: "ON" }, country: { code: "CAN" } };
  const berlin = { city: { name: "Berlin" }, country: { code: "DEU", name: "GERMANY" } };
  const moab = { city: { name: "Moab" }, state: { code: "UT" }, country: { code: "USA" } };
  const entries = await readSource(
    sam,
    answer(
      by("Multiple Awardees"),
      by("See attached list"),
      by("N/A"),
      by("MAPLE INC", ottawa),
      by("BAU GMBH", berlin),
      { ...by("BAU GMBH", berlin), placeOfPerformance: moab },
      { ...by("EARLY LLC"), type: "Justification" },
    ),
  );
  const reasons = entries.flatMap(({ judged }) => "reason" in judged ? judged.reason : []);
  assert.deepEqual(reasons, [
    'company.name: names no company: "Multiple Awardees"',
    'company.name: names no company: "See attached list"',
    'company.name: names no company: "N/A"',
  ]);
  const awardees = entries.flatMap(({ judged }) => "record" in judged ? judged.record : [])
    .filter(({ kind }) => kind === "partnership");
  assert.deepEqual(
    awardees.map(({ company_name, country, facets }) => [company_name, country, facets.places]),
    [
      ["MAPLE INC", "CA", [{ city: "Ottawa", country: "CA", region: "ON" }]],
      ["BAU GMBH", "US", [{ city: "Moab", country: "US", region: "UT" }]],
    ],
  );
  assert.equal(entries.length, 12);
  assert.doesNotMatch(recordOf(entries[0]!).observed_fact, /Multiple Awardees/);
});
