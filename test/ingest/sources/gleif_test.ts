import assert from "node:assert/strict";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import { gleif } from "../../../src/ingest/sources/gleif/gleif.ts";
import { API_RECORD, golden, GOLDEN_CSV, LEI, type Parts } from "../../support/lei_records.ts";
import {
  contentOf,
  countsOf,
  outcomesOf,
  readSource,
  realFileTest,
  recordOf,
} from "../../support/reading.ts";

const lines = (...parts: Parts[]) => parts.map((part) => JSON.stringify(golden(part))).join("\n");

const WHY =
  "It says who the company is, and joins what other sources say of it; it is no sign of buying.";

Deno.test("gleif maps an entity to the same record in each of its formats", async () => {
  const expected = {
    source: "gleif",
    external_id: LEI,
    company_name: "EQUIFAX INC.",
    company_external_id: LEI,
    company_identifiers: [`lei:${LEI}`],
    hostnames: [],
    kind: "company_profile",
    observed_fact: "EQUIFAX INC. is a corporation domiciled in Peachtree " +
      `Corners, GA, US, with its headquarters in Atlanta, GA, US. LEI ${LEI}; number ` +
      "J306699 in register RA000604; created on 1913-12-19. Formerly RETAIL CREDIT " +
      "COMPANY. Also known as EQUIFAX.",
    why_it_may_matter: WHY,
    demand_class: "structural",
    country: "US",
    confidence: 0.95,
    occurred_at: null,
    observed_at: "2024-05-04T17:02:29.000Z",
    expires_at: null,
    categories: [],
    texts: [],
    facets: {
      former_names: ["RETAIL CREDIT COMPANY"],
      legal_form: "corporation",
      places: [
        { city: "Peachtree Corners", country: "US", region: "GA" },
        { city: "Atlanta", country: "US", region: "GA" },
      ],
    },
    evidence: [{
      source_uri: `https://search.gleif.org/#/record/${LEI}`,
      excerpt: `LEI: ${LEI}\nLegalName: EQUIFAX INC.\nOtherEntityName: RETAIL CREDIT COMPANY\n` +
        "OtherEntityName: EQUIFAX\nEntityCategory: GENERAL\nLegalForm: MFYJ\nEntityStatus: ACTIVE\nLegalJurisdiction: US-GA\n" +
        "LegalAddress: Peachtree Corners, GA, US 30092\n" +
        "HeadquartersAddress: Atlanta, GA, US 30309\nRegistrationStatus: ISSUED\n" +
        "ValidationSources: FULLY_CORROBORATED",
      occurred_at: null,
      observed_at: "2024-05-04T17:02:29.000Z",
    }],
  };
  const files = [
    lines({}),
    JSON.stringify({ records: [golden()] }, null, 1),
    JSON.stringify({ meta: { pagination: { total: 1 } }, links: {}, data: [API_RECORD] }),
    GOLDEN_CSV,
  ];
  const entries = (await Promise.all(files.map((file) => readSource(gleif, file)))).flat();
  assert.deepEqual(entries.map(contentOf), Array(4).fill(expected));
  assert.equal(new Set(entries.map((entry) => recordOf(entry).content_hash)).size, 1);
});

Deno.test("gleif shows no address lines of a rejected row, and needs few columns", async () => {
  const [rejected] = await readSource(gleif, GOLDEN_CSV.replace(`"${LEI}"`, '"5493"'));
  assert.deepEqual(outcomesOf([rejected!]), [[2, "LEI.$: is not an LEI: 5493"]]);
  assert.doesNotMatch(JSON.stringify(rejected!.raw), /Jane|FirstAddressLine/);
  const header = "LEI,Entity.LegalName,Entity.LegalAddress.Country,Entity.EntityCategory," +
    "Entity.EntityStatus,Registration.RegistrationStatus,Registration.LastUpdateDate\n";
  const row = `${LEI},EQUIFAX INC.,US,GENERAL,ACTIVE,ISSUED,2024-05-04T17:02:29Z\n`;
  assert.deepEqual(outcomesOf(await readSource(gleif, header + row)), [[2, "accepted"]]);
  await assert.rejects(readSource(gleif, header.replace("EntityCategory", "Kind") + row), {
    message:
      "not a golden copy of LEI records; columns missing: Entity.EntityCategory; its columns " +
      "are: LEI, Entity.LegalName, Entity.LegalAddress.Country, Entity.Kind, Entity.EntityStatus, " +
      "Registration.RegistrationStatus, Registration.LastUpdateDate",
  });
});

