import assert from "node:assert/strict";
import type { AcquisitionPlan } from "../../../src/ingest/sources/kit/source.ts";
import { sam } from "../../../src/ingest/sources/sam/sam.ts";
import { contentOf, outcomesOf, readSource, recordOf } from "../../support/reading.ts";
import { extract } from "../../support/sam_notices.ts";

Deno.test("sam maps every member of a row of the daily extract, also in Windows-1252", async () => {
  const text = extract({
    Title: "Trail signs ~ north loop",
    "Sol#": "140P2026Q0007",
    ArchiveDate: "2026-03-17",
    SetASide: "Total Small Business Set-Aside (FAR 19.5)",
    NaicsCode: "339950",
    ClassificationCode: "9905",
    PopCity: "Moab",
    PopState: "UT",
    Link: "https://sam.gov/workspace/contract/opp/c0/view",
    Description: "<p>Supply the park~s signs.</p>\r\n<p>Write to jane.doe@nps.gov or (202) " +
      "555-0123.</p>",
  });
  // Replaces each ~ by the byte 0x92. It is an apostrophe in Windows-1252, but invalid in UTF-8
  // without a leading byte.
  const windows = new TextEncoder().encode(text).map((byte) => byte === 0x7e ? 0x92 : byte);
  const [entry] = await readSource(sam, windows);
  const times = {
    occurred_at: "2026-02-02T14:30:00.000Z",
    observed_at: "2026-02-02T14:30:00.000Z",
  };
  assert.deepEqual(contentOf(entry!), {
    source: "sam",
    external_id: "c0",
    company_name: "NATIONAL PARK SERVICE – DSC CONTRACTING SERVICES DIVISION",
    company_external_id: "014.1443.140P20",
    company_identifiers: [],
    hostnames: [],
    kind: "procurement_request",
    observed_fact: "NATIONAL PARK SERVICE – DSC CONTRACTING SERVICES DIVISION published a notice " +
      "(Solicitation): Trail signs ’ north loop. Place of performance: Moab, UT, US. Set-aside: " +
      "Total Small Business Set-Aside (FAR 19.5). Product or service code 9905. NAICS 339950. " +
      "Solicitation 140P2026Q0007. Responses until 2026-03-02 16:00 (UTC-05:00).",
    why_it_may_matter: "A public buyer asks suppliers for offers (Solicitation); responses are " +
      "taken until 2026-03-02 16:00 (UTC-05:00).",
    demand_class: "explicit_request",
    country: "US",
    confidence: 0.95,
    ...times,
    expires_at: "2026-03-02T21:00:00.000Z",
    categories: ["31-33"],
    texts: [
      "Trail signs ’ north loop\nSolicitation\nPlace of performance: Moab, UT, US\n" +
      "Set-aside: Total Small Business Set-Aside (FAR 19.5)\nProduct or service code 9905\n" +
      "NAICS 339950\nSolicitation 140P2026Q0007\nSupply the park’s signs.\n\n" +
      "Write to [redacted] or [redacted].\nINTERIOR, DEPARTMENT OF THE\n" +
      "NATIONAL PARK SERVICE\nDSC CONTRACTING SERVICES DIVISION",
    ],
    facets: {
      deadline: "2026-03-02T21:00:00.000000Z",
      document: "Solicitation",
      naics: ["339950"],
      places: [{ city: "Moab", country: "US", region: "UT" }],
      set_aside: "Total Small Business Set-Aside (FAR 19.5)",
    },
    evidence: [{
      source_uri: "https://sam.gov/workspace/contract/opp/c0/view",
      excerpt: "Trail signs ’ north loop\nSolicitation\nPlace of performance: Moab, UT, US\n" +
        "Set-aside: Total Small Business Set-Aside (FAR 19.5)\nProduct or service code 9905\n" +
        "NAICS 339950\nSolicitation 140P2026Q0007\nSupply the park’s signs.\n\n" +
        "Write to [redacted] or [redacted].",
      ...times,
    }],
  });
});

