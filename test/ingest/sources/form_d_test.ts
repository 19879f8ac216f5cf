import assert from "node:assert/strict";
import type { NormalRecord } from "../../../src/ingest/record/normalize.ts";
import { formD } from "../../../src/ingest/sources/form_d/form_d.ts";
import {
  assertUnreadable,
  contentOf,
  outcomesOf,
  readSource,
  recordOf,
} from "../../support/reading.ts";

const readAll = (text: string) => readSource(formD, text);

const DOCUMENT = `<?xml version="1.0"?>
<edgarSubmission>
  <submissionType>D</submissionType>
  <testOrLive>LIVE</testOrLive>
  <primaryIssuer>
    <cik>0000012345</cik>
    <entityName>Maple &amp; Robotics Inc.</entityName>
    <issuerAddress>
      <street1>1 Main Street</street1>
      <city>Ottawa</city>
      <stateOrCountry>A6</stateOrCountry>
      <stateOrCountryDescription>ONTARIO, CANADA</stateOrCountryDescription>
    </issuerAddress>
    <issuerPhoneNumber>613-555-0199</issuerPhoneNumber>
    <issuerPreviousNameList><previousName>Old Maple Ltd.</previousName></issuerPreviousNameList>
    <edgarPreviousNameList><value>None</value></edgarPreviousNameList>
    <entityType>Corporation</entityType>
  </primaryIssuer>
  <relatedPersonsList><relatedPersonInfo><relatedPersonName>
    <firstName>Jane</firstName><lastName>Doe</lastName>
  </relatedPersonName></relatedPersonInfo></relatedPersonsList>
  <offeringData>
    <industryGroup><industryGroupType>Manufacturing</industryGroupType></industryGroup>
    <issuerSize><revenueRange>$1 - $1,000,000</revenueRange></issuerSize>
    <federalExemptionsExclusions><item>06b</item><item>04</item></federalExemptionsExclusions>
    <typeOfFiling>
      <newOrAmendment><isAmendment>false</isAmendment></newOrAmendment>
      <dateOfFirstSale><value>2024-01-03</value></dateOfFirstSale>
    </typeOfFiling>
    <typesOfSecuritiesOffered>
      <isEquityType>true</isEquityType><isDebtType>false</isDebtType>
      <isOptionToAcquireType>true</isOptionToAcquireType>
    </typesOfSecuritiesOffered>
    <businessCombinationTransaction>
      <isBusinessCombinationTransaction>false</isBusinessCombinationTransaction>
    </businessCombinationTransaction>
    <salesCompensationList><recipient><recipientName>John Roe</recipientName></recipient>
    </salesCompensationList>
    <offeringSalesAmounts>
      <totalOfferingAmount>2500000</totalOfferingAmount>
      <totalAmountSold>1250000.25</totalAmountSold>
    </offeringSalesAmounts>
    <investors><totalNumberAlreadyInvested>1</totalNumberAlreadyInvested></investors>
    <signatureBlock>
      <signature><nameOfSigner>Jane Doe</nameOfSigner>
        <signatureDate>2024-01-10</signatureDate></signature>
      <signature><nameOfSigner>Jim Doe</nameOfSigner>
        <signatureDate>2024-01-11</signatureDate></signature>
    </signatureBlock>
  </offeringData>
</edgarSubmission>
`;

const FEED = `-----BEGIN PRIVACY-ENHANCED MESSAGE-----
<SUBMISSION>
<ACCESSION-NUMBER>0000012345-24-000007
<TYPE>D
<FILING-DATE>20240112
<FILER>
<FILE-NUMBER>021-50001
</FILER>
<DOCUMENT>
<TEXT>
<XML>
${DOCUMENT}</XML>
</TEXT>
</DOCUMENT>
</SUBMISSION>
`;

const ARCHIVE = FEED.replace(
  /-----BEGIN[^]*<\/FILER>/,
  "<SEC-DOCUMENT>0000012345-24-000007.txt : 20240112\n<SEC-HEADER>\n" +
    "ACCESSION NUMBER:\t\t0000012345-24-000007\nFILED AS OF DATE:\t\t20240112\nFILER:\n" +
    "\tFILING VALUES:\n\t\tSEC FILE NUMBER:\t021-50001\n</SEC-HEADER>",
);

