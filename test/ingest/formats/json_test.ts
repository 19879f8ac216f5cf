import assert from "node:assert/strict";
import fc from "fast-check";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import {
  type ElementsOptions,
  parseJson,
  readArray,
  readElements,
  readNdjson,
} from "../../../src/ingest/formats/json.ts";
import type { TextLine } from "../../../src/ingest/formats/lines.ts";

async function* streamOf(whole: Uint8Array, size = whole.length) {
  for (let at = 0; at < whole.length; at += size) {
    const chunk = whole.slice(at, at + size);
    yield await Promise.resolve(chunk);
    // The stream may reuse the memory of a chunk, so a reader must not keep it.
    chunk.fill(63);
  }
}

const bytes = (text: string) => new TextEncoder().encode(text);

async function read(document: string | Uint8Array, options?: ElementsOptions, size?: number) {
  const whole = typeof document === "string" ? bytes(document) : document;
  const lines: TextLine[] = [];
  let refusal: string | undefined;
  try {
    for await (const line of readElements(streamOf(whole, size), options)) lines.push(line);
  } catch (error) {
    assert.ok(error instanceof UnreadableSource, String(error));
    refusal = error.message;
  }
  return { lines, refusal };
}

const text = (number: number, text: string): TextLine => ({ number, text });

/** Serializes a value with white space wherever JSON allows it. */
function write(value: unknown, space: () => string): string {
  const around = (part: string) => space() + part + space();
  if (Array.isArray(value)) {
    return around(`[${value.map((element) => write(element, space)).join(",") || space()}]`);
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value)
      .map(([key, member]) => around(JSON.stringify(key)) + ":" + write(member, space));
    return around(`{${members.join(",") || space()}}`);
  }
  return around(JSON.stringify(value));
}

