import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { readTable } from "../../../src/ingest/formats/csv.ts";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";

async function* bytes(text: string) {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

/** Returns the rows of a table with two columns. The judge leaves out rows whose "a" is "left". */
async function rowsOf(text: string): Promise<[string, string][]> {
  const rows: [string, string][] = [];
  const entries = readTable(bytes(text), {
    title: "a table",
    columns: { first: "a", second: "b" },
    judge({ first, second }) {
      if (first === "left") return { left_out: "left" };
      rows.push([first, second]);
      return { reason: "read" };
    },
  });
  const reasons: unknown[] = [{ reason: "read" }, { left_out: "left" }];
  for await (const { judged } of entries) {
    assert.ok(reasons.some((reason) => isDeepStrictEqual(reason, judged)), JSON.stringify(judged));
  }
  return rows;
}

Deno.test("readTable() continues after a row that the judge leaves out", async () => {
  assert.deepEqual(await rowsOf("b,a\r\n2,1\r\nout,left\n\n4,3"), [["1", "2"], ["3", "4"]]);
});

Deno.test("readTable() rejects a row that lacks columns or has too many", async () => {
  const entries = readTable(bytes('a,b\n1\n1,2\n1,2,3\n1,"2"\n"1"\n'), {
    title: "a table",
    columns: { first: "a", second: "b" },
    judge: () => ({ reason: "read" }),
  });
  const reasons = await Array.fromAsync(entries, ({ judged }) => judged);
  assert.deepEqual(reasons.map((judged) => "reason" in judged && judged.reason), [
    "the row has 1 columns, the header 2",
    "read",
    "the row has 3 columns, the header 2",
    "read",
    "the row has 1 columns, the header 2",
  ]);
});

Deno.test("readTable() reads the same cell with and without quotes", async () => {
  const cell = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[",\r\n\ufeff]/g, "-"));
  await fc.assert(fc.asyncProperty(fc.array(fc.tuple(cell, cell)), async (rows) => {
    const kept = rows.filter(([first, second]) => first !== "left" && first + second !== "");
    const plain = kept.map(([first, second]) => `${first},${second}`);
    const quoted = kept.map(([first, second]) => `"${first}","${second}"`);
    const decoded = kept.map((row) => row.map((text) => text.toWellFormed()));
    assert.deepEqual(await rowsOf(["\ufeffa,b", ...plain].join("\n")), decoded);
    assert.deepEqual(await rowsOf(['\ufeff"a","b"', ...quoted].join("\n")), decoded);
  }));
});

Deno.test("readTable() reads a table that lacks optional columns, and refuses one that lacks others", async () => {
  const cells: string[][] = [];
  const read = async (text: string) => {
    const entries = readTable(bytes(text), {
      title: "a table",
      columns: { first: "a", second: "b" },
      optional: ["second"],
      contacts: [],
      judge({ first, second }) {
        cells.push([first, second]);
        return { reason: "read" };
      },
    });
    return (await Array.fromAsync(entries)).map(({ raw }) => raw);
  };
  assert.deepEqual(await read("a\n1\n"), [{ a: "1" }]);
  assert.deepEqual(await read("a,b\n1,2\n"), [{ a: "1", b: "2" }]);
  assert.deepEqual(cells, [["1", ""], ["1", "2"]]);
  await assert.rejects(read("b\n2\n"), UnreadableSource);
});
