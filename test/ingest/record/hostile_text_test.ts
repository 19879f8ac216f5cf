import assert from "node:assert/strict";
import fc from "fast-check";
import { EMAIL, emailsOf, maskContacts } from "../../../src/ingest/masking/contacts.ts";
import { maskContactNames } from "../../../src/ingest/masking/contact_names.ts";
import {
  CELLS_CHARACTERS,
  CONTACT_ROW_CHARACTERS,
  readTable,
} from "../../../src/ingest/formats/csv.ts";
import { COLUMNS_MAX } from "../../../src/ingest/formats/csv_shape.ts";
import { RejectionFile } from "../../../src/ingest/record/rejections.ts";
import { parseRobots } from "../../../src/ingest/fetch/robots.ts";
import { ATTRIBUTES_MAX, readHtmlPage } from "../../../src/ingest/formats/html_page.ts";
import { parseJson, readElements } from "../../../src/ingest/formats/json.ts";
import { readLines } from "../../../src/ingest/formats/lines.ts";
import { findOrganization } from "../../../src/ingest/sources/homepage/linked_organization.ts";
import { MASKED_CHARACTERS, maskedParagraphs } from "../../../src/ingest/masking/mask_text.ts";
import { textOfMarkdown } from "../../../src/ingest/text/markdown.ts";
import {
  cleanLine,
  cleanParagraphs,
  cutAtWord,
  textOfMarkup,
  withoutEnding,
} from "../../../src/ingest/text/clean_text.ts";
import { CompanySearchRequest } from "../../../src/contract/search.ts";
import { normalizeHostname } from "../../../src/contract/hostname.ts";
import { isDateFormat } from "../../../src/ingest/formats/xlsx_dates.ts";
import { sampleOf } from "../../../src/ingest/mapping/sample.ts";
import { numberIn } from "../../../src/ingest/mapping/values.ts";
import { payOfText } from "../../../src/ingest/classify/pay.ts";
import { countryOfPlace } from "../../../src/ingest/classify/places.ts";
import { countryOfCompany } from "../../../src/ingest/sources/remote_jobs/page.ts";
import { departmentsOf } from "../../../src/ingest/sources/kit/job_terms.ts";
import { isCancelled, summaryOf } from "../../../src/ingest/sources/toronto/description.ts";
import { technologiesIn } from "../../../src/ingest/classify/technologies.ts";
import { languageOf, wordsOf } from "../../../src/search/words/tokens.ts";
import { isLinear, isSliced, timeOf } from "../../support/growth.ts";

/** Functions that read a text of any length. */
const READERS: Record<string, (text: string) => unknown> = {
  maskContacts,
  maskContactNames,
  cleanLine,
  cleanParagraphs,
  textOfMarkup,
  textOfMarkdown,
  countryOfPlace,
  countryOfCompany: (text) => countryOfCompany(new Map([["office locations", text]])),
  parseJson,
  technologiesIn: (text) => technologiesIn(text, text),
  payOfText: (text) => payOfText(text, "CA"),
  departmentsOf: (text) => departmentsOf([text]),
  summaryOf,
  isCancelled: (text) => isCancelled(text, "1234567890"),
  languageOf: (text) => languageOf(wordsOf(text)),
  cutAtWord: (text) => cutAtWord(text, text.length - 1),
  withoutEnding: (text) => withoutEnding(text, /[\s,]/),
  numberIn: (text) => numberIn(`1${text}1`, "."),
  isDateFormat: (text) => isDateFormat(200, text),
  normalizeHostname,
  sampleOf: (text) => sampleOf(oneChunk(`{"a":${text}`)).catch(() => {}),
  query: (query) => CompanySearchRequest.safeParse({ query }),
  instant: (occurred_after) =>
    CompanySearchRequest.safeParse({ query: "a", filters: { occurred_after } }),
};

/** Texts that start a match of some pattern, but do not complete it. The test repeats each one. */
const PUMPS = [
  ..."a1A*<&[`_ \n\t,-.;:()@/é",
  ..."a.|a@|a@b.|%40a|@ |1 |613-|00 44 1 |613 998 |613-998-8974/|+1 2 |tel: 1|tel no ".split("|"),
  ..."Contact: Jo |Aa de la Bb |Aa Bb, at by |agente x|jane.doe@x.ca |name: Aa\n".split("|"),
  ..."<p a|<a mailto:>|<!--|<script>|</|&amp|&lt;p&gt;|[a](|![|[^|**|<http:|# ".split("|"),
  ...' \n|\u200b|a\u0301\u0323|\u0301\u0323|T|漢|1,|ﷺ|1)|*a|R&D |é.a |x-|see |ontario |canada, |\\|"|"a":'
    .split("|"),
];

