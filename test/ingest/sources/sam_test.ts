import assert from "node:assert/strict";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import { sam } from "../../../src/ingest/sources/sam/sam.ts";
import {
  contentOf,
  outcomesOf,
  readSource,
  realFileTest,
  recordOf,
} from "../../support/reading.ts";
import { answer, extract } from "../../support/sam_notices.ts";

Deno.test("sam derives demand class and confidence from the type, and leaves sales out", async () => {
  const types = [
    "Solicitation",
    "Combined Synopsis/Solicitation",
    "Sources Sought",
    "Presolicitation",
    "Intent to Bundle Requirements (DoD-Funded)",
    "Consolidate/(Substantially) Bundle",
    "Special Notice",
    "Justification",
    "Justification and Approval (J&A)",
    "Award Notice",
    "Something new",
    "Sale of Surplus Property",
  ];
  const entries = await readSource(sam, answer(...types.map((type) => ({ type }))));
  assert.deepEqual(outcomesOf(entries).at(-1), [
    13,
    "left out: a sale of surplus property: nothing is bought",
  ]);
  const records = entries.slice(0, -1).map(recordOf);
  assert.deepEqual(records.map(({ demand_class, confidence }) => [demand_class, confidence]), [
    ["explicit_request", 0.95],
    ["explicit_request", 0.95],
    ["explicit_request", 0.7],
    ["proxy", 0.8],
    ["proxy", 0.8],
    ["proxy", 0.8],
    ["proxy", 0.5],
    ["proxy", 0.6],
    ["proxy", 0.6],
    ["proxy", 0.9],
    ["proxy", 0.5],
  ]);
  // The deadline of a decided purchase belongs to an earlier request.
  assert.deepEqual(
    records.flatMap(({ facets: { deadline, document } }) => deadline === undefined ? document : []),
    ["Justification", "Justification and Approval (J&A)", "Award Notice"],
  );
  for (const { demand_class, why_it_may_matter } of records) {
    assert.equal(demand_class === "proxy", why_it_may_matter.startsWith("A proxy: "));
  }
});

Deno.test("sam reads dates in all their formats, and expires archived notices", async () => {
  const expiryOf = async (part: Record<string, unknown>) =>
    recordOf((await readSource(sam, answer(part)))[0]!).expires_at;
  const expiries: [Record<string, unknown>, string | null][] = [
    [{ responseDeadLine: "2026-03-02" }, "2026-03-03T04:59:59.000Z"],
    [{ responseDeadLine: "03/02/2026" }, "2026-03-03T04:59:59.000Z"],
    [{ responseDeadLine: "2026-03-02 10:00:00.5+0900" }, "2026-03-02T01:00:00.000Z"],
    [{ responseDeadLine: "2026-03-02T10:00Z" }, "2026-03-02T10:00:00.000Z"],
    [{ responseDeadLine: null }, null],
    [{ responseDeadLine: null, archiveDate: "2026-03-17" }, "2026-03-18T03:59:59.000Z"],
    [{ active: "No" }, "2026-02-02T05:00:00.000Z"],
    [{ active: "No", archiveDate: "2026-02-10" }, "2026-02-11T04:59:59.000Z"],
    [{ active: "No", archiveDate: "2026-03-17" }, "2026-03-02T21:00:00.000Z"],
  ];
  for (const [part, expiry] of expiries) assert.equal(await expiryOf(part), expiry);
});

Deno.test("sam names the agency and its office, also if their names contain dots", async () => {
  const records = (await readSource(
    sam,
    answer(
      {
        fullParentPathName: "DEPT OF DEFENSE.DEPT OF THE NAVY.NAVSUP.NAVSUP WSS.NAVSUP WSS MECH",
        fullParentPathCode: "017.1700.NAVSUP.NAVSUP WSS.N00104",
      },
      { fullParentPathName: "U.S. MINT", fullParentPathCode: "020" },
      { fullParentPathName: "TREASURY.U.S. MINT.ST. LOUIS DIV.", fullParentPathCode: "020.2041.2" },
      { fullParentPathName: "AGENCY.AGENCY", fullParentPathCode: "" },
    ),
  )).map(recordOf);
  assert.deepEqual(
    records.map(({ company_name, company_external_id }) => [company_name, company_external_id]),
    [
      ["DEPT OF THE NAVY – NAVSUP WSS MECH", "017.1700.N00104"],
      ["U.S. MINT", "020"],
      ["U.S. MINT – ST. LOUIS DIV.", "020.2041.2"],
      ["AGENCY", null],
    ],
  );
});

