/** Reads odd files by mappings, and asserts their records or the messages about them. */
import assert from "node:assert/strict";
import { parseMapping } from "../../../src/ingest/mapping/mapping.ts";
import type { SourceEntry } from "../../../src/ingest/record/entry.ts";
import { readerOfMapping } from "../../../src/ingest/mapping/read_mapped.ts";
import type { NormalRecord } from "../../../src/ingest/record/normalize.ts";
import { mapping } from "../../support/tender_mapping.ts";

const RETRIEVED = new Date("2026-11-27T00:00:00Z");

type Shown = [line: number, what: string | { left_out: string } | { reason: string }];

/** Reads a file. Each record is shown as its line, id, buyer, title, time and price. */
async function read(file: string | Uint8Array, text: string): Promise<Shown[]> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const shown: Shown[] = [];
  const stream = (async function* () {
    // The chunks are short, so that each of them ends within a row.
    for (let at = 0; at < bytes.length; at += 7) yield bytes.slice(at, at + 7);
  })();
  const entries = readerOfMapping(parseMapping(text))(stream, { retrieved_at: RETRIEVED });
  try {
    for await (const { line, judged } of entries) {
      shown.push([line, "record" in judged ? summary(judged.record) : judged]);
    }
  } catch (error) {
    shown.push([0, { reason: (error as Error).message }]);
  }
  return shown;
}

function summary({ external_id, company_name, evidence, occurred_at, facets }: NormalRecord) {
  const price = (facets as { amount?: { value: number } }).amount?.value ?? "-";
  return `${external_id}/${company_name}/${evidence[0]!.excerpt}/${occurred_at}/${price}`;
}

const FIRST: Shown = [2, "1/Acme/Pumps/2026-11-03T00:00:00.000Z/5"];

Deno.test("a mapping reads CSV with a mark, and with a repeated header", async () => {
  const file = "\ufeffid,buyer,title,date,price\n1,Acme,Pumps,2026-11-03,5\n" +
    "id,buyer,title,date,price\n2,Bolt,Pipes,2026-11-04,\n";
  assert.deepEqual(await read(file, mapping()), [
    FIRST,
    [3, { left_out: "the header line again" }],
    [4, "2/Bolt/Pipes/2026-11-04T00:00:00.000Z/-"],
  ]);
  const joined = file + "id,title,buyer,date,price\n3,Taps,Core,2026-11-04,\n";
  assert.deepEqual((await read(joined, mapping())).slice(3), [
    [0, { reason: "line 5 repeats the header in another order" }],
  ]);
  const otherwise = mapping({}, { "facets.amount.value": { from: "{price}", otherwise: "{low}" } });
  const floors = "id,buyer,title,date,price,low\n1,Acme,Pumps,2026-11-03,,0\n";
  assert.deepEqual(await read(floors, otherwise), [[2, "1/Acme/Pumps/2026-11-03T00:00:00.000Z/0"]]);
});

Deno.test("a mapping reads Windows-1252, and UTF-16 of either order", async () => {
  const text = "id,buyer,title,date,price\n1,Épicerie,Pumps,2026-11-03,5\n";
  const expected: Shown[] = [[2, "1/Épicerie/Pumps/2026-11-03T00:00:00.000Z/5"]];
  const windows = Uint8Array.from(text, (character) => character.charCodeAt(0));
  assert.deepEqual(await read(windows, mapping({ encoding: "windows-1252" })), expected);
  const units = [..."\ufeff" + text].map((character) => character.charCodeAt(0));
  const little = Uint8Array.from(units.flatMap((unit) => [unit & 255, unit >> 8]));
  const big = Uint8Array.from(units.flatMap((unit) => [unit >> 8, unit & 255]));
  assert.deepEqual(await read(little, mapping()), expected);
  assert.deepEqual(await read(big, mapping()), expected);
});

Deno.test("a deadline without a time ends with its day", async () => {
  const text = mapping({ dates: ["DD/MM/YYYY"] }, { expires_at: "{price}" }).replace(
    /"facets.amount.\w+":"[^"]+",/g,
    "",
  );
  const file = "id,buyer,title,date,price\n1,Acme,Pumps,2026-11-03,05/11/2026\n";
  const [{ judged }] = await entriesOf(file, text);
  assert.equal("record" in judged && judged.record.expires_at, "2026-11-05T23:59:59.000Z");
});

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

