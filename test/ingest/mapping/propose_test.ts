/** Proposes mappings for files of other publishers. */
import assert from "node:assert/strict";
import { proposeMapping } from "../../../src/ingest/mapping/propose.ts";
import { parseMapping } from "../../../src/ingest/mapping/mapping.ts";
import { sheetRow, workbook } from "../../support/workbook.ts";

async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof text === "string" ? new TextEncoder().encode(text) : text;
}

Deno.test("a proposal recognizes delimiter, encoding, dates, numbers and columns", async () => {
  const text = "Numéro^Personne-ressource^Agent^Organisme^Titre^Publication^Fermeture^Montant^" +
    "Province^Pays\n1^Jo Roy^A^Ville^Toiture^13/11/2026^15/12/2026 14:00^125 000,50 $^QC^Canada\n";
  const bytes = Uint8Array.from("sep=^\n" + text, (character) => character.charCodeAt(0));
  const proposed = await proposeMapping(bytesOf(bytes), "/data/Appels.csv");
  assert.deepEqual(proposed, {
    source: "appels",
    format: "csv",
    delimiter: "^",
    encoding: "windows-1252",
    time_zone: "America/Toronto",
    dates: ["DD/MM/YYYY", "DD/MM/YYYY HH:mm"],
    decimal: ",",
    contacts: ["Personne-ressource", "TO DO: Agent, if it names persons"],
    record: {
      "external_id": "{Numéro}",
      "company.name": "{Organisme}",
      "kind": "TO DO: procurement_request, job_posting or another kind",
      "observed_fact": "{Titre}",
      "why_it_may_matter": "TO DO: why a supplier should care",
      "demand_class": "TO DO: explicit_request, proxy or structural",
      "country": "TO DO: rules that give codes for Pays",
      "confidence": 0.8,
      "evidence.source_uri": "TO DO: https://…",
      "evidence.excerpt": "{Titre}",
      "expires_at": "{Fermeture}",
      "occurred_at": "{Publication}",
      "facets.amount.value": "{Montant}",
      "facets.place.region": "{Province}",
      "facets.amount.currency": "TO DO: CAD or USD",
    },
  });
  // A person still has to write a field. Until then, the proposal is refused.
  assert.throws(() => parseMapping(JSON.stringify(proposed)), /contacts → 1: is still to do/);
  const decided = JSON.stringify({ ...proposed, contacts: ["Agent"] });
  assert.throws(() => parseMapping(decided), /record → kind: is still to do/);
});

Deno.test("a proposal finds the rows of JSON documents, with paths of nested members", async () => {
  const row = {
    id: 1,
    buyer: { organization: "Ville" },
    title: "Roof",
    url: "https://x.example/1",
  };
  const documents = [
    [JSON.stringify({ total: 1, results: [row] }, undefined, 1), "json", "results"],
    [
      JSON.stringify({ codes: [1], fields: [{ id: "a" }], data: { total: 1, rows: [row] } }),
      "json",
      "data.rows",
    ],
    [JSON.stringify([row]), "json", undefined],
    [`${JSON.stringify(row)}\n${JSON.stringify(row)}\n`, "ndjson", undefined],
  ] as const;
  for (const [text, format, array] of documents) {
    const proposed = await proposeMapping(bytesOf(text), "feed.json");
    assert.deepEqual([proposed.format, proposed.array], [format, array]);
    assert.equal(proposed.record["company.name"], "{buyer.organization}");
    assert.equal(proposed.record["evidence.source_uri"], "{url}");
    const repeated = "TO DO: columns that identify a row; id repeats in 1 of 2 rows";
    assert.equal(proposed.record.external_id, format === "ndjson" ? repeated : "{id}");
  }
});

Deno.test("a proposal reads the first sheet of a workbook", async () => {
  const cells = ["1", "Ville", "Toiture", '<c s="0"><v>46339</v></c>', "<c><v>12.5</v></c>"];
  const header = ["Numéro", "Organisme", "Titre", "Publication", "Montant"];
  const bytes = workbook({
    sheets: { "Appels": sheetRow(1, header) + sheetRow(2, cells) },
    formats: [14],
  });
  const { format, dates, decimal, record } = await proposeMapping(bytesOf(bytes), "appels.xlsx");
  assert.deepEqual([format, dates, decimal], ["xlsx", undefined, undefined]);
  assert.equal(record["company.name"], "{Organisme}");
  assert.equal(record["facets.amount.value"], "{Montant}");
});

