/** Reads workbooks whose cells have the forms that spreadsheet programs write. */
import assert from "node:assert/strict";
import { strToU8, unzipSync, zipSync } from "fflate";
import { readSheet } from "../../../src/ingest/formats/xlsx.ts";
import { CellFault } from "../../../src/ingest/formats/xlsx_cells.ts";
import { assertNeverBlocks } from "../../support/event_loop.ts";
import { sheetRow, workbook } from "../../support/workbook.ts";

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100) yield bytes.slice(at, at + 100);
}

/** Reads a sheet. Each row is shown as its number and its cells. */
async function read(bytes: Uint8Array, sheet?: string | number): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const { number, cells } of readSheet(chunksOf(bytes), sheet)) {
    const shown = [...cells].map(([at, value]) => [
      at,
      value instanceof CellFault ? value.reason : value,
    ]);
    rows.push([number, Object.fromEntries(shown)]);
  }
  return rows;
}

Deno.test("readSheet() reads texts, numbers and truth values, at their columns", async () => {
  const bytes = workbook({
    sheets: {
      "One":
        "<row><c t='s'><v>0</v></c><c t='s'><v>1</v></c><c t='s'/><c t='s'><v>2</v></c></row>" +
        '<row r="4"><c r="B4"><v>12.5</v></c><c t="d"><v>2026-11-03T00:00:00</v></c>' +
        '<c t="b"><v>true</v></c><c r="AA4" t="b"><v>1</v></c></row><row r="5"/>',
    },
    texts: [
      "<t>a &amp; b</t>",
      "<r><t>rich </t></r><r><t>text_x000D_</t></r><rPh><t>guide</t></rPh>",
    ],
  });
  assert.deepEqual(await read(bytes), [
    [1, { 0: "a & b", 1: "rich text\r", 3: "1 is text 2 of the workbook, which is missing" }],
    [4, { 1: 12.5, 2: "2026-11-03", 3: true, 26: true }],
  ]);
});

Deno.test("readSheet() rounds no long id, and names one that is stored rounded", async () => {
  const values = ["1234567890123456789", "1.23456789012345E+18", "9007199254740992", "1.5E+3"];
  const cells = values.map((value) => `<c><v>${value}</v></c>`).join("");
  assert.deepEqual(await read(workbook({ sheets: { "One": `<row r="1">${cells}</row>` } })), [
    [1, {
      0: "1234567890123456789",
      1: "1 is rounded (1.23456789012345E+18); a long id has to be stored as text",
      2: "9007199254740992",
      3: 1500,
    }],
  ]);
});

Deno.test("readSheet() reads dates by the format of their cells, in both date systems", async () => {
  const formats = [0, 14, 165, 15, 16, 17, 22, 164, 166];
  const cells = formats.map((_, style) => `<c s="${style}"><v>46329.604166</v></c>`);
  const parts = {
    sheets: { "One": sheetRow(1, cells) },
    formats,
    codes: { 164: "dd/mm/yyyy hh:mm", 165: '[Red]0.00 "days"', 166: "[$-F800]dddd, d mmmm" },
  };
  const date = "2026-11-03 14:30:00";
  assert.deepEqual(await read(workbook(parts)), [
    [1, { ...[46329.604166, date, 46329.604166, ...Array(6).fill(date)] }],
  ]);
  const old = ["1", "59", "61", "44867"].map((day) => `<c s="1"><v>${day}</v></c>`);
  assert.deepEqual(await read(workbook({ ...parts, sheets: { "One": sheetRow(1, old) } })), [
    [1, { 0: "1900-01-01", 1: "1900-02-28", 2: "1900-03-01", 3: "2022-11-02" }],
  ]);
  for (const date1904 of ["1", "true"]) {
    const shifted = { ...parts, sheets: { "One": sheetRow(1, old) }, date1904 };
    assert.deepEqual(await read(workbook(shifted)), [
      [1, { 0: "1904-01-02", 1: "1904-02-29", 2: "1904-03-02", 3: "2026-11-03" }],
    ], date1904);
  }
});

Deno.test("readSheet() gives the stored values of formulas, and names cells without one", async () => {
  const cells = [
    "<c><f>1+1</f><v>2</v></c>",
    '<c t="str"><f>A1&amp;""</f><v>two</v></c>',
    "<c><f>1+1</f><v></v></c>",
    '<c t="e"><f>B9</f><v>#REF!</v></c>',
    `<c t="inlineStr"><is><t>${"x".repeat(40_000)}</t></is></c>`,
  ];
  assert.deepEqual(await read(workbook({ sheets: { "One": sheetRow(7, cells) } })), [
    [7, {
      0: 2,
      1: "two",
      2: "C7 is a formula without a stored value",
      3: "D7 is the error #REF!",
      4: "E7 is longer than 32767 characters",
    }],
  ]);
});

