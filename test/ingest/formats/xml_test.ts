import assert from "node:assert/strict";
import { readXmlRows } from "../../../src/ingest/formats/xml.ts";

async function read(xml: string | Uint8Array): Promise<unknown[]> {
  const bytes = typeof xml === "string" ? new TextEncoder().encode(xml) : xml;
  const stream = (async function* () {
    for (let at = 0; at < bytes.length; at += 5) yield bytes.slice(at, at + 5);
  })();
  return (await Array.fromAsync(readXmlRows(stream, "job")))
    .map(({ number, value, fault }) => [number, fault ?? JSON.parse(JSON.stringify(value))]);
}

Deno.test("readXmlRows() reads texts, lists and elements within elements", async () => {
  const xml = `<?xml version="1.0"?><!DOCTYPE jobs [<!ENTITY own "x">]><jobs><total>2</total>
    <job id="7"><name>R &amp; D é</name><text><![CDATA[<p>Hello</p>]]></text>
      <place><city>Laval</city></place><tag>a</tag><tag>b</tag><tag/></job>
    <other><job>ignored text</job></other><job/></jobs>`;
  assert.deepEqual(await read(xml), [
    [1, { name: "R & D é", text: "<p>Hello</p>", place: { city: "Laval" }, tag: ["a", "b", ""] }],
    [2, {}],
    [3, {}],
  ]);
});

Deno.test("readXmlRows() refuses documents that are cut, too deep or no XML", async () => {
  await assert.rejects(read("<jobs><job><name>a</name></job>"), /ends before its root element/);
  await assert.rejects(read("id,name\n"), /the file is not XML/);
  await assert.rejects(read("<a>".repeat(100)), /nest too deep/);
  const long = `<jobs><job><name>${"x".repeat(1_100_000)}</name></job><job/></jobs>`;
  assert.deepEqual(await read(long), [
    [1, "is longer than 1048576 characters and elements"],
    [2, {}],
  ]);
});

Deno.test("readXmlRows() reads a text with elements between it as one text", async () => {
  const xml =
    "<jobs><job><desc>We build <b>three <i>cold</i></b> halls.<br/>Now</desc></job></jobs>";
  assert.deepEqual(await read(xml), [[1, { desc: "We build three cold halls. Now" }]]);
  // Two paragraphs without a text between them are apart.
  const blocks = "<jobs><job><desc>Halls: <p>One</p><p>Two</p></desc></job></jobs>";
  assert.deepEqual(await read(blocks), [[1, { desc: "Halls: One Two" }]]);
});

Deno.test("readXmlRows() refuses a document after the row before a fault", async () => {
  const faults = {
    "<job><a>2</a>": "<job> has no end tag",
    "<job><a>2</job>": "<a> has no end tag",
    "<job><a>2</a></jab>": "an end tag has no start tag",
    "< job><a>2</a></job>": "an end tag has no start tag",
    '<job n="2><a/></job><job n="3"><a/></job>': 'the attribute 3" has no quoted value',
  };
  for (const [row, fault] of Object.entries(faults)) {
    const rows: unknown[] = [];
    await assert.rejects(async () => {
      const xml = new Blob([`<jobs><job><a>1</a></job>${row}<job><a>3</a></job></jobs>`]);
      for await (const { value } of readXmlRows(xml.stream(), "job")) rows.push({ ...value });
    }, { name: "UnreadableSource", message: `the XML is damaged: ${fault}` });
    assert.deepEqual(rows, [{ a: "1" }], row);
  }
  await assert.rejects(read("<!doctype html><html>Soon</html>"), /: the file is HTML, not XML$/);
});

Deno.test("readXmlRows() refuses bytes that are not UTF-8, whatever the document declares", async () => {
  const xml = '<?xml version="1.0" encoding="ISO-8859-1"?><jobs><job><name>É</name></job></jobs>';
  const latin1 = Uint8Array.from(xml, (character) => character.charCodeAt(0));
  await assert.rejects(read(latin1), {
    name: "UnreadableSource",
    message:
      "the XML is not valid UTF-8; a mapping can name another encoding, such as windows-1252",
  });
  await assert.rejects(read(Uint8Array.of(...new TextEncoder().encode("<a/>"), 0xc3)), /UTF-8/);
  assert.deepEqual(await read(xml), [[1, { name: "É" }]]);
});

Deno.test("readXmlRows() reads many elements of one name in linear time, up to a bound", async () => {
  const job = (tags: number) => `<jobs><job>${"<tag>a</tag>".repeat(tags)}</job></jobs>`;
  const rowsOf = (tags: number) =>
    Array.fromAsync(readXmlRows(new Blob([job(tags)]).stream(), "job"));
  const start = performance.now();
  const [row] = await rowsOf(200_000);
  assert.equal((row!.value.tag as string[]).length, 200_000);
  // Copying the list for each element takes minutes.
  assert.ok(performance.now() - start < 10_000);
  const [long] = await rowsOf(600_000);
  assert.equal(long!.fault, "is longer than 1048576 characters and elements");
  assert.ok((long!.value.tag as string[]).length < 600_000);
});