Deno.test("a proposal leaves it to a person which number of a date is the day", async () => {
  const datesOf = async (...dates: string[]) =>
    (await proposeMapping(bytesOf(`id,date\n${dates.map((day) => `1,${day}\n`).join("")}`), "x"))
      .dates;
  assert.deepEqual(await datesOf("03/04/2026", "13/04/2026"), ["DD/MM/YYYY"]);
  assert.deepEqual(await datesOf("03/04/2026", "04/13/2026"), ["MM/DD/YYYY"]);
  assert.deepEqual(await datesOf("03/04/2026"), ["TO DO: DD/MM/YYYY or MM/DD/YYYY"]);
  assert.deepEqual(await datesOf("03-04-2026"), ["TO DO: DD-MM-YYYY or MM-DD-YYYY"]);
  assert.deepEqual(await datesOf("03.04.2026"), ["DD.MM.YYYY"]);
  assert.deepEqual(await datesOf("1.2.2026"), ["D.M.YYYY"]);
  assert.deepEqual(await datesOf("1/22/2026 9:05"), ["M/D/YYYY H:mm"]);
  assert.deepEqual(await datesOf("1/22/2026 2:30 PM"), ["M/D/YYYY H:mm A"]);
  assert.deepEqual(await datesOf("01/03/26"), ["TO DO: the form of 01/03/26"]);
  assert.deepEqual(await datesOf("1772359200123"), ["milliseconds"]);
  assert.deepEqual(await datesOf("1772359200"), ["seconds"]);
  const both = await proposeMapping(bytesOf("date,closing\n03/04/2026,25/12/2026\n"), "x");
  assert.deepEqual(both.dates, ["DD/MM/YYYY"]);
  const open = await proposeMapping(bytesOf("id,date\n1,03/04/2026\n"), "x");
  const record = Object.fromEntries(Object.keys(open.record).map((field) => [field, "1"]));
  const text = JSON.stringify({ ...open, record: { ...open.record, ...record, confidence: 1 } });
  assert.throws(() => parseMapping(text), /dates/);
});

Deno.test("a proposal asks about owners, and knows contacts of a firm and postal codes", async () => {
  const permits =
    "owner_name,Vendor Contact Name,Contact Firm,Street Name,Trade Name,Post Code,Start\n" +
    "A,B,C,D,E,AB1 2CD,2026-01-02\n";
  const { contacts, record } = await proposeMapping(bytesOf(permits), "x");
  assert.deepEqual(contacts, ["Vendor Contact Name", "TO DO: owner_name, if it names persons"]);
  assert.deepEqual([record["company.name"], record.occurred_at], ["{Trade Name}", "{Start}"]);
});

Deno.test("a proposal reads a document of one long line", async () => {
  const rows = Array.from({ length: 60_000 }, (_, id) => ({ id, title: "日".repeat(20) }));
  const { format, encoding, record } = await proposeMapping(bytesOf(JSON.stringify(rows)), "x");
  assert.deepEqual([format, encoding, record.external_id], ["json", undefined, "{id}"]);
});

Deno.test("a proposal for a packed or binary file is refused", async () => {
  const files: [bytes: string, message: RegExp][] = [
    ["1f8b0800000000000003", /compressed with gzip; unpack it first/],
    ["28b52ffd04580900", /compressed with zstd/],
    ["d0cf11e0a1b11ae1", /Office 97; save it as XLSX or CSV/],
    ["504152311500", /a Parquet file/],
    ["255044462d312e37", /a PDF document/],
  ];
  for (const [bytes, message] of files) {
    await assert.rejects(proposeMapping(bytesOf(Uint8Array.fromHex(bytes)), "x"), {
      name: "UnreadableSource",
      message,
    });
  }
});

Deno.test("a proposal names UTF-16 and standard input, and no column with braces", async () => {
  const wide = Uint8Array.from([..."id,{title}\n1,a\n"].flatMap((one) => [one.charCodeAt(0), 0]));
  const { source, encoding, record } = await proposeMapping(bytesOf(wide), "-");
  assert.deepEqual([source, encoding, record["external_id"]], ["my-feed", "utf-16le", "{id}"]);
  assert.match(`${record["evidence.excerpt"]}`, /^TO DO/);
  await assert.rejects(proposeMapping(bytesOf("id,title\r1,a\r"), "x"), /end with CR alone/);
});

Deno.test("a proposal for a file without rows is refused", async () => {
  await assert.rejects(proposeMapping(bytesOf(""), "x"), /the file is empty/);
  await assert.rejects(proposeMapping(bytesOf("[]"), "x"), /the file has no objects/);
});

Deno.test("a proposal for XML is refused, and names the member to write", async () => {
  const xml = '\ufeff\n<?xml version="1.0"?>\n<jobs><job><id>1</id></job></jobs>';
  await assert.rejects(proposeMapping(bytesOf(xml), "jobs.xml"), {
    name: "UnreadableSource",
    message: /no mapping can be proposed for XML; .*`element`/,
  });
});
