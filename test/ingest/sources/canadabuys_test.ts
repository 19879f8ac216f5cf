import assert from "node:assert/strict";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import { canadabuys } from "../../../src/ingest/sources/canadabuys/canadabuys.ts";
import { csv } from "../../support/canadabuys_notices.ts";
import {
  contentOf,
  outcomesOf,
  readSource,
  realFileTest,
  recordOf,
} from "../../support/reading.ts";

const REAL_FILE = { source: canadabuys, path: "canadabuys/openTenderNotice.csv" };

/** Reference number of the notice with the longest description, in both languages. */
const LONGEST = "cb-189-99496980";

Deno.test("canadabuys maps every member of a notice", async () => {
  const [entry] = await readSource(
    canadabuys,
    "\ufeff" + csv({
      title: "Backpacks for Cadets",
      title_fra: "Sacs à dos pour cadets",
      reference: "SSC-26-00034:T",
      solicitation: "M5000-25-3574-A",
      amended: "2026-08-01",
      type: "Request for Standing Offer",
      method: "Competitive - Open bidding",
      category: "*GD\n*SRV",
      gsin: "*Bags",
      unspsc: "*Containers and storage\n*Backpacks",
      unspsc_codes: "*24110000\n*53121603",
      delivery: "*Regina\n*Saskatchewan",
      url_fra: "",
      description: "\n\tBags for the &ldquo;T&rdquo; Division, <b>as required</b>.\r\n\r\n\r\n" +
        "Jane Doe\t(613) 998-8974, ext. 7; jane.doe@rcmp-grc.gc.caThe end",
      description_fra: "Sacs &agrave; dos",
    }),
  );
  const record = contentOf(entry!);
  const url = "https://canadabuys.canada.ca/en/tender-opportunities/tender-notice/ssc-26-00034t";
  const times = {
    occurred_at: "2026-07-29T04:00:00.000Z",
    observed_at: "2026-08-01T04:00:00.000Z",
  };
  assert.equal(entry!.line, 2);
  assert.deepEqual(record, {
    source: "canadabuys",
    external_id: "SSC-26-00034:T",
    company_name: "Royal Canadian Mounted Police (RCMP)",
    company_external_id: null,
    company_identifiers: [],
    hostnames: [],
    kind: "procurement_request",
    observed_fact: "Royal Canadian Mounted Police (RCMP) published a tender notice for goods and " +
      "services: Backpacks for Cadets. Notice type: Request for Standing Offer. Classified as: " +
      "Bags; Containers and storage; Backpacks. Delivery: Regina; Saskatchewan. Reference " +
      "SSC-26-00034:T, solicitation M5000-25-3574-A.",
    why_it_may_matter: "A public buyer asks suppliers for goods and services to respond (Request " +
      "for Standing Offer); it closes on 2026-08-18 at 16:00 (Eastern time).",
    demand_class: "explicit_request",
    country: "CA",
    confidence: 0.95,
    ...times,
    expires_at: "2026-08-18T20:00:00.000Z",
    categories: ["31-33"],
    texts: [
      "Backpacks for Cadets\nBags for the “T” Division, as required.\n\n" +
      "[redacted] [redacted]; [redacted]The end\nRequest for Standing Offer\n" +
      "Competitive - Open bidding\nBags\nContainers and storage; Backpacks\n" +
      "Regina; Saskatchewan\nRoyal Canadian Mounted Police (RCMP)",
      "Sacs à dos pour cadets\nSacs à dos",
    ],
    facets: {
      deadline: "2026-08-18T20:00:00.000000Z",
      document: "Request for Standing Offer",
      industry: "goods and services",
      places: [{ city: "Regina", country: "CA" }, { country: "CA", region: "SK" }],
      unspsc: ["24110000", "53121603"],
    },
    evidence: [
      {
        source_uri: url,
        excerpt: "Backpacks for Cadets\nBags for the “T” Division, as required.\n\n" +
          "[redacted] [redacted]; [redacted]The end",
        ...times,
      },
      { source_uri: url, excerpt: "Sacs à dos pour cadets\nSacs à dos", ...times },
    ],
  });
});

