/** Reads odd files by mappings: the right records, or a message with row and column. */
import assert from "node:assert/strict";
import { type Mapping, parseMapping } from "../../../src/ingest/mapping/mapping.ts";
import { readerOfMapping } from "../../../src/ingest/mapping/read_mapped.ts";
import type { NormalRecord } from "../../../src/ingest/record/normalize.ts";
import { PRICED_TENDER } from "../../support/tender_mapping.ts";
import { sheetRow, workbook } from "../../support/workbook.ts";

interface OddFile {
  name: string;
  file: string | Uint8Array;
  mapping?: Partial<Omit<Mapping, "record">>;
  /** Each row as "number: id, company, title, date, price", or with the reason. */
  rows: string[];
}

const HEADER = "id,buyer,title,date,price\n";
const PUMPS = "1, Acme, Pumps, 2026-11-03, 5";
const PIPES = "2, Bolt, Pipes, 2026-11-04, 6";

/** Bytes of a text in Windows-1252. */
const windows1252 = (text: string) => Uint8Array.from(text, (one) => one.charCodeAt(0));

const TITLES = ["id", "buyer", "title", "date", "price"];
const date = (day: number) => `<c s="0"><v>${day}</v></c>`;

const FILES: OddFile[] = [
  {
    name: "semicolons between cells, and commas within them",
    file: 'sep=;\nid;buyer;title;date;price\n1;"Acme; Sons";Pumps, pipes;2026-11-03;5\n',
    mapping: { delimiter: ";" },
    rows: ["3: 1, Acme; Sons, Pumps, pipes, 2026-11-03, 5"],
  },
  {
    name: "tabs between cells, quotes within them, and a title above the header",
    file: 'Bids\n"\nid\tbuyer\ttitle\tdate\tprice\n1\tAcme\tA 5" pump\t2026-11-03\t5\n',
    mapping: { delimiter: "\t", header_row: 3 },
    rows: ['4: 1, Acme, A 5" pump, 2026-11-03, 5'],
  },
  {
    name: "tabs between quoted cells, as Excel writes them",
    file: 'id\tbuyer\ttitle\tdate\tprice\n1\t"Acme, Inc."\t"Old ""new""\npumps"\t2026-11-03\t\n',
    mapping: { delimiter: "\t" },
    rows: ['2: 1, Acme, Inc., Old "new"\npumps, 2026-11-03, -'],
  },
  {
    name: "a mark of UTF-8 against another encoding",
    file: `\ufeff${HEADER}1,Acmé,Pumps,2026-11-03,5\n`,
    mapping: { encoding: "windows-1252" },
    rows: ["2: 1, Acmé, Pumps, 2026-11-03, 5"],
  },
  {
    name: "UTF-8 as Windows-1252",
    file: '{"buyer":"Acmé"}\n',
    mapping: { encoding: "windows-1252", format: "ndjson" },
    rows: ["the file is in UTF-8, but its mapping names windows-1252"],
  },
  {
    name: "lines of UTF-8, one of which is cut, among lines of Windows-1252",
    file: windows1252(
      `${HEADER}1,Ac\xe9,T,2026-11-03,5\n2,Ac\xc3\xa9,T,2026-11-04,6\n` +
        "3,\xc3\xa9t\xc3\xa9\xc3,T,2026-11-05,7\n",
    ),
    mapping: { encoding: "windows-1252" },
    rows: [
      "2: 1, Acé, T, 2026-11-03, 5",
      "3: 2, Acé, T, 2026-11-04, 6",
      "4: the row is not valid UTF-8",
    ],
  },
  {
    name: "lines that end with CR",
    file: `${HEADER}1,Acme,Pumps,2026-11-03,5\n`.repeat(200).replaceAll("\n", "\r"),
    rows: ["the lines end with CR alone; save the file with line ends of LF or CRLF"],
  },
  {
    name: "UTF-16 without a mark",
    file: Uint8Array.from([...HEADER].flatMap((one) => [one.charCodeAt(0), 0])),
    rows: [
      "the file seems to be in UTF-16; save it as UTF-8, or name `encoding` utf-16le or utf-16be " +
      "in a mapping",
    ],
  },
  {
    name: "a list and rounded ids in lines of NDJSON",
    file: '[{"id":1}]\n{"id":1e400}\n{"id":12345678901234567890.5}\n',
    mapping: { format: "ndjson" },
    rows: [
      "1: the row is a list; a list of rows has the format json",
      "2: id: is rounded (Infinity); a long id has to be stored as text",
      "3: id: is rounded (12345678901234567000); a long id has to be stored as text",
    ],
  },
  {
    name: "a long column that is not mapped",
    file: HEADER.replace("\n", ",notes\n") + `1,Acme,Pumps,2026-11-03,5,${"x".repeat(140_000)}\n`,
    mapping: { contacts: ["title"] },
    rows: [`2: ${PUMPS}`],
  },
  {
    name: "a quoted line break",
    file: HEADER + '1,Acme,"Pumps\nand ""pipes""",2026-11-03,"5"\r\r\n2,Bolt,Pipes,2026-11-04,6\n',
    rows: ['2: 1, Acme, Pumps\nand "pipes", 2026-11-03, 5', `4: ${PIPES}`],
  },
  {
    name: "decimal commas and currencies",
    file: HEADER + '1,Acme,Pumps,2026-11-03,"125 000,50 $"\n2,Bolt,Pipes,2026-11-04,1.5\n' +
      "3,Core,Taps,2026-11-04,CA$ 7\n4,Dell,Nuts,2026-11-04,US$ 8\n5,Eton\r6,Fox\n",
    mapping: { decimal: "," },
    rows: [
      "2: 1, Acme, Pumps, 2026-11-03, 125000.5",
      "3: facets.amount.value (price): is not a number: 1.5",
      "4: 3, Core, Taps, 2026-11-04, 7",
      "5: facets.amount.value (price): is not in CAD: US$ 8",
      "6: the row has 3 columns, the header 5; lines in it end with CR alone",
    ],
  },
  {
    name: "dates in three orders",
    file: HEADER +
      "1,Acme,Pumps,03/11/2026,5\n2,Bolt,Pipes,2026.11.4,6\n3,Core,Taps,11-30-2026,7\n" +
      "4,Dell,Nuts,31/11/2026,8\n1.5e+17,Eton,Nuts,30/11/2026,8\n",
    mapping: { dates: ["DD/MM/YYYY", "YYYY.M.D", "MM-DD-YYYY"] },
    rows: [
      `2: ${PUMPS}`,
      `3: ${PIPES}`,
      "4: 3, Core, Taps, 2026-11-30, 7",
      "5: occurred_at (date): is not a date: 31/11/2026",
      "6: external_id (id): is rounded (1.5e+17); a long id has to be stored as text",
    ],
  },
  {
    name: "empty and merged cells",
    // In a merged range, a workbook stores the value in the first cell only.
    file: workbook({
      sheets: {
        "Bids": sheetRow(1, TITLES) + sheetRow(2, ["1", "Acme", "Pumps", date(46329), ""]) +
          sheetRow(3, ["2", "", "Pipes", date(46330), "<c><v>6</v></c>"]) +
          sheetRow(5, ["", "", "", "", ""]),
      },
      formats: [14],
    }),
    mapping: { format: "xlsx" },
    rows: ["2: 1, Acme, Pumps, 2026-11-03, -", "3: company.name (buyer): is empty"],
  },
  {
    name: "Windows-1252 in the header, which the mapping does not name",
    file: windows1252(HEADER.replace("title", "numéro")),
    rows: [
      "the header line is not valid UTF-8; save the file as UTF-8, or name its `encoding` in a mapping",
    ],
  },
  {
    name: "Windows-1252 in quoted cells, which the mapping does not name",
    file: windows1252(`${HEADER}1,A,"\xe9\n7,B,C,2026-11-03,5\n",,\n2,Bolt,Pipes,2026-11-04,6\n`),
    rows: ["2: the row is not valid UTF-8", `5: ${PIPES}`],
  },
  {
    name: "gzip",
    file: Uint8Array.fromHex("1f8b0800000000000003"),
    rows: ["the file is compressed with gzip; unpack it first"],
  },
  {
    name: "a workbook as CSV",
    file: workbook({ sheets: { "Bids": sheetRow(1, TITLES) } }),
    rows: [
      "the file is a ZIP archive or an XLSX workbook; unpack it first, or use a mapping with the " +
      "format xlsx",
    ],
  },
  {
    name: "a workbook with a title above its header",
    file: workbook({ sheets: { "Bids": sheetRow(1, ["Tenders"]) + sheetRow(2, TITLES) } }),
    mapping: { format: "xlsx" },
    rows: [
      "not a file of the mapping feed; columns missing: id, buyer, title, date, price; its " +
      "columns are: Tenders; if its header is in a later row, set `header_row` to the number of " +
      "that row",
    ],
  },
  {
    name: "a file that was cut in its last row",
    file: `${HEADER}1,Acme,Pumps,2026-11-03,5\n2,Bolt,"Pip`,
    rows: [
      `2: ${PUMPS}`,
      "3: the row has a quote that is not closed",
      "the file ends within a record",
    ],
  },
  {
    name: "a workbook with formulas",
    file: workbook({
      sheets: {
        "Notes": sheetRow(1, ["not this sheet"]),
        "Bids": sheetRow(1, ["Tenders of November"]) + sheetRow(3, TITLES) +
          sheetRow(4, ["1", "Acme", "Pumps", date(46329), "<c><f>2+3</f><v>5</v></c>"]) +
          sheetRow(5, ["2", "Bolt", "Pipes", date(46330), '<c t="e"><f>Z1</f><v>#REF!</v></c>']) +
          sheetRow(6, ["3", "Core", "Taps", date(46330), "<c><f>2+3</f><v></v></c>"]) +
          sheetRow(7, TITLES),
      },
      formats: [14],
    }),
    mapping: { format: "xlsx", sheet: "Bids", header_row: 3 },
    rows: [
      `4: ${PUMPS}`,
      "5: price: E5 is the error #REF!",
      "6: price: E6 is a formula without a stored value",
      "7: the header line again",
    ],
  },
  {
    name: "JSON with a null among its rows, below other members",
    file: JSON.stringify({
      count: [1, 2],
      result: {
        total: 3,
        "the rows": [
          { id: 1, buyer: "Acme", title: "Pumps", date: "2026-11-03", price: 5 },
          null,
          { id: 2, buyer: "Bolt", title: "Pipes", date: "2026-11-04", price: 6 },
        ],
      },
    }),
    mapping: { format: "json", array: "result.the rows" },
    rows: [`1: ${PUMPS}`, "1: the row is not an object", `1: ${PIPES}`],
  },
];