Deno.test("readElements() agrees with JSON.parse and with the line numbers, in any chunks", async () => {
  const spaces = fc.infiniteStream(fc.constantFrom("", "", " ", "\n", "\r\n", "\t\n "));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.jsonValue({ noUnicodeString: false }), { maxLength: 8 }),
      fc.option(fc.tuple(fc.constantFrom("jobs", "filings"), fc.jsonValue(), fc.jsonValue())),
      spaces,
      fc.integer({ min: 1, max: 9 }),
      async (elements, object, stream, size) => {
        const space = () => stream.next().value;
        const written = elements.map((element) => write(element, space));
        const member = object?.[0];
        const before = object === null
          ? space() + "["
          : `${space()}{"jobs2":${write(object[1], space)},"":[{${JSON.stringify(member)}:[0]}],` +
            `${space()}${JSON.stringify(member)}${space()}:${space()}[`;
        const after = object === null ? space() : `,"z":${write(object[2], space)}}`;
        const document = before + (written.join(",") || space()) + "]" + after;
        const expected = written.map((element, index) => {
          const ahead = before + written.slice(0, index).map((previous) => previous + ",").join("");
          const start = ahead + /^\s*/.exec(element)![0];
          return { number: start.split("\n").length, text: element.trim() };
        });
        const { lines, refusal } = await read("\ufeff" + document, { member }, size);
        assert.equal(refusal, undefined);
        assert.deepEqual(lines, expected);
        const parsed = object === null ? JSON.parse(document) : JSON.parse(document)[member!];
        assert.deepEqual(lines.map((line) => JSON.parse(line.text)), parsed);
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("readElements() finds the next element after an invalid one", async () => {
  const document = '[1, tru, {"a": }, {"b": ]},\n"\\"],[", 1 2, }, ,{"c":[{}]}\n,]\n';
  assert.deepEqual(await read(document), {
    lines: [
      text(1, "1"),
      text(1, "tru"),
      text(1, '{"a": }'),
      text(1, '{"b": ]}'),
      text(2, '"\\"],["'),
      text(2, "1 2"),
      text(2, "}"),
      text(2, ""),
      text(2, '{"c":[{}]}'),
      text(3, ""),
    ],
    refusal: undefined,
  });
});

Deno.test("readElements() reports an overlong element, and one that is not UTF-8, and reads on", async () => {
  const long = `"${"x".repeat(5000)}"`;
  const document = new Uint8Array([...bytes(`{"a":[1,${long},\n"`), 255, ...bytes('",[2]]}')]);
  const expected = {
    lines: [
      text(1, "1"),
      { ...text(1, long.slice(0, 2000)), fault: "is longer than 4000 bytes", quotes: 2 },
      { ...text(2, '"�"'), fault: "is not valid UTF-8" },
      text(2, "[2]"),
    ],
    refusal: undefined,
  };
  for (const size of [undefined, 1, 1000]) {
    assert.deepEqual(await read(document, { member: "a", longest: 4000 }, size), expected);
  }
});

Deno.test("readElements() refuses a document without the array", async () => {
  const root = "the document is not a JSON document with an array";
  const named = 'the document is not a JSON document with an array "jobs"';
  const cases: [string, string | undefined, string][] = [
    ["", undefined, "the document ends without an array"],
    ["\ufeff \n", "jobs", 'the document ends without an array "jobs"'],
    ['{"jobs":[1]}', undefined, root],
    ["<html>", undefined, root],
    ["[1]", "jobs", named],
    ["<html>", "jobs", named],
    ["{}", "jobs", named],
    ['{"jobs":{"jobs":[1]}}', "jobs", named],
    ['{"job":[1],"a":"jobs","b":{"jobs":[1]}}', "jobs", named],
    ['{"a":1', "jobs", 'the document ends without an array "jobs"'],
  ];
  for (const [document, member, refusal] of cases) {
    assert.deepEqual(await read(document, { member }), { lines: [], refusal }, document);
  }
});

Deno.test("readElements() yields the complete elements of an array that breaks off", async () => {
  const cut = "the document ends before its array does";
  const early = "the document goes on where its array ends: brackets do not match";
  const cases: [string, string | undefined, string][] = [
    ['[{"a":1},{"a":2', undefined, cut],
    ['[{"a":1},', undefined, cut],
    ['[{"a":1},"2]', undefined, cut],
    ['{"jobs":[{"a":1},{"a":[2}]}', "jobs", cut],
    ['[{"a":1}] [3]', undefined, early],
    ['{"jobs":[{"a":1}]\n]}', "jobs", early],
  ];
  for (const [document, member, refusal] of cases) {
    for (const size of [undefined, 1]) {
      const answer = await read(document, { member }, size);
      assert.deepEqual(answer, { lines: [text(1, '{"a":1}')], refusal }, document);
    }
  }
});

Deno.test("readElements() reads deeply nested brackets without recursion", async () => {
  const deep = "[".repeat(30_000) + "]".repeat(30_000);
  assert.deepEqual(await read(`[${deep},2]`), {
    lines: [text(1, deep), text(1, "2")],
    refusal: undefined,
  });
});

Deno.test("readArray() yields an entry for every element, also if it is left out or invalid", async () => {
  const stream = streamOf(bytes(`[{"id":1},\n{"id":2},\n{"id":},\n"${"x".repeat(99)}"]`));
  const entries = [];
  const judge = (element: unknown) =>
    (element as { id: number }).id === 1 ? { left_out: "one" } : { reason: "id: is not 1" };
  for await (const entry of readArray(stream, { judge, longest: 50 })) entries.push(entry);
  assert.deepEqual(entries, [
    { line: 1, raw: '{"id":1}', judged: { left_out: "one" } },
    { line: 2, raw: '{"id":2}', judged: { reason: "id: is not 1" } },
    {
      line: 3,
      raw: '{"id":}',
      judged: { reason: "the element is not JSON" },
      doubt: "the element is not JSON",
    },
    {
      line: 4,
      raw: `"${"x".repeat(49)}`,
      judged: { reason: "the element is longer than 50 bytes" },
      doubt: "the element is longer than 50 bytes",
    },
  ]);
});

Deno.test("parseJson() returns a value or a reason for any text", () => {
  assert.deepEqual(parseJson('{"a":[null]}'), { value: { a: [null] } });
  assert.deepEqual(parseJson("{"), { reason: "is not JSON" });
  assert.deepEqual(parseJson(""), { reason: "is not JSON" });
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.ok("value" in parseJson(nested(64)));
  assert.deepEqual(parseJson(nested(65)), {
    reason: "cannot be read: nested more than 64 levels deep",
  });
  assert.deepEqual(parseJson("[".repeat(400_000)), parseJson(nested(65)));
  assert.deepEqual(parseJson('{"a":1,"a'), { reason: "is not JSON" });
  assert.deepEqual(parseJson(`["${"[".repeat(65)}\\"["]`), { value: ["[".repeat(65) + '"['] });
});

Deno.test("parseJson() returns an integer that a number may not hold exactly as a text", () => {
  assert.deepEqual(
    parseJson('[9007199254740992, 9007199254740991, {"id": -12345678901234567890123}, 1e16, 7.0]'),
    { value: ["9007199254740992", 9007199254740991, { id: "-12345678901234567890123" }, 1e16, 7] },
  );
});

Deno.test("parseJson() refuses a member that is given twice, at any depth", () => {
  const reason = "cannot be read: country is given more than once";
  assert.deepEqual(parseJson('{"country":"CA","country":"US"}'), { reason });
  assert.deepEqual(parseJson('{"a":[{"country":1,"b":{},"countr\\u0079":2}]}'), { reason });
  assert.deepEqual(parseJson('[{"a":"a"},{"a":{"a":1}}]'), {
    value: [{ a: "a" }, { a: { a: 1 } }],
  });
});

Deno.test("readElements() refuses a second array of the same name, and a second document", async () => {
  const read = async (text: string) => {
    const texts: string[] = [];
    const fault = await (async () => {
      for await (const { text: one } of readElements(streamOf(bytes(text)), { member: "jobs" })) {
        texts.push(one);
      }
    })().catch((error: Error) => error.message);
    return [texts, fault];
  };
  assert.deepEqual(await read('{"jobs":[1],"jobs":[2]}'), [
    ["1"],
    'the document has more than one member "jobs"',
  ]);
  assert.deepEqual(await read('{"jobs":[1],"more":{"jobs":[2]}} \n'), [["1"], undefined]);
  assert.deepEqual(await read('{"jobs":[1]}\n{"jobs":[2]}'), [
    ["1"],
    "the document goes on after its object",
  ]);
});

Deno.test("readElements() finds an array below other members, in any chunks", async () => {
  const member = ["result", "les reçus"];
  const document = '\ufeff{"rows":[9],"other":{"result":{"les reçus":[8]}},\n"result":' +
    '{"a":"les reçus","b":{"les reçus":[7]},"les reçus":[1,\n{"les reçus":[2]}],"c":{"result":3}},"d":[4]}';
  for (const size of [1, 2, 7, 1_000]) {
    const lines: TextLine[] = [];
    for await (const line of readElements(streamOf(bytes(document), size), { member })) {
      lines.push(line);
    }
    assert.deepEqual(lines, [{ number: 2, text: "1" }, { number: 3, text: '{"les reçus":[2]}' }]);
  }
  const faults: [string, RegExp][] = [
    ['{"result":[1]}', /not a JSON document with an array "result.les reçus"/],
    ['{"result":{"a":1},"les reçus":[1]}', /not a JSON document with an array/],
    ['{"result":{"les reçus":{}}}', /not a JSON document with an array/],
    ['{"result":{"les reçus":[1],"les reçus":[2]}}', /more than one member "les reçus"/],
    ['{"result":{"les reçus":[1]},"result":{}}', /more than one member "result"/],
    ['{"result":{"les reçus":[1]}', /ends before its object does/],
    ['{"result":{', /ends without an array "result.les reçus"/],
  ];
  for (const [text, message] of faults) {
    await assert.rejects(Array.fromAsync(readElements(streamOf(bytes(text)), { member })), message);
  }
});

Deno.test("readNdjson() yields the number of a line that is not JSON, and ends if it is cut", async () => {
  const entries: unknown[] = [];
  const read = async (text: string) => {
    for await (const entry of readNdjson(streamOf(bytes(text)))) entries.push(entry);
  };
  await read("\n{]\n");
  const reason = "the line is not JSON";
  assert.deepEqual(entries, [{ line: 2, raw: "{]", judged: { reason }, doubt: reason }]);
  await read("{}");
  await assert.rejects(read('{"a":'), /the file ends within a record/);
  assert.equal(entries.length, 3);
  // A mark and a brace in UTF-16.
  const utf16 = readNdjson(streamOf(Uint8Array.of(0xff, 0xfe, 123, 0)));
  await assert.rejects(Array.fromAsync(utf16), /^UnreadableSource: the file seems to be in UTF-16/);
});