Deno.test("readSheet() gives a fault to the cells of a row that is too long", async () => {
  const long = `<c t="inlineStr"><is><t>${"x".repeat(32_000)}</t></is></c>`;
  const wide = `<c a="${"x".repeat(60_000)}"/>`;
  const sheet = sheetRow(7, Array(40).fill(long)) + sheetRow(8, Array(40).fill(wide)) +
    sheetRow(9, ["a"]);
  const [seventh, eighth, ninth] = await read(workbook({ sheets: { "One": sheet } })) as [
    ...[number, Record<number, unknown>][],
  ];
  const fault = "is longer than 1048576 characters and elements";
  assert.equal(seventh![1][0], `row 7 ${fault}`);
  assert.equal(eighth![1][0], `row 8 ${fault}`);
  assert.deepEqual(ninth, [9, { 0: "a" }]);
});

Deno.test("readSheet() finds a sheet by its name or number", async () => {
  const hidden = { 'Lists" state="hidden': "", 'Codes" state="veryHidden': "" };
  const bytes = workbook({
    sheets: { ...hidden, "Notes": sheetRow(1, ["a"]), "Appels d'offres": sheetRow(1, ["b"]) },
  });
  assert.deepEqual(await read(bytes), [[1, { 0: "a" }]]);
  assert.deepEqual(await read(bytes, 4), [[1, { 0: "b" }]]);
  const stored = zipSync(unzipSync(bytes), { level: 0 });
  assert.deepEqual(await read(stored, 4), [[1, { 0: "b" }]]);
  assert.deepEqual(await read(bytes, "Appels d'offres"), [[1, { 0: "b" }]]);
  const message =
    `the workbook has no sheet Bids; its sheets: "Lists", "Codes", "Notes", "Appels d'offres"`;
  await assert.rejects(read(bytes, "Bids"), { name: "UnreadableSource", message });
  await assert.rejects(read(workbook({ sheets: hidden })), { message: /no visible sheet/ });
});

Deno.test("readSheet() refuses files that are no workbooks, and damaged ones", async () => {
  const bytes = workbook({ sheets: { "One": sheetRow(1, ["a"]) } });
  const faults: [Uint8Array, RegExp][] = [
    [strToU8("id,buyer\n"), /not an XLSX workbook/],
    [Uint8Array.fromHex("d0cf11e0a1b11ae1"), /old or encrypted Excel file/],
    [zipSync({ "a.txt": strToU8("a") }), /not an XLSX workbook/],
    [bytes.slice(0, bytes.length - 100), /may have been cut/],
  ];
  for (const [file, message] of faults) {
    await assert.rejects(read(file), (error: Error) => {
      assert.equal(error.name, "UnreadableSource");
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("readSheet() refuses addresses of parts that are not valid", async () => {
  const parts = unzipSync(workbook({ sheets: { "One": sheetRow(1, ["a"]) } }));
  for (const target of ["http://[", "%zz"]) {
    const relations = `<Relationships><Relationship Id="rId1" Target="${target}"/></Relationships>`;
    await assert.rejects(read(zipSync({ ...parts, "_rels/.rels": strToU8(relations) })), {
      name: "UnreadableSource",
      message: `the workbook has a part with the invalid address ${target}`,
    });
  }
});

Deno.test("readSheet() never blocks the event loop, however well a workbook is packed", async () => {
  const bytes = workbook({
    sheets: { "One": "<row><c><v>1</v></c></row>".repeat(100_000) },
    texts: Array.from({ length: 200_000 }, () => "<t>a</t>"),
  });
  await assertNeverBlocks("a workbook", async () => {
    let count = 0;
    for await (const _ of readSheet(new Blob([bytes as Uint8Array<ArrayBuffer>]).stream())) count++;
    assert.equal(count, 100_000);
  });
});

Deno.test("readSheet() reads a sheet that is far longer when it is unpacked", async () => {
  const rows = `<row><c><v>1</v></c></row>`.repeat(400_000);
  const bytes = workbook({ sheets: { "One": rows } });
  assert.ok(bytes.length < 100_000);
  let count = 0;
  for await (const _ of readSheet(chunksOf(bytes))) count++;
  assert.equal(count, 400_000);
});