for (const { name, file, mapping, rows } of FILES) {
  Deno.test(`a mapping reads ${name}`, async () => {
    assert.deepEqual(await read(file, mapping), rows);
  });
}

async function read(file: string | Uint8Array, mapping: OddFile["mapping"]): Promise<string[]> {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const stream = (async function* () {
    // The chunks are short, so that each of them ends within a row.
    for (let at = 0; at < bytes.length; at += 7) yield bytes.slice(at, at + 7);
  })();
  const reader = readerOfMapping(parseMapping(JSON.stringify({
    source: "feed",
    format: "csv",
    ...mapping,
    record: PRICED_TENDER,
  })));
  const rows: string[] = [];
  try {
    for await (const { line, judged } of reader(stream, { retrieved_at: new Date(0) })) {
      const shown = "record" in judged
        ? summary(judged.record)
        : "reason" in judged
        ? judged.reason
        : judged.left_out;
      rows.push(`${line}: ${shown}`);
    }
  } catch (error) {
    rows.push((error as Error).message);
  }
  return rows;
}

function summary({ external_id, company_name, evidence, occurred_at, facets }: NormalRecord) {
  const price = (facets as { amount?: { value: number } }).amount?.value ?? "-";
  const day = occurred_at!.replace("T00:00:00.000Z", "");
  return [external_id, company_name, evidence[0]!.excerpt, day, price].join(", ");
}