Deno.test("gleif derives the confidence from the corroboration, and lowers it for a lapsed LEI", async () => {
  const entries = await readSource(
    gleif,
    lines(
      { corroboration: "PARTIALLY_CORROBORATED" },
      { corroboration: "ENTITY_SUPPLIED_ONLY" },
      { corroboration: "" },
      { registration: "LAPSED" },
      { registration: "PENDING_TRANSFER" },
      { registration: "PENDING_ARCHIVAL" },
      { registration: "", status: "" },
    ),
  );
  const records = entries.map(recordOf);
  assert.deepEqual(records.map(({ confidence }) => confidence), [
    0.85,
    0.7,
    0.7,
    0.8,
    0.95,
    0.95,
    0.95,
  ]);
  assert.ok(records.every(({ expires_at }) => expires_at === null));
  assert.equal(
    records[3]!.why_it_may_matter,
    `${WHY} The identifier lapsed on 2025-05-03 as it was not renewed, so it may be out of date.`,
  );
});

Deno.test("gleif expires an inactive entity, and one with an invalid identifier", async () => {
  const entries = await readSource(
    gleif,
    lines({ status: "INACTIVE", registration: "RETIRED" }, { registration: "DUPLICATE" }),
  );
  const records = entries.map(recordOf);
  for (const { expires_at } of records) assert.equal(expires_at, "2024-05-04T17:02:29.000Z");
  assert.deepEqual(records.map((record) => record.why_it_may_matter), [
    `${WHY} The entity is no longer active.`,
    `${WHY} The identifier is no longer valid.`,
  ]);
});

Deno.test("gleif leaves out funds, persons, placeholder dates and address lines", async () => {
  const entries = await readSource(
    gleif,
    lines(
      { category: "FUND" },
      { category: "SOLE_PROPRIETOR", name: "Jane Doe" },
      { country: "KY" },
      { category: "RESIDENT_GOVERNMENT_ENTITY", country: "CA" },
      { category: "BRANCH", created: "2016-12-31T05:00:00.000Z" },
    ),
  );
  assert.deepEqual(outcomesOf(entries), [
    [1, "left out: a fund"],
    [2, "left out: a sole proprietor, who is a person"],
    [3, "left out: an entity with its legal address outside Canada and the United States"],
    [4, "accepted"],
    [5, "accepted"],
  ]);
  const facts = entries.slice(3).map((entry) => recordOf(entry).observed_fact);
  assert.match(
    facts[0]!,
    /^EQUIFAX INC\. is a government entity domiciled in .* Corners, GA, CA, with/,
  );
  assert.match(facts[1]!, /^EQUIFAX INC\. is a branch of an entity .* RA000604\. Formerly/);
  assert.doesNotMatch(JSON.stringify(entries.map(({ judged }) => judged)), /Jane Doe/);
  const unregistered = await readSource(gleif, lines({}).replace("RA000604", "RA888888"));
  assert.doesNotMatch(recordOf(unregistered[0]!).observed_fact, /register/);
});

Deno.test("gleif rejects invalid records, and names their line and member", async () => {
  const file = [
    lines({}, { lei: "" }, { lei: "549300" }, { name: " " }, { country: "" }),
    "",
    lines({ updated: "" }, { updated: "yesterday" }),
    '{"LEI": {"$": "54',
    '"a text"',
    lines({ lei: "549300W7HNSG9UCJZ445" }),
  ].join("\n");
  assert.deepEqual(outcomesOf(await readSource(gleif, file)), [
    [1, "accepted"],
    [2, "LEI.$: is empty"],
    [3, "LEI.$: is not an LEI: 549300"],
    [4, "Entity.LegalName.$: is empty"],
    [5, "Entity.LegalAddress.Country.$: is empty"],
    [7, "Registration.LastUpdateDate.$: is empty"],
    [8, "Registration.LastUpdateDate.$: is not a date and time: yesterday"],
    [9, "the line is not JSON"],
    [10, "LEI.$: is empty"],
    [11, "accepted"],
  ]);
  const answer = `{"data":[\n{"attributes":{"lei":"x"}},\n{]},\n${JSON.stringify(API_RECORD)}]}`;
  assert.deepEqual(outcomesOf(await readSource(gleif, answer)), [
    [2, "attributes.lei: is not an LEI: x"],
    [3, "the element is not JSON"],
    [4, "accepted"],
  ]);
});

Deno.test("gleif refuses a file of another format", async () => {
  for (const file of ["", "LEI,Name\n1,2\n", "[1]", '{"meta": {}}']) {
    await assert.rejects(readSource(gleif, file), UnreadableSource);
  }
});