Deno.test("functions that read text take linear time for any repeated text", async () => {
  const slow: string[] = [];
  for (const [name, read] of Object.entries(READERS)) {
    for (const pump of PUMPS) {
      for (const end of ["", "\0ﬃ", " 00:0"]) {
        const textOf = (size: number) => pump.repeat(size / pump.length) + end;
        const [small, large] = [textOf(2_000), textOf(32_000)];
        // Measures growth only if three attempts are slow. A busy machine may delay one attempt.
        const isFast = async () => await timeOf(() => read(large)) < 25;
        if (await isFast() || await isFast() || await isFast()) continue;
        if (!await isLinear(() => read(small), () => read(large), 16)) {
          slow.push(`${name} of ${JSON.stringify(`${pump}…${end}`)}`);
        }
      }
    }
  }
  assert.deepEqual(slow, []);
});

Deno.test("emailsOf() finds the matches of EMAIL", () => {
  const pattern = new RegExp(EMAIL, "gu");
  const unit = fc.constantFrom(
    ..."ab.-_1 @＠([{)]}𝒜é",
    " at ",
    "[at]",
    "%40",
    " [dot] ",
    ".ca",
    "Z",
    "\n",
  );
  const text = fc.array(unit, { maxLength: 40 }).map((units) => units.join(""));
  const long = fc.tuple(text, fc.integer({ min: 60, max: 70 }), text)
    .map(([before, count, after]) => `${before}${"x".repeat(count)}@b.ca${after}`);
  fc.assert(
    fc.property(fc.oneof(text, long), (text) => {
      const expected = [...text.matchAll(pattern)].map(({ 0: email, index }) => ({
        start: index,
        end: index + email.length,
      }));
      assert.deepEqual([...emailsOf(text)], expected);
    }),
    { numRuns: 2_000 },
  );
});

