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

Deno.test("readTable() reads a table that lacks columns, unless they are needed", async () => {
  const cells: string[][] = [];
  const read = async (text: string) => {
    const entries = readTable(bytes(text), {
      title: "a table",
      columns: { first: "a", second: "b" },
      needed: ["first"],
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
  assert.deepEqual(cells.splice(0), [["1", ""], ["1", "2"]]);
  await assert.rejects(read("b\n2\n"), UnreadableSource);
  await assert.rejects(read("a,b,b\n1,2,3\n"), {
    name: "UnreadableSource",
    message: "columns given more than once: b",
  });
  assert.deepEqual(await read("a,b,c,c\n1,2,3,4\n"), [{ a: "1", b: "2" }]);
});

Deno.test("readTable() masks contacts in what it shows, and reads the fallback encoding", async () => {
  const read = async (text: string) => {
    const latin = Uint8Array.from(text, (character) => character.charCodeAt(0));
    const entries = readTable(new Blob([latin]).stream(), {
      title: "a table",
      columns: { first: "a" },
      contacts: ["b"],
      fallback_encoding: "windows-1252",
      judge: () => ({ reason: "read" }),
    });
    return (await Array.fromAsync(entries)).map(({ raw }) => raw);
  };
  assert.deepEqual(await read("a,b\nR\xe9ponse: Ren\xe9e Roy,Ren\xe9e Roy\nx@roy.example,\n"), [
    { a: "Réponse: [redacted]" },
    { a: "[redacted]" },
  ]);
  await assert.rejects(read("a,b,b\n1,2,3\n"), /columns given more than once: b/);
});

/** Returns the line, cells, and doubt of each row of a table with the columns a, b and c. */
async function readingOf(text: string, { ended = false } = {}): Promise<unknown[]> {
  const read: unknown[] = [];
  const entries = readTable(bytes(text), {
    title: "a table",
    columns: { a: "a", b: "b", c: "c" },
    ended,
    judge: ({ a, b, c }) => ({ left_out: [a, b, c].join("|") }),
  });
  try {
    for await (const { line, judged, doubt } of entries) {
      const outcome = "left_out" in judged
        ? judged.left_out
        : (judged as { reason: string }).reason;
      read.push(doubt === undefined ? [line, outcome] : [line, outcome, doubt]);
    }
  } catch (error) {
    assert.ok(error instanceof UnreadableSource);
    read.push(error.message);
  }
  return read;
}

const UNCLOSED = "the row has a quote that is not closed";
const NOT_DOUBLED = "the row has a quote in a quoted cell that is not doubled";

Deno.test("readTable() takes a quote within an unquoted cell as a character", async () => {
  assert.deepEqual(await readingOf('a,b,c\n1,12" pipe,x\n2,3"4",y"\n3,"q",z\n'), [
    [2, '1|12" pipe|x'],
    [3, '2|3"4"|y"'],
    [4, "3|q|z"],
  ]);
});

Deno.test("readTable() keeps a quote that is not doubled, and doubts the row", async () => {
  assert.deepEqual(await readingOf('a,b,c\n1,"12" pipe",x\n2,"say ""yes""" ,y\n3,"a"\n\n'), [
    [2, '1|12" pipe|x', NOT_DOUBLED],
    [3, '2|say "yes"|y'],
    [4, ...Array(2).fill("the row has 2 columns, the header 3")],
  ]);
  assert.deepEqual(await readingOf('a,b,c\n1,"say ""yes"" now" pipe,x\n2,b,y\n'), [
    [2, '1|say "yes" now pipe|x', NOT_DOUBLED],
    [3, "2|b|y"],
  ]);
  // The cell has line breaks, and none of its lines could be a row.
  assert.deepEqual(await readingOf('a,b,c\n1,"12" pipe\n\nand more",x\n2,b,y\n'), [
    [2, '1|12" pipe\n\nand more|x', NOT_DOUBLED],
    [5, "2|b|y"],
  ]);
});

Deno.test("readTable() continues after an unclosed quote at the next row with all columns", async () => {
  const after = '2,"two\nlines",y\n3,12" pipe,z\n4,d,"e"\n';
  const read = [[3, "2|two\nlines|y"], [5, '3|12" pipe|z'], [6, "4|d|e"]];
  assert.deepEqual(await readingOf(`a,b,c\n1,"x,y\n${after}`), [
    [2, NOT_DOUBLED, NOT_DOUBLED],
    ...read,
  ]);
  // Without further quotes, the quote is open until the end of the file.
  assert.deepEqual(await readingOf('a,b,c\n0,o,p\n1,"x,y\n2,b,y\n3,c,z\n'), [
    [2, "0|o|p"],
    [3, UNCLOSED, UNCLOSED],
    [4, "2|b|y"],
    [5, "3|c|z"],
  ]);
  // Python's csv module reads this row in the same way.
  assert.deepEqual(await readingOf('a,b,c\n1,"x" y,z\n2,"x" y,z"\n3,"q",z\n'), [
    [2, "1|x y|z", NOT_DOUBLED],
    [3, '2|x y|z"', NOT_DOUBLED],
    [4, "3|q|z"],
  ]);
  // The damaged row has several lines.
  assert.deepEqual(await readingOf('a,b,c\n1,"x"\ny\nz",y\n2,b,y\n'), [
    [2, "the row has 2 columns, the header 3", "the row has 2 columns, the header 3"],
    [3, "the row has 1 columns, the header 3", "the row has 1 columns, the header 3"],
    [4, "the row has 2 columns, the header 3", "the row has 2 columns, the header 3"],
    [5, "2|b|y"],
  ]);
});

Deno.test("readTable() takes no line of a quoted cell for a row if the row is rejected", async () => {
  const cell = '"x\n7,forged,z\ny"';
  const rows: [row: string, fault: string][] = [
    [`${"x".repeat(1_048_576)},b,${cell}`, "is longer than 1048576 bytes"],
    [`1,b,${cell},d`, "has 4 columns, the header 3"],
    [`${",".repeat(1_001)}${cell}`, "has more than 1000 columns"],
  ];
  for (const [row, fault] of rows) {
    const [damaged, ...rest] = await readingOf(`a,b,c\n${row}\n2,b,y\n`);
    assert.deepEqual([(damaged as string[])[1], rest], [`the row ${fault}`, [[5, "2|b|y"]]]);
  }
});

Deno.test("readTable() doubts a quoted cell with a line that looks like a row of five columns", async () => {
  const doubt = "the row has a quoted cell with a line that looks like a row";
  assert.deepEqual(await readingOf('a,b,c,d,e\n1,"x\n2,b,c,d,e\ny",c,d,e\n'), [
    [2, "1|x\n2,b,c,d,e\ny|c", doubt],
  ]);
  assert.deepEqual(await readingOf('a,b,c\n1,"x\n2,b,c\ny",c\n'), [[2, "1|x\n2,b,c\ny|c"]]);
});

Deno.test("readTable() ends with an error if the file ends within a quoted cell", async () => {
  assert.deepEqual(await readingOf('a,b,c\n1,b,x\n2,"cut\n'), [
    [2, "1|b|x"],
    [3, UNCLOSED, UNCLOSED],
    "the file ends within a record",
  ]);
});