Deno.test("canadabuys rejects invalid rows, and names their line and column", async () => {
  const text = csv(
    { description: "one\ntwo" },
    { reference: " " },
    { title: "", title_fra: "" },
    { published: "29/07/2026" },
    { closing: "" },
    { buyer: "" },
    { amended: "2026-13-01" },
    { url: "see the attachment" },
    { published: "2026-02-30" },
    { amended: "2026-04-31T10:00" },
    { closing: "2026-02-30" },
    { closing: "2026-03-01T25:00:00" },
    { reference: "last" },
  ) + "short,row\r\n" + 'inner "quote",x\r\n' + '"bad" quote,x\r\n' +
    csv({ reference: "after" }).split("\r\n").slice(1).join("\r\n");
  const entries = await readSource(canadabuys, text);
  assert.deepEqual(outcomesOf(entries), [
    [2, "accepted"],
    [4, "referenceNumber-numeroReference: is empty"],
    [5, "title-titre-eng: is empty"],
    [6, "publicationDate-datePublication: is not a date: 29/07/2026"],
    [7, "tenderClosingDate-appelOffresDateCloture: is empty"],
    [8, "contractingEntityName-nomEntitContractante-eng: is empty"],
    [9, "amendmentDate-dateModification: is not a date: 2026-13-01"],
    [10, "evidence.0.source_uri: is not an address with http:, https:, ftp:, urn: or doi:"],
    [11, "publicationDate-datePublication: is not a date: 2026-02-30"],
    [12, "amendmentDate-dateModification: is not a date: 2026-04-31T10:00"],
    [13, "tenderClosingDate-appelOffresDateCloture: is not a date: 2026-02-30"],
    [14, "tenderClosingDate-appelOffresDateCloture: is not a date: 2026-03-01T25:00:00"],
    [15, "accepted"],
    [16, "the row has 2 columns, the header 41"],
    [17, "the row has 2 columns, the header 41"],
    [18, "the row has a quote in a quoted cell that is not doubled"],
    [19, "accepted"],
  ]);
});

Deno.test("canadabuys uses French texts first if there is no English title", async () => {
  const [entry] = await readSource(
    canadabuys,
    csv({
      title: "",
      title_fra: "Sacs à dos",
      description_fra: "Sacs &agrave; dos",
      buyer: "",
      buyer_fra: "Gendarmerie royale du Canada (GRC)",
      url_fra: "https://exemple.example/avis",
      description: "Green backpacks",
      url: "https://example.example/notice",
    }),
  );
  const record = recordOf(entry!);
  assert.equal(record.company_name, "Gendarmerie royale du Canada (GRC)");
  assert.match(record.observed_fact, /: Sacs à dos\. Reference cb-1-2\.$/);
  assert.deepEqual(record.evidence.map(({ source_uri, excerpt }) => [source_uri, excerpt]), [
    ["https://exemple.example/avis", "Sacs à dos"],
    ["https://example.example/notice", "Green backpacks"],
  ]);
});

Deno.test("canadabuys expires a cancelled notice, and lowers the confidence of one that asks for no bids", async () => {
  const entries = await readSource(
    canadabuys,
    csv(
      { status: "Cancelled", amended: "2026-08-02" },
      { type: "Request for Information" },
      { description: "This is not a bid solicitation." },
      {},
    ),
  );
  const records = entries.map(recordOf);
  assert.deepEqual(records.map(({ expires_at }) => expires_at), [
    "2026-08-02T04:00:00.000Z",
    "2026-08-18T20:00:00.000Z",
    "2026-08-18T20:00:00.000Z",
    "2026-08-18T20:00:00.000Z",
  ]);
  assert.deepEqual(records.map(({ confidence }) => confidence), [0.9, 0.7, 0.7, 0.9]);
  assert.match(records[1]!.why_it_may_matter, /does not ask for bids with this notice/);
});

Deno.test("canadabuys expires a notice at its closing date, or earlier if it has ended", async () => {
  const expiryOf = async (part: Parameters<typeof csv>[0]) =>
    recordOf((await readSource(canadabuys, csv(part)))[0]!).expires_at;
  for (const status of ["Awarded", "Expired", "Closed", "Cancelled", "canceled", "Cancellation"]) {
    assert.equal(await expiryOf({ status, amended: "2026-08-02" }), "2026-08-02T04:00:00.000Z");
    assert.equal(await expiryOf({ status, amended: "2026-09-02" }), "2026-08-18T20:00:00.000Z");
  }
  for (const status of ["", "Open", "Active", "Amended", "Ouvert", "Open (closing soon)"]) {
    assert.equal(await expiryOf({ status, amended: "2026-08-02" }), "2026-08-18T20:00:00.000Z");
  }
  assert.equal(await expiryOf({ closing: "2026-08-18" }), "2026-08-19T03:59:59.000Z");
});

Deno.test("canadabuys masks contacts in every text, also with hidden characters", async () => {
  const hidden = "Call 613\u00ad-998-8974 or jo\u200bhn@dcc\u200b.ca or 613  998   8974";
  const [entry] = await readSource(
    canadabuys,
    csv({
      title: hidden,
      title_fra: hidden,
      buyer: `Buyer ${hidden}`,
      type: hidden,
      solicitation: hidden,
      gsin: `*${hidden}`,
      unspsc: `*${hidden}`,
      delivery: `*${hidden}`,
      category: `*${hidden}`,
      description: hidden,
      description_fra: hidden + " - <b>613</b>-998-8974",
    }),
  );
  const text = JSON.stringify(recordOf(entry!));
  assert.doesNotMatch(text, /998|8974|dcc|jo\u200b?hn/);
  assert.match(text, /Call \[redacted\] or \[redacted\] or \[redacted\]/);
});