Deno.test("sam derives the country from the place of performance", async () => {
  const places = [
    null,
    { country: { code: "CAN", name: "CANADA" } },
    { country: { name: "United States" } },
    { state: { code: "PR" }, country: { code: "PRI" } },
    { country: { code: "DEU", name: "GERMANY" } },
  ];
  const entries = await readSource(
    sam,
    answer(
      ...places.map((placeOfPerformance) => ({ placeOfPerformance })),
      { placeOfPerformance: null, officeAddress: { countryCode: "JPN" } },
    ),
  );
  const abroad = "a place outside Canada and the United States";
  const countries = entries.map(({ judged }) =>
    "record" in judged ? judged.record.country : Object.values(judged)[0]
  );
  assert.deepEqual(countries, ["US", "CA", "US", "US", abroad, abroad]);
  const named = answer({ placeOfPerformance: { state: { name: "Colorado" } } });
  const { facets } = recordOf((await readSource(sam, named))[0]!);
  assert.deepEqual(facets.places, [{ country: "US", region: "CO" }]);
});

Deno.test("sam rejects invalid notices, and names their line and field", async () => {
  const json = answer(
    { noticeId: "" },
    { title: null },
    { type: " " },
    { fullParentPathName: "" },
    { postedDate: "yesterday" },
    { postedDate: null },
    { responseDeadLine: "2026-02-30T10:00:00-05:00" },
    { uiLink: "see attachment" },
    {},
  ).replace("\n]}", ",\n7,\n{]}");
  await assert.rejects(readSource(sam, json), UnreadableSource);
  assert.deepEqual(outcomesOf(await readSource(sam, json.replace("{]}", '{"a": x}]}'))), [
    [2, "noticeId: is empty"],
    [3, "title: is empty"],
    [4, "type: is empty"],
    [5, "fullParentPathName: is empty"],
    [6, "postedDate: is not a date: yesterday"],
    [7, "postedDate: is empty"],
    [8, "responseDeadLine: is not a date: 2026-02-30T10:00:00-05:00"],
    [9, "evidence.0.source_uri: is not an address with http:, https:, ftp:, urn: or doi:"],
    [10, "accepted"],
    [11, "noticeId: is empty"],
    [12, "the element is not JSON"],
  ]);
});

Deno.test("sam keeps no contacts, from JSON or CSV", async () => {
  const records = [
    ...await readSource(sam, answer({ title: "Call 202-555-0123 or jane.doe@gsa.gov" })),
    ...await readSource(sam, extract({ Description: "Jo: 202.555.0123, jane.doe@nps.gov" })),
  ].map(recordOf);
  assert.doesNotMatch(JSON.stringify(records), /Jane|jane|555|@/);
  assert.match(records[0]!.observed_fact, /: Call \[redacted\] or \[redacted\]\./);
});

Deno.test("sam reads an array without its object, and refuses files of other formats", async () => {
  const array = /\[[^]*\]/.exec(answer({}, {}))![0];
  assert.equal((await readSource(sam, ` \n${array}`)).length, 2);
  for (const text of ["", "a,b\n1,2\n", '{"error": {"code": "OVER_RATE_LIMIT"}}']) {
    await assert.rejects(readSource(sam, text), UnreadableSource);
  }
});

