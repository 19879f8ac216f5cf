import assert from "node:assert/strict";
import { edgar8k } from "../../../src/ingest/sources/edgar_8k/edgar_8k.ts";
import {
  assertUnreadable,
  contentOf,
  outcomesOf,
  readSource,
  recordOf,
  RETRIEVED_AT,
} from "../../support/reading.ts";

const readAll = (text: string) => readSource(edgar8k, text);

interface Row {
  accessionNumber: unknown;
  form: unknown;
  items: unknown;
  filingDate: unknown;
  reportDate: unknown;
  acceptanceDateTime: unknown;
}

const ROW: Row = {
  accessionNumber: "0000012345-26-000007",
  form: "8-K",
  items: "5.02,9.01",
  filingDate: "2026-02-23",
  reportDate: "2026-02-19",
  acceptanceDateTime: "2026-02-23T21:04:31.000Z",
};

/**
 * Returns a submissions file with one row per element of `rows`. Columns that an element omits have
 * the values of ROW.
 */
function file(rows: Partial<Row>[], head: object = {}, columns: object = {}) {
  const whole = rows.map((row) => ({ ...ROW, ...row }));
  const keys = Object.keys(ROW) as (keyof Row)[];
  const recent = Object.fromEntries(keys.map((key) => [key, whole.map((row) => row[key])]));
  return JSON.stringify({
    cik: "12345",
    name: "Maple Robotics Inc. /NEW/",
    sic: "3569",
    sicDescription: "General Industrial Machinery & Equipment, NEC",
    lei: null,
    tickers: [],
    phone: "613-555-0199",
    formerNames: [{ name: "Old Maple Ltd. /ON/" }, { name: "MAPLE ROBOTICS INC" }],
    addresses: {
      business: { city: "OTTAWA", stateOrCountry: "A6", stateOrCountryDescription: "Ontario" },
    },
    ...head,
    filings: { recent: { ...recent, size: [1], ...columns } },
  });
}

/** Returns the `addresses` of a submissions file, with this business address. */
function business(place: object) {
  return { addresses: { business: place } };
}

Deno.test("edgar_8k fills every field of the record of an item", async () => {
  const [entry, ...others] = await readAll(file([{}], {
    lei: "5493001KJTIIGC8Y1R12",
    tickers: ["MPLR", null],
  }));
  const times = {
    occurred_at: "2026-02-19T05:00:00.000Z",
    observed_at: "2026-02-23T21:04:31.000Z",
  };
  assert.equal(others.length, 0);
  assert.equal(entry!.line, 1);
  assert.deepEqual(contentOf(entry!), {
    source: "edgar_8k",
    external_id: "0000012345-26-000007:5.02",
    company_name: "Maple Robotics Inc.",
    company_external_id: "0000012345",
    company_identifiers: ["cik:0000012345", "lei:5493001KJTIIGC8Y1R12"],
    hostnames: [],
    kind: "leadership_change",
    observed_fact:
      "Maple Robotics Inc. reported on Form 8-K that directors or principal officers " +
      "left, were elected or were appointed, or that their pay was arranged anew (Item 5.02); " +
      "date of report: 2026-02-19. OTTAWA, ON, Canada; General Industrial Machinery & " +
      "Equipment, NEC; MPLR; formerly Old Maple Ltd. CIK 12345, accession number " +
      "0000012345-26-000007, with items 9.01.",
    why_it_may_matter: "New people at the top often look at plans and suppliers anew. The item " +
      "also covers departures and pay alone, and the list of filings does not say which: a " +
      "proxy, and no request to suppliers.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.8,
    ...times,
    expires_at: null,
    categories: ["31-33"],
    texts: [],
    facets: {
      former_names: ["Old Maple Ltd."],
      industry: "General Industrial Machinery & Equipment, NEC",
      places: [{ city: "OTTAWA", country: "CA", region: "ON" }],
      tickers: ["MPLR"],
    },
    evidence: [{
      source_uri: "https://www.sec.gov/Archives/edgar/data/12345/000001234526000007/" +
        "0000012345-26-000007-index.htm",
      excerpt: "Form 8-K, filed 2026-02-23, date of report 2026-02-19\nItems: 5.02, 9.01\n" +
        "Item 5.02: Departure of Directors or Certain Officers; Election of Directors; " +
        "Appointment of Certain Officers; Compensatory Arrangements of Certain Officers",
      ...times,
    }],
  });
});