Deno.test("form_d maps every member of a notice of a submission", async () => {
  const [entry, ...others] = await readAll(FEED);
  const times = {
    occurred_at: "2024-01-03T05:00:00.000Z",
    observed_at: "2024-01-12T05:00:00.000Z",
  };
  assert.equal(others.length, 0);
  assert.equal(entry!.line, 12);
  assert.deepEqual(contentOf(entry!), {
    source: "form_d",
    external_id: "021-50001",
    company_name: "Maple & Robotics Inc.",
    company_external_id: "0000012345",
    company_identifiers: ["cik:0000012345"],
    hostnames: [],
    kind: "funding_round",
    observed_fact: "Maple & Robotics Inc. (Ottawa, ON, Canada) reported on Form D a private " +
      "offering of equity, options or warrants under Rule 506(b) and Rule 504: $1,250,000 sold " +
      "of $2,500,000 to 1 investor, first sale on 2024-01-03. Industry group: Manufacturing; " +
      "revenue range: $1 - $1,000,000; formerly Old Maple Ltd. CIK 12345, SEC file number 021-50001, accession number " +
      "0000012345-24-000007.",
    why_it_may_matter: "Money raised privately is often spent on people, equipment and services. " +
      "The notice is the issuer's own and asks no one to supply anything: a proxy.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.9,
    ...times,
    expires_at: null,
    categories: ["31-33"],
    texts: [],
    facets: {
      amount: { currency: "USD", value: 1_250_000.25 },
      former_names: ["Old Maple Ltd."],
      industry: "Manufacturing",
      legal_form: "Corporation",
      places: [{ city: "Ottawa", country: "CA", region: "ON" }],
      round: "exempt_offering",
    },
    evidence: [{
      source_uri: "https://www.sec.gov/Archives/edgar/data/12345/000001234524000007/" +
        "0000012345-24-000007-index.htm",
      excerpt: "Form D: Maple & Robotics Inc.\nPrincipal place of business: Ottawa, ON, " +
        "Canada\nIndustry group: Manufacturing\nIssuer size (revenue range): $1 - $1,000,000\n" +
        "Federal exemptions and exclusions claimed: 06b, 04\nDate of first sale: 2024-01-03\n" +
        "Types of securities offered: equity, options or warrants\n" +
        "Total offering amount: 2500000\nTotal amount sold: 1250000.25\n" +
        "Total number of investors already invested: 1",
      ...times,
    }],
  });
  assert.deepEqual((await readAll(ARCHIVE)).map(recordOf), [recordOf(entry!)]);
  const unclassified = FEED.replace(">Manufacturing<", ">Other Technology<");
  const classified = await readAll(unclassified.replace("<FILER>", "<FILER>\n<ASSIGNED-SIC>7372"));
  assert.deepEqual(recordOf(classified[0]!).categories, ["51"]);
  const withoutNumber = recordOf((await readAll(FEED.replace("<FILE-NUMBER>021-50001", "")))[0]!);
  assert.equal(withoutNumber.external_id, "0000012345-24-000007");
});

/** Returns the record of the document alone, without a submission around it, after replacements. */
async function recordWith(...changes: [string, string][]): Promise<NormalRecord> {
  return recordOf((await readAll(changed(changes)))[0]!);
}

/** Returns the document after replacements. */
function changed(changes: [string, string][]): string {
  return changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replaceAll(from, to);
  }, DOCUMENT);
}

const UNSOLD: [string, string] = ["<value>2024-01-03</value>", "<yetToOccur>true</yetToOccur>"];
const NO_AMOUNT_SOLD: [string, string] = [">1250000.25<", ">0<"];

Deno.test("form_d identifies a document without a submission by its issuer and first sale", async () => {
  const record = await recordWith([">D<", ">D/A<"]);
  assert.equal(record.external_id, "12345:2024-01-03");
  assert.equal(record.observed_at, "2024-01-11T05:00:00.000Z");
  assert.match(record.observed_fact, / reported on Form D\/A .* CIK 12345\.$/);
  assert.equal(
    record.evidence[0]!.source_uri,
    "https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000012345&type=D",
  );
  const unsold = await recordWith(UNSOLD, NO_AMOUNT_SOLD);
  assert.equal(unsold.external_id, "12345:unsold:2024-01-11");
  assert.equal(unsold.occurred_at, "2024-01-11T05:00:00.000Z");
  assert.equal(unsold.confidence, 0.6);
  assert.deepEqual(unsold.facets.amount, { currency: "USD", value: 2_500_000 });
  assert.match(unsold.observed_fact, /: \$0 sold of \$2,500,000 .*, first sale yet to occur\. /);
  assert.match(unsold.why_it_may_matter, /^The issuer set out to raise money privately /);
});

