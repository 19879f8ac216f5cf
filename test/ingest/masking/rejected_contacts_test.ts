import assert from "node:assert/strict";
import type { SourceEntry } from "../../../src/ingest/record/entry.ts";
import { canadabuys } from "../../../src/ingest/sources/canadabuys/canadabuys.ts";
import { COLUMNS, CONTACT_COLUMNS } from "../../../src/ingest/sources/canadabuys/cells.ts";
import { formD } from "../../../src/ingest/sources/form_d/form_d.ts";
import { gleif } from "../../../src/ingest/sources/gleif/gleif.ts";
import { greenhouse } from "../../../src/ingest/sources/greenhouse/greenhouse.ts";
import { homepage } from "../../../src/ingest/sources/homepage/homepage.ts";
import { remoteJobs } from "../../../src/ingest/sources/remote_jobs/remote_jobs.ts";
import { sam } from "../../../src/ingest/sources/sam/sam.ts";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import { SOLICITATION_COLUMNS } from "../../../src/ingest/sources/toronto/solicitation.ts";
import { csvOf, outcomesOf, readSource } from "../../support/reading.ts";
import { answer, extract } from "../../support/sam_notices.ts";

/** Returns the raw records that a rejection shows, in a file or on a terminal. */
const shown = (entries: readonly SourceEntry[]) => entries.map(({ raw }) => raw);

Deno.test("a rejected row is shown without contact columns, and with masked texts", async () => {
  const notice = {
    ...Object.fromEntries(Object.keys(COLUMNS).map((key) => [key, ""])),
    title: "Call Jane Doe: 613-998-8974",
    description: "Contact: Jane Doe\n" + "word ".repeat(200),
    contact: "Jane Doe",
    email: "jane.doe@dcc.ca",
  };
  const columns = { ...COLUMNS, contact: CONTACT_COLUMNS[0], email: CONTACT_COLUMNS[1] };
  const named: string[] = Object.values(COLUMNS);
  const [row] = shown(await readSource(canadabuys, csvOf(columns, [notice])));
  const cells = row as Record<string, string>;
  const unread = Object.keys(cells).filter((name) => !named.includes(name));
  assert.deepEqual(unread, []);
  assert.equal(cells[COLUMNS.title], "Call [redacted]: [redacted]");
  const description = cells[COLUMNS.description]!;
  assert.ok(description.startsWith("Contact: [redacted] word word"));
  assert.ok(description.length <= 500 && description.endsWith("word…"));
});

Deno.test("a rejected solicitation does not show its buyer", async () => {
  const columns = { ...SOLICITATION_COLUMNS, buyer: "Buyer Name", email: "Buyer Email" };
  const row = { number: "", type: "RFP", buyer: "Jane Doe", email: "jane.doe@toronto.ca" };
  const entries = await readSource(toronto, csvOf(columns, [row]));
  assert.deepEqual(outcomesOf(entries), [[2, "Document Number: is empty"]]);
  assert.deepEqual(shown(entries), [{
    "Document Number": "",
    "RFx (Solicitation) Type": "RFP",
    "NOIP (Notice of Intended Procurement) Type": "",
    "Issue Date": "",
    "Submission Deadline": "",
    "Solicitation Document Description": "",
  }]);
});

Deno.test("a rejected notice of SAM.gov shows no point of contact, as JSON or CSV", async () => {
  const json = answer({ noticeId: "", title: "Ask jane.doe@gsa.gov" }, {})
    .replace("\n]}", ',\n{"pointOfContact": "Jane Doe", }]}');
  const rejected = (await readSource(sam, json)).filter(({ judged }) => "reason" in judged);
  assert.deepEqual(outcomesOf(rejected), [
    [2, "noticeId: is empty"],
    [4, "the element is not JSON"],
  ]);
  const [element, damaged] = shown(rejected);
  assert.equal((element as { title: string }).title, "Ask [redacted]");
  assert.equal((element as { posted: string }).posted, "2026-02-02");
  assert.equal(damaged, null);
  const table = extract({ NoticeId: "", Description: "Jane Doe, jane.doe@nps.gov" }) +
    "Jane Doe,jane.doe@nps.gov\r\n";
  const rows = shown(await readSource(sam, table));
  assert.equal((rows[0] as Record<string, string>).Description, "[redacted], [redacted]");
  assert.equal(rows[1], null);
  assert.doesNotMatch(JSON.stringify([element, rows]), /Jane|jane|555/);
});