async function entriesOf(file: string, text: string, retrieved_at = RETRIEVED) {
  const entries = readerOfMapping(parseMapping(text))(oneChunk(file), { retrieved_at });
  return await Array.fromAsync(entries) as [SourceEntry, ...SourceEntry[]];
}

Deno.test("a row fails alone, with its number, its column and its value", async () => {
  const file = "id,buyer,title,date,price\n1,Acme,Pumps,2026-11-31,5\n2,,Pipes,2026-11-04,6\n" +
    "3,Core,Hoses\n4,Dell,Bolts,2026-11-03,5\n";
  assert.deepEqual(await read(file, mapping()), [
    [2, { reason: "occurred_at (date): is not a date: 2026-11-31" }],
    [3, { reason: "company.name (buyer): is empty" }],
    [4, { reason: "the row has 3 columns, the header 5" }],
    [5, "4/Dell/Bolts/2026-11-03T00:00:00.000Z/5"],
  ]);
});

Deno.test("a fault of the record names its field, its column and its value", async () => {
  const file = "id,buyer,title,date,price\n1,Acme,Pumps,2026-11-03,-5\n";
  const reason = "facets.amount.value (price): Too big: expected number to be <=1000000000000000: ";
  const big = [[2, { reason: `${reason}2e15` }]];
  assert.deepEqual(await read(file.replace("-5", "2e15"), mapping()), big);
  assert.deepEqual(await read(file, mapping()), [[2, "1/Acme/Pumps/2026-11-03T00:00:00.000Z/-"]]);
  const record = { "company.domains": "{title}" };
  const site = file.replace("-5", "5").replace("Pumps", "https://pumps.example/about");
  assert.deepEqual(await read(site, mapping({}, record)), [
    [2, "1/Acme/https://pumps.example/about/2026-11-03T00:00:00.000Z/5"],
  ]);
  assert.deepEqual(
    await read(file.replace("Pumps", "a b").replace("-5", "5"), mapping({}, record)),
    [[2, { reason: "company.domains (title): is not a hostname: a b" }]],
  );
  // The value is masked before it is cut, within the address.
  const dated = file.replace("2026-11-03", "on a day that is unknown: jane.doe@buyer.example");
  assert.deepEqual(await read(dated, mapping()), [
    [2, { reason: "occurred_at (date): is not a date: on a day that is unknown: [redacted]" }],
  ]);
});

Deno.test("paths that no row has are said at the end", async () => {
  const text = mapping({ format: "ndjson", contacts: ["who.nam"] }, {
    "expires_at": "{closng}",
    "facets.role": "{who}",
  });
  const row = { id: 1, buyer: "Acme", title: "Pumps", date: "2026-11-03", price: 5 };
  const lines = [{ ...row, who: { name: "Jo" } }, row].map((one) => JSON.stringify(one));
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const reader = readerOfMapping(parseMapping(text));
  await Array.fromAsync(reader(oneChunk(lines.join("\n")), { retrieved_at: RETRIEVED, say }));
  assert.deepEqual(said, ["no row has a value at: closng, who, who.nam"]);
  // A file without rows says nothing about paths.
  await Array.fromAsync(reader(oneChunk("\n"), { retrieved_at: RETRIEVED, say }));
  assert.equal(said.length, 1);
});

Deno.test("a mapping reads a pay with only a maximum, and a row without pay", async () => {
  const text = mapping({}, {
    "kind": "job_posting",
    "demand_class": "structural",
    "facets.amount.value": undefined,
    "facets.amount.currency": undefined,
    "facets.employment.pay.max": "{price}",
    "facets.employment.pay.currency": "CAD",
    "facets.employment.pay.period": "year",
    "facets.place.city": "{buyer}",
  });
  const rows = ["1,Montr&eacute;al,Welder,2026-11-03,90000", "2,Laval,Fitter,2026-11-03,"];
  const file = ["id,buyer,title,date,price", ...rows, ""].join("\n");
  const facets = (await entriesOf(file, text)).map(({ judged }) =>
    "record" in judged ? judged.record.facets : judged
  );
  const pay = { max: 90000, currency: "CAD", period: "year" };
  assert.deepEqual(facets, [
    { employment: { pay }, places: [{ city: "Montréal" }] },
    { places: [{ city: "Laval" }] },
  ]);
});