Deno.test("form_d states what is offered, and lowers the confidence if no money is raised", async () => {
  const combination = await recordWith([
    "<isBusinessCombinationTransaction>false",
    "<isBusinessCombinationTransaction>true",
  ]);
  assert.equal(combination.confidence, 0.5);
  assert.match(combination.observed_fact, / under Rule 506\(b\) and Rule 504 in a business comb/);
  const open = await recordWith(
    [">2500000<", ">Indefinite<"],
    ["<isEquityType>true", "<isEquityType>false"],
    ["<isOptionToAcquireType>true", "<isOptionToAcquireType>false"],
    ["<item>06b</item><item>04</item>", "<item>4a5</item>"],
    ["<totalNumberAlreadyInvested>1<", "<totalNumberAlreadyInvested>12<"],
    [">Manufacturing<", ">Other Technology<"],
  );
  assert.match(
    open.observed_fact,
    / a private offering of securities under Securities Act Section 4\(a\)\(5\): \$1,250,000 sold of an indefinite amount to 12 investors, /,
  );
  assert.deepEqual(open.categories, []);
  const bare = await recordWith(
    [">$1 - $1,000,000<", ">Decline to Disclose<"],
    [">Manufacturing<", "><"],
    [">Old Maple Ltd.<", ">None<"],
    [">Maple &amp; Robotics Inc.<", ">Maple &amp; Robotics Inc. /DE/<"],
  );
  assert.match(bare.observed_fact, /^Maple & Robotics Inc\. \(Ottawa.* 2024-01-03\. CIK 12345\.$/);
  assert.doesNotMatch(bare.evidence[0]!.excerpt, /Decline/);
  assert.equal(bare.company_name, "Maple & Robotics Inc.");
  assert.equal(bare.facets.industry, undefined);
  const renamed = await recordWith(["<value>None</value>", "<value>Older Maple</value>"]);
  assert.deepEqual(renamed.facets.former_names, ["Old Maple Ltd.", "Older Maple"]);
});

Deno.test("form_d leaves out funds, test filings and issuers of other countries", async () => {
  const fund = "left out: a pooled investment fund";
  const elsewhere = "left out: an issuer outside Canada and the United States";
  for (
    const [from, to, outcome] of [
      [">Manufacturing<", ">Pooled Investment Fund<", fund],
      [
        "<isEquityType>true</isEquityType>",
        "<isPooledInvestmentFundType>true</isPooledInvestmentFundType>",
        fund,
      ],
      [">LIVE<", ">TEST<", "left out: a test filing"],
      [">A6<", ">E9<", elsewhere],
      [">A6<", ">B2<", elsewhere],
      [">A6<", ">XX<", "left out: an issuer whose country is not stated"],
    ] as const
  ) {
    assert.deepEqual(outcomesOf(await readAll(changed([[from, to]]))), [[1, outcome]]);
  }
});

Deno.test("form_d rejects an invalid document, and names the element", async () => {
  for (
    const [from, to, reason] of [
      ["<cik>0000012345</cik>", "", "cik: is empty"],
      [">0000012345<", ">ABC<", "cik: is not a number: ABC"],
      [">Maple &amp; Robotics Inc.<", "> <", "entityName: is empty"],
      [
        ">Maple &amp; Robotics Inc.<",
        `>${"A ".repeat(600)}<`,
        "entityName: has more than 1000 characters",
      ],
      [">A6<", "><", "stateOrCountry: is empty"],
      [">2024-01-03<", "><", "dateOfFirstSale (SALE_DATE): is empty"],
      [">2024-01-03<", ">2024-02-30<", "dateOfFirstSale (SALE_DATE): is not a date: 2024-02-30"],
      ["signatureDate>", "x>", "FILING_DATE (FILING-DATE, signatureDate): is empty"],
      [">2500000<", ">a lot<", "totalOfferingAmount: is not an amount: a lot"],
      [">1250000.25<", ">Indefinite<", "totalAmountSold: is not an amount: Indefinite"],
      ["<cik>", "<a>".repeat(100), "elements of the XML nest too deep"],
    ] as const
  ) {
    assert.deepEqual(outcomesOf(await readAll(changed([[from, to]]))), [[1, reason]]);
  }
});

Deno.test("form_d reads every submission of a file, and the fields of its own header", async () => {
  const second = (text: string) =>
    text.replaceAll("24-000007", "24-000008").replaceAll("021-50001", "021-50002")
      .replaceAll("0000012345<", "0000012346<");
  for (const first of [FEED, ARCHIVE]) {
    const entries = await readAll(first + second(first));
    const ids = entries.map((entry) => recordOf(entry).external_id);
    assert.deepEqual(ids, ["021-50001", "021-50002"]);
  }
  const three = [DOCUMENT, second(DOCUMENT).replace(/^<\?xml.*\n/, ""), DOCUMENT];
  const entries = await readAll(three.join(""));
  assert.deepEqual(entries.map(({ line }) => line), [1, 52, 102]);
  assert.ok(entries.every(({ judged }) => "record" in judged));
});

Deno.test("form_d refuses a file of another format", async () => {
  await assertUnreadable(formD, [
    ["", /^not Form D: neither XML, an EDGAR submission nor a ZIP$/],
    ["{}", /^not Form D: neither XML/],
    ["<?xml version='1.0'?><feed/>", /^not Form D: an XML document without edgarSubmission$/],
    ["<SUBMISSION>\n<TYPE>8-K\n", /^the submission holds no XML document$/],
    [DOCUMENT.slice(0, -20), /^the XML ends before its root element does$/],
    [
      "<?xml version='1.0'?>" + " ".repeat(1_048_576),
      /^the document is longer than 1048576 bytes$/,
    ],
  ]);
});