Deno.test("gleif requests the recent changes of a country, page by page", () => {
  const { address, request, next, target } = gleif.remote!;
  assert.deepEqual(["CA", "US", "GB", "", "USA"].map((text) => target!.pattern.test(text)), [
    true,
    true,
    false,
    false,
    false,
  ]);
  const first = request(address, { target: "CA", now: new Date("2026-03-02T23:00:00Z") });
  const url = (page: number) =>
    "https://api.gleif.org/api/v1/lei-records?filter%5Bentity.legalAddress.country%5D=CA&" +
    "filter%5Bentity.category%5D=GENERAL&" +
    "filter%5Bregistration.lastUpdateDate%5D=2026-02-27..2026-03-02&" +
    `sort=registration.lastUpdateDate&page%5Bsize%5D=200&page%5Bnumber%5D=${page}`;
  const rest = { accept: "application/vnd.api+json", target: "CA" };
  assert.deepEqual(first, { url: url(1), ...rest });
  assert.deepEqual(next!(first, 200), { url: url(2), ...rest });
  assert.deepEqual(next!({ url: url(49), ...rest }, 1), { url: url(50), ...rest });
  assert.equal(next!(first, 0), undefined);
  // The API returns only the first 10,000 records, which are 50 pages.
  assert.equal(next!({ url: url(50), ...rest }, 200), undefined);
});

Deno.test("gleif requests the first words of a search, but nothing if the search is for a period", () => {
  const plan = {
    terms: ["equifax", "credit", "bureau", "in", "atlanta"],
    domains: [],
    occurred_after: null,
    now: new Date("2026-03-02T23:00:00Z"),
    records_max: 20,
  };
  const { request } = gleif.remote!.search!;
  assert.deepEqual(request("https://mirror.example", plan), {
    url: "https://mirror.example/lei-records?filter%5Bfulltext%5D=equifax+credit+bureau+in&" +
      "filter%5Bentity.category%5D=GENERAL&filter%5Bentity.status%5D=ACTIVE&page%5Bsize%5D=80",
    accept: "application/vnd.api+json",
  });
  assert.match(request("", { ...plan, records_max: 500 })!.url, /size%5D=200$/);
  assert.equal(request("", { ...plan, terms: [] }), undefined);
  assert.equal(request("", { ...plan, occurred_after: "2026-01-01T00:00:00Z" }), undefined);
});

realFileTest("gleif maps every entity of the real file except funds", {
  source: gleif,
  path: "gleif/us_ca_records.jsonl",
}, (entries) => {
  const records = entries.filter(({ judged }) => "record" in judged).map(recordOf);
  assert.equal(
    outcomesOf(entries).filter(([, outcome]) => outcome === "left out: a fund").length,
    17,
  );
  assert.equal(new Set(records.map(({ external_id }) => external_id)).size, 158);
  assert.deepEqual(
    countsOf(records.map(({ country, confidence }) => `${country} ${confidence}`)),
    { "US 0.55": 7, "US 0.8": 132, "US 0.95": 4, "CA 0.7": 2, "CA 0.8": 8, "CA 0.95": 5 },
  );
  for (const record of records) {
    assert.deepEqual(record.company_identifiers, [`lei:${record.external_id}`]);
    assert.match(record.observed_at, /^2024-05-0[345]T/);
    assert.doesNotMatch(JSON.stringify(record), /c\/o|undefined|, ,| in \.|2016-12-31/i);
  }
  const vancouver = entries.find(({ line }) => line === 4)!;
  assert.deepEqual(contentOf(vancouver), {
    source: "gleif",
    external_id: "25490043TWWDPZN9EE34",
    company_name: "SST VI 1615 FRANKLIN ST, ULC",
    company_external_id: "25490043TWWDPZN9EE34",
    company_identifiers: ["lei:25490043TWWDPZN9EE34"],
    hostnames: [],
    kind: "company_profile",
    observed_fact: "SST VI 1615 FRANKLIN ST, ULC is a company domiciled in " +
      "Vancouver, BC, CA, with its headquarters in Ladera Ranch, CA, US. LEI " +
      "25490043TWWDPZN9EE34; number BC1407955 in register RA000833; created on 2023-03-28.",
    why_it_may_matter: `${WHY} The identifier lapsed on 2024-05-04 as it was not renewed, so ` +
      "it may be out of date.",
    demand_class: "structural",
    country: "CA",
    confidence: 0.7,
    occurred_at: null,
    observed_at: "2024-05-04T13:30:05.042Z",
    expires_at: null,
    categories: [],
    texts: [],
    facets: {
      legal_form: "company",
      places: [
        { city: "Vancouver", country: "CA", region: "BC" },
        { city: "Ladera Ranch", country: "US", region: "CA" },
      ],
    },
    evidence: [{
      source_uri: "https://search.gleif.org/#/record/25490043TWWDPZN9EE34",
      excerpt: "LEI: 25490043TWWDPZN9EE34\nLegalName: SST VI 1615 FRANKLIN ST, ULC\n" +
        "EntityCategory: GENERAL\nLegalForm: YG5M\nEntityStatus: ACTIVE\nLegalJurisdiction: CA-BC\n" +
        "LegalAddress: Vancouver, BC, CA V6B 0M3\n" +
        "HeadquartersAddress: Ladera Ranch, CA, US 92694\nRegistrationStatus: LAPSED\n" +
        "ValidationSources: PARTIALLY_CORROBORATED",
      occurred_at: null,
      observed_at: "2024-05-04T13:30:05.042Z",
    }],
  });
});