Deno.test("a mapping applies rules, splits cells and leaves rows out", async () => {
  const text = mapping({
    leave_out: [
      { from: "{date}", in: ["cancelled"], reason: "ended", ends: true },
      { from: "{title}", in: ["test", ""] },
    ],
  }, {
    "kind": {
      from: "{price}",
      rules: [{ in: ["job"], value: "job_posting" }, { in: ["bid"], value: "procurement_request" }],
    },
    "facets.unspsc": { from: "{date}", split: "|" },
    "facets.role": { from: "{date}", rules: [{ in: ["72101500 | 72102900"], value: "" }] },
    "facets.industry": { from: "{title}", rules: [{ in: ["x"], value: "X" }], otherwise: "" },
    "occurred_at": "2026-11-03T00:00:00Z",
    "facets.amount.value": undefined,
    "facets.amount.currency": undefined,
  });
  const file = "id,buyer,title,date,price\n1,Acme,Pumps,72101500 | 72102900,Job\n" +
    "2,Bolt,TEST,,bid\n3,Core,,,bid\n4,Dell,Bolts,,gift\n" +
    "5,Eton,Nuts,Cancelled,bid\n,Eton,Nuts,cancelled,bid\n6\u0000,Eton,Nuts,cancelled,bid\n7,Fox,Taps,,bid\n";
  const shown = (await entriesOf(file, text)).map(({ judged }) =>
    "record" in judged ? [judged.record.kind, judged.record.facets] : judged
  );
  assert.deepEqual(shown, [
    ["job_posting", { unspsc: ["72101500", "72102900"] }],
    { left_out: "title: TEST" },
    { left_out: "title: " },
    { reason: "kind (price): is not named by a rule: gift" },
    { left_out: "ended", ended: { source: "feed", external_id: "5" } },
    { reason: "external_id (id): is empty" },
    { reason: "external_id: holds control or hidden characters, or white space at an end" },
    ["procurement_request", {}],
  ]);
});

Deno.test("a mapping reads JSON rows by paths, with a null among them", async () => {
  const record = { "company.name": "{buyer.name}", "facets.technologies": "{tags}" };
  const row = {
    id: 1,
    buyer: { name: "Acme" },
    title: "Pumps",
    date: "2026-11-03",
    price: 5.5,
    tags: ["steel", "steam"],
  };
  const text = mapping({ format: "json", array: "rows" }, record).replace(
    "{buyer} requests",
    "{buyer.name} requests",
  );
  const document = JSON.stringify({ total: 2, rows: [row, null, { ...row, id: 2 }] });
  assert.deepEqual(await read(document, text), [
    [1, "1/Acme/Pumps/2026-11-03T00:00:00.000Z/5.5"],
    [1, { reason: "the row is not an object" }],
    [1, "2/Acme/Pumps/2026-11-03T00:00:00.000Z/5.5"],
  ]);
  const lines = `${JSON.stringify({ ...row, "buyer.name": "Bolt" })}\n{"id":\n`;
  assert.deepEqual(await read(lines, text.replace('"json","array":"rows"', '"ndjson"')), [
    [1, "1/Bolt/Pumps/2026-11-03T00:00:00.000Z/5.5"],
    [2, { reason: "the line is not JSON" }],
  ]);
  const columns = ["id", "buyer", "title", "date", "price"];
  const positions = mapping({ format: "json" })
    .replace(/\{(\w+)\}/g, (_, column: string) => `{${columns.indexOf(column)}}`);
  const [, first] = FIRST;
  assert.deepEqual(await read('[[1,"Acme","Pumps","2026-11-03",5]]', positions), [[1, first]]);
});