realFileTest("sam maps the real answer: 9 of 10 notices and one awardee", {
  source: sam,
  path: "sam/get_opportunities_v2_sample.json",
}, (entries) => {
  assert.deepEqual(outcomesOf(entries), [
    [6, "accepted"],
    [42, "accepted"],
    [105, "left out: a place outside Canada and the United States"],
    [182, "accepted"],
    [239, "accepted"],
    [307, "accepted"],
    [365, "accepted"],
    [415, "accepted"],
    [415, "accepted"],
    [503, "accepted"],
    [575, "accepted"],
  ]);
  const accepted = entries.filter(({ judged }) => "record" in judged);
  const records = accepted.map(recordOf);
  assert.equal(records.filter(({ demand_class }) => demand_class === "proxy").length, 5);
  assert.equal(new Set(records.map(({ company_name }) => company_name)).size, 9);
  assert.deepEqual(
    records.filter(({ kind }) => kind === "partnership").map(({ company_name }) => company_name),
    ["CANCER CAREPOINT ASSOCIATES, LLC"],
  );
  for (const record of records.filter(({ kind }) => kind !== "partnership")) {
    assert.ok(record.observed_at.startsWith("2026-02-02") && record.expires_at! > "2026-02-06");
    const text = JSON.stringify(record);
    assert.doesNotMatch(text, /@|api\.sam\.gov|roundfield|Rio|blood|battle|oneal|langel/i);
  }
  const times = {
    occurred_at: "2026-02-02T05:00:00.000Z",
    observed_at: "2026-02-02T05:00:00.000Z",
  };
  assert.deepEqual(contentOf(entries[1]!), {
    source: "sam",
    external_id: "fd05ce5247fb4bc1b86e1ce4691bb74b",
    company_name: "PUBLIC BUILDINGS SERVICE – PBS PROJECT DELIVERY WEST - BRANCH A",
    company_external_id: "047.4740.47PD51",
    company_identifiers: [],
    hostnames: [],
    kind: "procurement_request",
    observed_fact: "PUBLIC BUILDINGS SERVICE – PBS PROJECT DELIVERY WEST - BRANCH A published " +
      "a notice (Presolicitation): Aspinall Chambers Renovation. Place of performance: Grand " +
      "Junction, CO, US. Set-aside: Total Small Business Set-Aside (FAR 19.5). Product or " +
      "service code Z2AA. NAICS 236220. Solicitation EQ8PSCC250025. Responses until " +
      "2026-02-28 16:00 (UTC-07:00).",
    why_it_may_matter: "A proxy: a public buyer announces a purchase, but asks for no offers " +
      "yet (Presolicitation); responses are taken until 2026-02-28 16:00 (UTC-07:00).",
    demand_class: "proxy",
    country: "US",
    confidence: 0.8,
    ...times,
    expires_at: "2026-02-28T23:00:00.000Z",
    categories: ["23"],
    texts: [
      "Aspinall Chambers Renovation\nPresolicitation\n" +
      "Place of performance: Grand Junction, CO, US\n" +
      "Set-aside: Total Small Business Set-Aside (FAR 19.5)\nProduct or service code Z2AA\n" +
      "NAICS 236220\nSolicitation EQ8PSCC250025\nGENERAL SERVICES ADMINISTRATION\n" +
      "PUBLIC BUILDINGS SERVICE\nPBS PROJECT DELIVERY WEST - BRANCH A",
    ],
    facets: {
      deadline: "2026-02-28T23:00:00.000000Z",
      document: "Presolicitation",
      naics: ["236220"],
      places: [{ city: "Grand Junction", country: "US", region: "CO" }],
      set_aside: "Total Small Business Set-Aside (FAR 19.5)",
    },
    evidence: [{
      source_uri: "https://sam.gov/workspace/contract/opp/fd05ce5247fb4bc1b86e1ce4691bb74b/view",
      excerpt: "Aspinall Chambers Renovation\nPresolicitation\n" +
        "Place of performance: Grand Junction, CO, US\n" +
        "Set-aside: Total Small Business Set-Aside (FAR 19.5)\nProduct or service code Z2AA\n" +
        "NAICS 236220\nSolicitation EQ8PSCC250025",
      ...times,
    }],
  });
});

Deno.test("sam maps a special notice to a request if its title is a request for information", async () => {
  const special = { type: "Special Notice" };
  const records = (await readSource(
    sam,
    answer(
      { ...special, title: "Request for Information: freezers" },
      { ...special, title: "RFI - Freezers" },
      { ...special, title: "Industry day for freezers" },
      { type: "Presolicitation", title: "Freezers, after the RFI" },
    ),
  )).map(recordOf);
  assert.deepEqual(records.map(({ demand_class }) => demand_class), [
    "explicit_request",
    "explicit_request",
    "proxy",
    "proxy",
  ]);
});