Deno.test("edgar_8k maps items to kinds, and lowers the confidence of financing and amendments", async () => {
  const entries = await readAll(file([
    { items: "1.01,7.01" },
    { items: "1.01,2.03,9.01" },
    { items: " 1.01, 3.02 ,3.02" },
    { form: "8-K/A", items: "5.02" },
    { form: "8-K12B", items: "5.02" },
    { items: "2.01,2.02,2.03,5.01,8.01,9.01" },
    { items: "2.05,7.01" },
    { items: "1.02,9.01" },
    { items: "" },
    { items: "5" },
    { form: "10-Q", items: "5.02", reportDate: "?" },
    { form: null, items: null },
  ]));
  assert.deepEqual(
    entries.map(({ line, judged }) => {
      if (!("record" in judged)) return [line, ...Object.values(judged)];
      const { external_id, kind, confidence } = judged.record;
      return [line, external_id.split(":")[1], kind, confidence];
    }),
    [
      [1, "1.01", "partnership", 0.6],
      [2, "1.01", "partnership", 0.4],
      [3, "1.01", "partnership", 0.4],
      [3, "3.02", "funding_round", 0.5],
      [4, "5.02", "leadership_change", 0.64],
      [5, "5.02", "leadership_change", 0.8],
      [6, "2.01", "company_profile", 0.7],
      [7, "2.05", "company_profile", 0.7],
      [8, "a report of an agreement that ended (1.02), which is no partnership"],
      [9, "a report without an item of a known kind"],
      [10, "a report without an item of a known kind"],
      [11, "a filing on a form other than 8-K"],
      [12, "a filing on a form other than 8-K"],
    ],
  );
});

Deno.test("edgar_8k names the row and column of a fault, and accepts the other rows", async () => {
  const entries = await readAll(file([
    {},
    { accessionNumber: "", items: "1.01,5.02" },
    { accessionNumber: "12-34" },
    { reportDate: "" },
    { reportDate: "2026-02-30" },
    { acceptanceDateTime: "2026-02-23" },
    { acceptanceDateTime: null },
    { items: 5.02 },
    {},
  ]));
  assert.deepEqual(
    outcomesOf(entries),
    [
      [1, "accepted"],
      [2, "accessionNumber: is empty"],
      [3, "accessionNumber: is not an accession number: 12-34"],
      [4, "reportDate: is empty"],
      [5, "reportDate: is not a date: 2026-02-30"],
      [6, "acceptanceDateTime: is not a date and time: 2026-02-23"],
      [7, "acceptanceDateTime: is empty"],
      [8, "items: is not a text"],
      [9, "accepted"],
    ],
  );
  const [entry] = await readAll(file([{}], { lei: "damaged" }));
  assert.match((entry!.judged as { reason: string }).reason, /^company\.identifiers\.lei: /);
});

Deno.test("edgar_8k derives countries from EDGAR's codes", async () => {
  const placed = async (place: object) => {
    const entries = await readAll(file([{}], business(place)));
    return entries.map(({ judged }) =>
      "record" in judged ? judged.record.country : Object.values(judged)[0]
    );
  };
  for (const stateOrCountry of ["CA", "DC", "PR", "X1", "ny"]) {
    assert.deepEqual(await placed({ stateOrCountry }), ["US"]);
  }
  for (const stateOrCountry of ["A0", "A9", "B0", "Z4"]) {
    assert.deepEqual(await placed({ stateOrCountry }), ["CA"]);
  }
  assert.deepEqual(await placed({ stateOrCountry: null, countryCode: "Z4" }), ["CA"]);
  // These are EDGAR's codes of Afghanistan, the Cayman Islands and Germany.
  for (const stateOrCountry of ["B2", "E9", "2M"]) {
    assert.deepEqual(await placed({ stateOrCountry }), [
      "a company outside Canada and the United States",
    ]);
  }
  assert.deepEqual(await placed({}), ["addresses.business.stateOrCountry: is empty"]);
});