Deno.test("persons of a mapped row are masked everywhere in it", async () => {
  const file = "id,buyer,title,date,price,who\n" +
    '1,Acme,"Ask Jeanne Tremblay, jeanne@acme.example",2026-11-03,5,Jeanne Tremblay\n';
  assert.deepEqual(await read(file, mapping({ contacts: ["who"] })), [
    [2, "1/Acme/Ask [redacted], [redacted]/2026-11-03T00:00:00.000Z/5"],
  ]);
  const title = "Zhihao Public decides";
  const row = { id: 1, buyer: "Acme", title, date: "2026-11-03", price: 5 };
  const document = JSON.stringify([{ ...row, who: { name: "Zhihao Public" } }]);
  for (const path of ["who.name", "who"]) {
    const text = mapping({ format: "json", contacts: [path] });
    assert.deepEqual(await read(document, text), [
      [1, "1/Acme/[redacted] decides/2026-11-03T00:00:00.000Z/5"],
    ], path);
    const [{ raw }] = await entriesOf(document.replace("-03", "-99"), text);
    const who = path === "who" ? {} : { who: {} };
    assert.deepEqual(raw, { ...row, title: "[redacted] decides", date: "2026-11-99", ...who });
  }
  const equal = JSON.stringify({ ...row, date: "", who: [{ name: "Acme", fax: 5 }, null] });
  const hiding = mapping({ format: "ndjson", contacts: ["who.*.name", "who.0.fax"] });
  const [shown] = await entriesOf(equal, hiding);
  assert.deepEqual(shown.raw, { ...row, title, date: "", who: [{}, null] });
  const [{ raw }] = await entriesOf(file.replace("-03", "-99"), mapping({ contacts: ["who"] }));
  assert.doesNotMatch(JSON.stringify(raw), /who|Jeanne/);
  const named = "id,buyer,title,date,price\n1,Acme jo@acme.example,Pumps,2026-11-03,5\n";
  const facets = "role product counterpart industry document set_aside place.city place.metro";
  const lines = facets.split(" ").map((facet) => [`facets.${facet}`, "{buyer}"]);
  const [{ judged }] = await entriesOf(named, mapping({}, Object.fromEntries(lines)));
  assert.equal(JSON.stringify(judged).match(/Acme \[redacted\]"/g)?.length, 9);
});

Deno.test("columns that are missing or occur twice are refused by name", async () => {
  const file = "id,buyer,title,date\n1,Acme,Pumps,2026-11-03\n";
  assert.deepEqual(await read(file, mapping()), [
    [0, {
      reason:
        "not a file of the mapping feed; columns missing: price; its columns are: id, buyer, " +
        "title, date; if its header is in a later row, set `header_row` to the number of that row",
    }],
  ]);
  const doubled = "id,buyer,title,date,price,title\n1,Acme,Pumps,2026-11-03,5,Pipes\n";
  assert.deepEqual(await read(doubled, mapping()), [
    [0, { reason: "columns given more than once: title" }],
  ]);
});

Deno.test("an undated row of an unchanged file is the same record at a later time", async () => {
  const hashAt = async (retrieved_at: Date) => {
    const file = "id,buyer,title,date,price\n1,Acme,Pumps,2026-11-03,5\n";
    const text = mapping({}, { "observed_at": undefined });
    const [{ judged }] = await entriesOf(file, text, retrieved_at);
    return "record" in judged && judged.record.content_hash;
  };
  assert.equal(await hashAt(RETRIEVED), await hashAt(new Date("2026-11-28T00:00:00Z")));
});

Deno.test("a list of one element in XML is that element", async () => {
  const row = "<id>1</id><title>Pumps</title><date>2026-11-03</date><price>5</price>";
  const file = `<rows><row>${row}<buyer><name>Acme</name></buyer></row></rows>`;
  const text = mapping({ format: "xml", element: "row" }, { "company.name": "{buyer.name.*}" });
  assert.deepEqual(await read(file, text), [[1, "1/Acme/Pumps/2026-11-03T00:00:00.000Z/5"]]);
});

Deno.test("an element of XML that is too long is doubtful", async () => {
  const text = mapping({ format: "xml", element: "row" });
  const file = `<rows><row><id>1</id><title>${"x".repeat(1_100_000)}</title></row></rows>`;
  const reason = "the element is longer than 1048576 characters and elements";
  const [{ judged, doubt }] = await entriesOf(file, text);
  assert.deepEqual([judged, doubt], [{ reason }, reason]);
});