async function* oneChunk(text: string) {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

const drain = async (lines: AsyncIterable<unknown>) => {
  for await (const _ of lines);
};

Deno.test("functions that read streams yield to the event loop within one chunk", async () => {
  const readers: Record<string, () => Promise<unknown>> = {
    lines: () => drain(readLines(oneChunk("{}\n".repeat(200_000)))),
    elements: () => drain(readElements(oneChunk(`[${"0,".repeat(200_000)}0]`))),
    page: () => readHtmlPage(oneChunk("<p>".repeat(400) + "<i></i>".repeat(150_000))),
    robots: () => parseRobots("a:\n".repeat(150_000), "company-evidence"),
  };
  for (const [name, read] of Object.entries(readers)) assert.ok(await isSliced(read), name);
});

Deno.test("readTable() refuses rows and headers with too many columns", async () => {
  const read = async (text: string) => {
    const table = {
      title: "a table",
      columns: { first: "a" },
      judge: () => ({ left_out: "read" }),
    };
    const reasons: unknown[] = [];
    for await (const { judged } of readTable(oneChunk(text), table)) reasons.push(judged);
    return reasons;
  };
  const reason = `the row has more than ${COLUMNS_MAX} columns`;
  assert.deepEqual(await read("a\n" + ",".repeat(COLUMNS_MAX) + "\n"), [{ reason }]);
  assert.deepEqual(await read("a\n" + '"",'.repeat(COLUMNS_MAX) + "\n"), [{ reason }]);
  assert.deepEqual(await read(`a\n"${",".repeat(COLUMNS_MAX)}"\n`), [{ left_out: "read" }]);
  await assert.rejects(
    read("a" + ",b".repeat(COLUMNS_MAX)),
    /^UnreadableSource: the header line has more than 1000 columns/,
  );
});

Deno.test("findOrganization() reads only one of many organizations that share an address", () => {
  let reads = 0;
  const place = {
    "@id": "#place",
    "@type": "PostalAddress",
    get addressLocality() {
      reads++;
      return "Toronto";
    },
    addressCountry: "CA",
  };
  const location = Array.from({ length: 20 }, () => ({ "@id": "#place" }));
  const organizations = Array.from({ length: 1_000 }, (_, n) => ({
    "@type": "Organization",
    name: `Acme ${n}`,
    address: { "@id": "#place" },
  }));
  const organization = findOrganization([place, organizations, { location }], "acme.example");
  assert.equal(organization?.name, "Acme 0");
  assert.equal(organization.country, "CA");
  assert.equal(reads, 1);
});

Deno.test("findOrganization() reads an address once, even if many locations share it", () => {
  let reads = 0;
  const address = {
    "@id": "#address",
    "@type": "PostalAddress",
    get addressLocality() {
      reads++;
      return "Toronto ".repeat(5_000);
    },
    addressCountry: "CA",
  };
  const references = (id: string) => Array.from({ length: 20 }, () => ({ "@id": id }));
  const place = { "@id": "#place", address: references("#address") };
  const organization = { "@type": "Organization", name: "Acme", location: references("#place") };
  const read = findOrganization([address, place, organization], "acme.example")!;
  assert.equal(reads, 1);
  assert.equal(read.country, "CA");
  assert.ok(read.place.length < 400, `${read.place.length} characters`);
});

Deno.test("RejectionFile prints rejections that it cannot write, and cuts their long texts", () => {
  const said: string[] = [];
  using rejections = new RejectionFile("/dev/null/x", (line) => said.push(line));
  const rejection = { line: 1, reason: "the line is not JSON", record: "x".repeat(20_000) };
  for (let count = 0; count < 2; count++) rejections.add(rejection);
  assert.match(said[0]!, /^rejected records are printed, .* cannot be written: no file.* pipe -/);
  const shown = { ...rejection, record: "x".repeat(9_999) + "…" };
  assert.deepEqual(said.slice(1).map((line) => JSON.parse(line)), [shown, shown]);
});

Deno.test("maskedParagraphs() keeps only the masked start of a long text", () => {
  const END = " the end";
  const masked = maskedParagraphs("Contact: Jo Doe\n".repeat(MASKED_CHARACTERS / 16) + END);
  assert.ok(!masked.includes(END.trim()));
  assert.ok(!masked.includes("Doe"));
  assert.ok(maskedParagraphs("x ".repeat(MASKED_CHARACTERS / 2 - END.length) + END).endsWith(END));
});

Deno.test("readTable() refuses rows with too many characters outside of descriptions", async () => {
  const columns = { first: "a", second: "b", description: "c" };
  const judge = () => ({ left_out: "read" });
  const table = { title: "a table", columns, descriptions: ["description"] as const, judge };
  const half = "x".repeat(CELLS_CHARACTERS / 2);
  const judged: unknown[] = [];
  for await (
    const entry of readTable(oneChunk(`a,b,c\n${half},${half},${half}\n${half},${half}y,\n`), table)
  ) judged.push(entry.judged);
  const reason = `the row has more than ${CELLS_CHARACTERS} characters in short cells`;
  assert.deepEqual(judged, [{ left_out: "read" }, { reason }]);
});

Deno.test("readTable() refuses rows that are too long for masking their contacts", async () => {
  const reasonsOf = async (contacts: string[] | undefined, length: number) => {
    const columns = { first: "a", second: "b" };
    const table = { title: "a table", columns, contacts, descriptions: ["second"] as const };
    const reasons: unknown[] = [];
    const text = `a,b\nJoanna Smith,${"Mr. J. ".repeat(length / 7)}\n`;
    const judge = () => ({ left_out: "read" });
    for await (const { judged } of readTable(oneChunk(text), { ...table, judge })) {
      reasons.push(judged);
    }
    return reasons;
  };
  const reason = `the row has more than ${CONTACT_ROW_CHARACTERS} characters in masked columns`;
  assert.deepEqual(await reasonsOf(["a"], CONTACT_ROW_CHARACTERS), [{ reason }]);
  assert.deepEqual(await reasonsOf(["a"], CONTACT_ROW_CHARACTERS - 100), [{ left_out: "read" }]);
  assert.deepEqual(await reasonsOf(undefined, CONTACT_ROW_CHARACTERS), [{ left_out: "read" }]);
});

Deno.test("findOrganization() returns only the start of a long text", () => {
  const organization = { "@type": "Organization", name: "Acme", description: "x".repeat(100_000) };
  assert.equal(findOrganization([organization], "acme.example")!.description.length, 10_000);
});

Deno.test("readHtmlPage() stops reading at an element with too many attributes", async () => {
  const titleOf = async (count: number) => {
    const attributes = Array.from({ length: count }, (_, n) => `a${n}=b`).join(" ");
    const page = `<p ${attributes}><title>Acme</title>`;
    return await readHtmlPage(oneChunk("<html>" + page)).then(({ title }) => title);
  };
  assert.equal(await titleOf(ATTRIBUTES_MAX), "Acme");
  assert.equal(await titleOf(ATTRIBUTES_MAX + 1), "");
});