Deno.test("edgar_8k refuses a file that is not one company's submissions", async () => {
  const page = JSON.stringify((JSON.parse(file([{}]))).filings.recent);
  await assertUnreadable(edgar8k, [
    ["", /^the file is not JSON$/],
    ["[".repeat(1_000_000), /^the file cannot be read: nested more than 64/],
    ["{}", /^not a submissions file of EDGAR: cik: /],
    [file([{}], { name: " " }), /^not a submissions file of EDGAR: name: /],
    [file([{}], {}, { items: 1 }), /^not a submissions file of EDGAR: filings\.recent\.items: /],
    [
      file([{}, {}], {}, { reportDate: ["2026-02-19"] }),
      /^filings\.recent\.reportDate has 1 rows, filings\.recent\.accessionNumber 2$/,
    ],
    [page, /^an older page of submissions .* names neither the company nor its place: /],
  ]);
  async function* endless() {
    for (;;) yield await Promise.resolve(new Uint8Array(1_048_576).fill(32));
  }
  const entries = edgar8k.read(endless(), { retrieved_at: RETRIEVED_AT });
  await assert.rejects(
    Array.fromAsync(entries),
    /^UnreadableSource: the file is longer than 33554432/,
  );
});

/** Returns the `observed_at` of the first row of a file. */
async function observedAt(...rows: Partial<Row>[]): Promise<string> {
  const [entry] = await readAll(file(rows));
  return recordOf(entry!).observed_at;
}

Deno.test("edgar_8k detects Eastern time or UTC by the hours and filing dates of a file", async () => {
  const noon = { acceptanceDateTime: "2026-02-23T12:05:00.000Z" };
  const summer = {
    acceptanceDateTime: "2026-07-06T16:05:00.000Z",
    filingDate: "2026-07-06",
    reportDate: "2026-07-01",
  };
  // As UTC, 06:30 would be 01:30 Eastern time, before EDGAR opens. So the file is in Eastern time.
  const early = {
    form: "10-K",
    acceptanceDateTime: "2026-02-24T06:30:00.000Z",
    filingDate: "2026-02-24",
  };
  assert.equal(await observedAt(noon, early), "2026-02-23T17:05:00.000Z");
  assert.equal(await observedAt(summer, early), "2026-07-06T20:05:00.000Z");
  // A filing accepted after 17:30 Eastern time is dated to the next business day. With a filing
  // date of Monday, 18:10 on Friday is thus Eastern time. As UTC, it would be 13:10 Eastern time,
  // and the filing date would be Friday.
  const friday = { acceptanceDateTime: "2026-02-20T18:10:00.000Z", filingDate: "2026-02-23" };
  assert.equal(await observedAt(noon, friday), "2026-02-23T17:05:00.000Z");
  // With a filing date of Friday, 18:10 must be UTC. Only a few forms, such as Form 4, get the date
  // of the same day if they are accepted between 17:30 and 22:00.
  const sameDay = { ...friday, filingDate: "2026-02-20" };
  assert.equal(await observedAt(noon, sameDay), "2026-02-23T12:05:00.000Z");
  assert.equal(
    await observedAt(noon, { ...sameDay, form: "4" }, early),
    "2026-02-23T17:05:00.000Z",
  );
  // EDGAR is closed at 01:30 Eastern time, so 01:30 must be UTC. Rows that fit both zones decide
  // nothing. If both zones have equally many rows, the file is in UTC.
  const night = {
    form: "4",
    acceptanceDateTime: "2026-02-25T01:30:00.000Z",
    filingDate: "2026-02-24",
  };
  assert.equal(await observedAt(noon, night), "2026-02-23T12:05:00.000Z");
  assert.equal(await observedAt(noon), "2026-02-23T12:05:00.000Z");
  assert.equal(await observedAt(noon, early, night), "2026-02-23T12:05:00.000Z");
  // A filing accepted at 17:30 still has the date of the day.
  const halfPastFive = { ...early, acceptanceDateTime: "2026-02-24T22:30:00.000Z" };
  assert.equal(await observedAt(noon, early, halfPastFive), "2026-02-23T12:05:00.000Z");
});

Deno.test("edgar_8k requests one company by its number", () => {
  const { address, target, request } = edgar8k.remote!;
  const now = new Date("2026-08-01T00:00:00Z");
  assert.deepEqual(request(address, { target: "320193", now }), {
    url: "https://data.sec.gov/submissions/CIK0000320193.json",
    accept: "application/json",
    target: "320193",
  });
  for (const cik of ["1", "0000320193"]) assert.match(cik, target!.pattern);
  for (const cik of ["", "AAPL", "12345678901", "1/2"]) assert.doesNotMatch(cik, target!.pattern);
});
