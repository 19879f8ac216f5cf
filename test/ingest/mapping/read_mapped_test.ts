/** Reads odd files by mappings, and asserts their records or the messages about them. */
import assert from "node:assert/strict";
import { type Mapping, MappingFault, parseMapping } from "../../../src/ingest/mapping/mapping.ts";
import { readerOfMapping } from "../../../src/ingest/mapping/read_mapped.ts";
import type { NormalRecord } from "../../../src/ingest/record/normalize.ts";
import { PRICED_TENDER } from "../../support/tender_mapping.ts";

const RETRIEVED = new Date("2026-11-27T00:00:00Z");

/** A mapping of a file with the columns id, buyer, title, date and price. */
function mapping(part: Partial<Mapping> = {}, record: Record<string, unknown> = {}): string {
  return JSON.stringify({
    source: "feed",
    format: "csv",
    ...part,
    record: { ...PRICED_TENDER, ...record },
  });
}

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
  const otherwise = mapping({}, { "facets.amount.value": { from: "{price}", otherwise: "{low}" } });
  const floors = "id,buyer,title,date,price,low\n1,Acme,Pumps,2026-11-03,,5\n";
  assert.deepEqual(await read(floors, otherwise), [FIRST]);
});

Deno.test("a mapping reads cells with delimiters, quotes and line breaks", async () => {
  const semicolons =
    'id;buyer;title;date;price\n1;"Acme; Sons";"Pumps\nand ""pipes""";2026-11-03;5\n' +
    "2;Bolt;Pipes;2026-11-04;6\n";
  assert.deepEqual(await read(semicolons, mapping({ delimiter: ";" })), [
    [2, '1/Acme; Sons/Pumps\nand "pipes"/2026-11-03T00:00:00.000Z/5'],
    [4, "2/Bolt/Pipes/2026-11-04T00:00:00.000Z/6"],
  ]);
  const tabs = 'id\tbuyer\ttitle\tdate\tprice\n1\tAcme\tA 5" pump\t2026-11-03\t5\n';
  assert.deepEqual(await read(tabs, mapping({ delimiter: "\t" })), [
    [2, '1/Acme/A 5" pump/2026-11-03T00:00:00.000Z/5'],
  ]);
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

Deno.test("a mapping reads dates in three orders, in its time zone", async () => {
  const forms = [
    ["DD/MM/YYYY", "04/11/2026", "2026-11-04T05:00:00.000Z"],
    ["MM/DD/YYYY HH:mm", "11/04/2026 14:30", "2026-11-04T19:30:00.000Z"],
    ["YYYY.M.D", "2026.7.4", "2026-07-04T04:00:00.000Z"],
  ] as const;
  for (const [form, date, expected] of forms) {
    const text = mapping({ dates: [form], time_zone: "America/Toronto" });
    const [row] = await read(`id,buyer,title,date,price\n1,Acme,Pumps,${date},5\n`, text);
    assert.deepEqual(row, [2, `1/Acme/Pumps/${expected}/5`], form);
  }
});

Deno.test("a deadline without a time ends with its day", async () => {
  const text = mapping({ dates: ["DD/MM/YYYY"] }, { expires_at: "{price}" }).replace(
    /"facets.amount.\w+":"[^"]+",/g,
    "",
  );
  const reader = readerOfMapping(parseMapping(text));
  const file = "id,buyer,title,date,price\n1,Acme,Pumps,2026-11-03,05/11/2026\n";
  for await (const { judged } of reader(oneChunk(file), { retrieved_at: RETRIEVED })) {
    assert.ok("record" in judged);
    assert.equal(judged.record.expires_at, "2026-11-05T23:59:59.000Z");
  }
});

async function* oneChunk(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

Deno.test("a mapping reads prices in their forms, and refuses the others", async () => {
  const price = async (text: string, decimal: "," | ".") => {
    const file = `id\tbuyer\ttitle\tdate\tprice\n1\tAcme\tPumps\t2026-11-03\t${text}\n`;
    const [row] = await read(file, mapping({ decimal, delimiter: "\t" }));
    return typeof row![1] === "string" ? row![1].split("/").at(-1) : row![1];
  };
  const refused = (text: string) => ({
    reason: `facets.amount.value (price): is not a number: ${text}`,
  });
  assert.equal(await price("125 000,50 $", ","), "125000.5");
  assert.equal(await price("125\u00a0000,50 $", ","), "125000.5");
  assert.equal(await price("1.250.000", ","), "1250000");
  assert.equal(await price("CAD 1,250,000.75", "."), "1250000.75");
  assert.deepEqual(await price("125000,50", "."), refused("125000,50"));
  assert.deepEqual(await price("12.34", ","), refused("12.34"));
  assert.deepEqual(await price("on request", "."), refused("on request"));
});

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

Deno.test("a file that was cut in its last row is refused at its end", async () => {
  const file = 'id,buyer,title,date,price\n1,Acme,Pumps,2026-11-03,5\n2,Bolt,"Pip';
  const rows = await read(file, mapping());
  assert.deepEqual(rows[0], FIRST);
  assert.deepEqual(rows.at(-1), [0, { reason: "the file ends within a record" }]);
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
    "occurred_at": "2026-11-03T00:00:00Z",
    "facets.amount.value": undefined,
    "facets.amount.currency": undefined,
  });
  const file = "id,buyer,title,date,price\n1,Acme,Pumps,72101500 | 72102900,Job\n" +
    "2,Bolt,TEST,,bid\n3,Core,,,bid\n4,Dell,Bolts,,gift\n" +
    "5,Eton,Nuts,Cancelled,bid\n,Eton,Nuts,cancelled,bid\n6\u0000,Eton,Nuts,cancelled,bid\n";
  const reader = readerOfMapping(parseMapping(text));
  const shown: unknown[] = [];
  for await (const { judged } of reader(oneChunk(file), { retrieved_at: RETRIEVED })) {
    shown.push("record" in judged ? [judged.record.kind, judged.record.facets] : judged);
  }
  assert.deepEqual(shown, [
    ["job_posting", { unspsc: ["72101500", "72102900"] }],
    { left_out: "title: TEST" },
    { left_out: "title: " },
    { reason: "kind (price): is not named by a rule: gift" },
    { left_out: "ended", ended: { source: "feed", external_id: "5" } },
    { reason: "external_id (id): is empty" },
    { reason: "external_id: holds control or hidden characters, or white space at an end" },
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
  const lines = `${JSON.stringify(row)}\n{"id":\n`;
  assert.deepEqual(await read(lines, text.replace('"json","array":"rows"', '"ndjson"')), [
    [1, "1/Acme/Pumps/2026-11-03T00:00:00.000Z/5.5"],
    [2, { reason: "the line is not JSON" }],
  ]);
});

Deno.test("persons of a mapped row are masked everywhere in it", async () => {
  const file = "id,buyer,title,date,price,who\n" +
    '1,Acme,"Ask Jeanne Tremblay, jeanne@acme.example",2026-11-03,5,Jeanne Tremblay\n';
  assert.deepEqual(await read(file, mapping({ contacts: ["who"] })), [
    [2, "1/Acme/Ask [redacted], [redacted]/2026-11-03T00:00:00.000Z/5"],
  ]);
  const row = {
    id: 1,
    buyer: "Acme",
    title: "Zhihao Public decides",
    date: "2026-11-03",
    price: 5,
  };
  const document = JSON.stringify([{ ...row, who: { name: "Zhihao Public" } }]);
  assert.deepEqual(await read(document, mapping({ format: "json", contacts: ["who.name"] })), [
    [1, "1/Acme/[redacted] decides/2026-11-03T00:00:00.000Z/5"],
  ]);
});

Deno.test("unknown columns and fields, and faulty mappings, are refused by name", async () => {
  const file = "id,buyer,title,date\n1,Acme,Pumps,2026-11-03\n";
  assert.deepEqual(await read(file, mapping()), [
    [0, {
      reason:
        "not a file of the mapping feed; columns missing: price; its columns are: id, buyer, " +
        "title, date",
    }],
  ]);
  const doubled = "id,buyer,title,date,price,title\n1,Acme,Pumps,2026-11-03,5,Pipes\n";
  assert.deepEqual(await read(doubled, mapping()), [
    [0, { reason: "columns given more than once: title" }],
  ]);
  const faults: [string, RegExp][] = [
    ["{", /the mapping is not JSON/],
    [mapping({}, { "compny.name": "x" }), /record: there is no field compny\.name/],
    [mapping({}, { "external_id": undefined }), /record → external_id: /],
    [mapping({}, { "external_id": "{id" }), /a brace without its partner in "\{id"/],
    [mapping({}, { "external_id": "TO DO: x" }), /record → external_id: is still to do/],
    [mapping({ time_zone: "Mars/Base" }), /there is no time zone Mars\/Base/],
    [mapping({ dates: ["DD/MM"] }), /dates: DD\/MM: YYYY, MM and DD are required/],
  ];
  for (const [text, message] of faults) {
    assert.throws(() => readerOfMapping(parseMapping(text)), (error) => {
      assert.ok(error instanceof MappingFault);
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("an undated row of an unchanged file is the same record at a later time", async () => {
  const hashAt = async (retrieved_at: Date) => {
    const file = oneChunk("id,buyer,title,date,price\n1,Acme,Pumps,2026-11-03,5\n");
    const reader = readerOfMapping(parseMapping(mapping({}, { "observed_at": undefined })));
    const [entry] = await Array.fromAsync(reader(file, { retrieved_at }));
    return "record" in entry!.judged && entry!.judged.record.content_hash;
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
  const reader = readerOfMapping(parseMapping(text));
  const reason = "the element is longer than 1048576 characters and elements";
  const [{ judged, doubt } = {}] = await Array.fromAsync(
    reader(oneChunk(file), { retrieved_at: RETRIEVED }),
  );
  assert.deepEqual([judged, doubt], [{ reason }, reason]);
});