Deno.test("sam separates the name of an awardee of the extract from its address", async () => {
  const cells = [
    "ACME CARE, LLC",
    "ACME CARE, LLC  Salt Lake City UT 84101 USA",
    "ACME CORPORATION Orlando, FL 32819-1234 USA",
    "Nobody knows the end UT 84101 USA",
  ];
  const entries = await readSource(
    sam,
    extract(...cells.map((Awardee) => ({ Type: "Award Notice", Awardee, Award$: "$1,500.50" }))),
  );
  const awardees = entries.map(recordOf).filter(({ kind }) => kind === "partnership");
  assert.deepEqual(awardees.map(({ company_name, facets }) => [company_name, facets.places]), [
    ["ACME CARE, LLC", [{ country: "US" }]],
    ["ACME CARE, LLC", [{ city: "Salt Lake City", country: "US", region: "UT" }]],
    ["ACME CORPORATION", [{ city: "Orlando", country: "US", region: "FL" }]],
  ]);
  assert.deepEqual(awardees[0]!.facets.amount, { currency: "USD", value: 1500.5 });
  const unclear = ["12,50", "0x1F4", "€500"].map((Award$) => ({ Type: "Award Notice", Award$ }));
  const notices = await readSource(sam, extract(...unclear));
  assert.deepEqual(notices.map((entry) => recordOf(entry).facets.amount), Array(3).fill(undefined));
});

Deno.test("sam reads an extract without its optional columns", async () => {
  const rows = extract({ State: "CO", City: "Denver", ResponseDeadLine: "2026-07-01 10:00" })
    .replace(',"State","City"', ',"Other","Another"');
  const [entry] = await readSource(sam, rows);
  assert.equal(recordOf(entry!).expires_at, "2026-07-01T14:00:00.000Z");
});

Deno.test("sam rejects invalid rows of the extract, and names their line and column", async () => {
  const rows = extract(
    { NoticeId: " " },
    { Title: "" },
    { Office: "", "Sub-Tier": "", "Department/Ind.Agency": "" },
    { PostedDate: "02-02-2026" },
    { ResponseDeadLine: "soon", Description: "two\nlines" },
    { PopCountry: "DEU" },
    { PopCountry: "", CountryCode: "JPN" },
    {},
  ) + "short,row\r\n";
  assert.deepEqual(outcomesOf(await readSource(sam, rows)), [
    [2, "NoticeId: is empty"],
    [3, "Title: is empty"],
    [4, "Office: is empty"],
    [5, "PostedDate: is not a date: 02-02-2026"],
    [6, "ResponseDeadLine: is not a date: soon"],
    [8, "left out: a place outside Canada and the United States"],
    [9, "left out: a place outside Canada and the United States"],
    [10, "accepted"],
    [11, "the row has 2 columns, the header 47"],
  ]);
});

Deno.test("sam requests a week, page by page until a page has too few notices to be full", () => {
  const { address, request, next, key } = sam.remote!;
  const first = request(address, { now: new Date("2026-01-03T12:00:00Z") });
  assert.deepEqual(first, {
    url: "https://api.sam.gov/opportunities/v2/search?postedFrom=12%2F27%2F2025" +
      "&postedTo=01%2F03%2F2026&limit=1000&offset=0",
    accept: "application/json",
  });
  assert.deepEqual(next!(first, 950), { ...first, url: first.url.replace(/0$/, "1") });
  assert.equal(next!(first, 949), undefined);
  assert.deepEqual(key, { header: "X-Api-Key", setting: "SAM_API_KEY" });
});

Deno.test("sam requests titles with one word of a search, posted within at most a year", () => {
  const { address, search } = sam.remote!;
  const plan: AcquisitionPlan = {
    terms: ["dam", "janitorial", "work"],
    domains: [],
    occurred_after: null,
    now: new Date("2026-02-03T00:00:00Z"),
    records_max: 50,
  };
  const queryOf = (part: Partial<AcquisitionPlan>) =>
    search!.request(address, { ...plan, ...part })?.url.split("?")[1];
  assert.equal(
    queryOf({}),
    "title=janitorial&postedFrom=02%2F04%2F2025&postedTo=02%2F03%2F2026&limit=50&offset=0",
  );
  assert.match(queryOf({ occurred_after: "2026-01-15T00:00:00Z" })!, /postedFrom=01%2F15%2F2026/);
  assert.match(queryOf({ occurred_after: "2019-01-15T00:00:00Z" })!, /postedFrom=02%2F04%2F2025/);
  assert.equal(queryOf({ occurred_after: "2026-02-15T00:00:00Z" }), undefined);
  assert.equal(queryOf({ terms: [] }), undefined);
  assert.equal(queryOf({ domains: ["acme.example"] }), undefined);
});