Deno.test("a rejected Form D shows no officer and no signatory", async () => {
  const person = "<firstName>Jane</firstName><lastName>Doe</lastName>";
  const document = `<?xml version="1.0"?><edgarSubmission><primaryIssuer><cik>x</cik>` +
    "<issuerAddress><stateOrCountry>NY</stateOrCountry></issuerAddress></primaryIssuer>" +
    `<relatedPersonsList>${person}</relatedPersonsList></edgarSubmission>`;
  const wellFormed = await readSource(formD, document);
  assert.deepEqual(outcomesOf(wellFormed), [[1, "cik: is not a number: x"]]);
  assert.equal((shown(wellFormed)[0] as { cik: string }).cik, "x");
  const broken = await readSource(formD, document.replace("<cik>", "<a>".repeat(100)));
  assert.deepEqual(outcomesOf(broken), [[1, "elements of the XML nest too deep"]]);
  assert.deepEqual(shown(broken), [null]);
  assert.doesNotMatch(JSON.stringify(shown(wellFormed)), /Jane|Doe/);
});

Deno.test("a rejected company page shows masked fields, and not its body", async () => {
  const page = {
    title: "Acme",
    slug: "acme",
    website: "jane.doe@acme.example",
    technologies: ["Contact: Jane Doe"],
    body_markdown: "## How to apply\n\nContact: Jane Doe",
  };
  const damaged = JSON.stringify(page).slice(0, -1);
  const entries = await readSource(remoteJobs, `${JSON.stringify(page)}\n${damaged}\n`);
  assert.deepEqual(outcomesOf(entries), [
    [1, "website: is not a web address: [redacted]"],
    [2, "the line is not JSON"],
  ]);
  const fields = { website: "[redacted]", technologies: ["Contact: [redacted]"] };
  assert.deepEqual(shown(entries).map((raw) => JSON.parse(JSON.stringify(raw))), [
    { title: "Acme", slug: "acme", ...fields },
    null,
  ]);
});

Deno.test("a rejected LEI record shows no address line", async () => {
  const record = {
    LEI: { $: "x" },
    Entity: {
      LegalName: { $: "Acme" },
      LegalAddress: { FirstAddressLine: { $: "c/o Jane Doe" }, City: { $: "Toronto" } },
    },
  };
  const line = JSON.stringify(record);
  const broken = line.replace('"x"', '"x",');
  for (const file of [`${line}\n${broken}\n`, `{"records":[${line},${broken}]}`]) {
    const [rejected, damaged] = shown(await readSource(gleif, file));
    assert.equal((rejected as { legal_city: string }).legal_city, "Toronto");
    assert.equal(damaged, null);
    assert.doesNotMatch(JSON.stringify(rejected), /Jane|Doe/);
  }
});

Deno.test("a rejected home page shows a masked title and description", async () => {
  const page = '<html><title>Contact: Jane Doe</title><meta name="description" ' +
    'content="Write to jane.doe@acme.example"></html>';
  const entries = await readSource(homepage, page);
  assert.deepEqual(outcomesOf(entries), [[
    1,
    "the hostname of the page is not known: state it by --company and --domain",
  ]]);
  const [{ title, description }] = shown(entries) as [{ title: string; description: string }];
  assert.deepEqual([title, description], ["Contact: [redacted]", "Write to [redacted]"]);
});

Deno.test("an invalid element of a job board shows only its number", async () => {
  const board = '{"jobs":[{"title":"Contact:\\nJane Doe",}]}';
  const entries = await readSource(greenhouse, board);
  assert.deepEqual(outcomesOf(entries), [[1, "the element is not JSON"]]);
  assert.deepEqual(shown(entries), [{ element: 1 }]);
});