Deno.test("canadabuys refuses a file of another format", async () => {
  for (const text of ["", "a,b\n1,2\n", "\n\n"]) {
    await assert.rejects(readSource(canadabuys, text), UnreadableSource);
  }
});

realFileTest(
  "canadabuys maps every notice of the real file, and keeps no contact data",
  REAL_FILE,
  (entries) => {
    const records = entries.map(recordOf);
    assert.equal(new Set(records.map(({ external_id }) => external_id)).size, 80);
    assert.equal(new Set(records.map(({ company_name }) => company_name)).size, 20);
    assert.equal(records.flatMap(({ evidence }) => evidence).length, 155);
    assert.equal(entries[79]!.line > 8_000, true);

    const texts = records.map((record) => {
      const excerpts = record.evidence.map(({ excerpt }) => excerpt);
      const { observed_fact, why_it_may_matter } = record;
      return [observed_fact, why_it_may_matter, ...record.texts, ...excerpts].join("\n");
    });
    for (const text of texts) {
      // deno-lint-ignore no-control-regex -- one notice contains a control character
      assert.doesNotMatch(text, /@|&[a-z]+;|&#\d+;|<\/?[a-z]+>|\t|\u0002/);
      assert.doesNotMatch(text, /(?<![\w-])\(?[2-9]\d\d[\s).-]{1,2}[2-9]\d\d[\s.-]\d{4}(?![\w-])/);
    }
    const longest = records.find(({ external_id }) => external_id === LONGEST)!;
    assert.deepEqual(longest.texts.map((text) => text.length > 30_000), [true, true]);
    for (const { evidence, texts } of records) {
      assert.equal(texts.length, evidence.length);
      for (const text of texts) assert.doesNotMatch(text, /…$/);
      for (const [at, { excerpt }] of evidence.entries()) {
        assert.ok(excerpt.length <= 600);
        assert.ok(texts[at]!.includes(excerpt.replace(/…$/, "")));
      }
    }
    const codes = records.find(({ external_id }) => external_id === "PW-_NCS-030-11940")!;
    assert.match(codes.texts[0]!, /EW479-162880\/C/);
    const filled = (name: "places" | "deadline" | "industry") =>
      records.filter(({ facets }) => facets[name] !== undefined).length;
    assert.deepEqual([filled("places"), filled("deadline"), filled("industry")], [77, 80, 80]);
  },
);

realFileTest("canadabuys maps the last notice of the real file", REAL_FILE, (entries) => {
  const { evidence, texts, ...record } = contentOf(entries.at(-1)!);
  assert.deepEqual(record, {
    source: "canadabuys",
    external_id: "cb-858-96735512",
    company_name: "Office of the Chief Electoral Officer (Elections)",
    company_external_id: null,
    company_identifiers: [],
    hostnames: [],
    kind: "procurement_request",
    observed_fact: "Office of the Chief Electoral Officer (Elections) published a tender notice " +
      "for goods: GE46 Electoral Material – VIC Collection Bag. Notice type: Request for " +
      "Proposal. Classified as: Paper bags. Delivery: National Capital Region (NCR). Reference " +
      "cb-858-96735512, solicitation ECIG-RFP-2025-3866-2.",
    why_it_may_matter: "A public buyer asks suppliers for goods to respond (Request for " +
      "Proposal); it closes on 2026-08-20 at 14:00 (Eastern time).",
    demand_class: "explicit_request",
    country: "CA",
    confidence: 0.95,
    occurred_at: "2026-07-30T04:00:00.000Z",
    observed_at: "2026-07-30T04:00:00.000Z",
    expires_at: "2026-08-20T18:00:00.000Z",
    categories: ["31-33"],
    facets: {
      deadline: "2026-08-20T18:00:00.000000Z",
      document: "Request for Proposal",
      industry: "goods",
      places: [{ country: "CA", metro: "Ottawa" }],
      unspsc: ["24111502"],
    },
  });
  assert.match(texts[0]!, /\nPaper bags\nNational Capital Region \(NCR\)\nWorld\nOffice of the/);
  assert.match(texts[1]!, /\nSacs en papier\nRégion de la capitale nationale \(RCN\)\nMonde\n/);
  assert.match(
    evidence[0]!.excerpt,
    /^GE46 Electoral Material – VIC Collection Bag\nThe Office of the Chief Electoral Officer/,
  );
  assert.match(evidence[1]!.excerpt, /^46e ÉG Matériel Électoral – Sac/);
});
