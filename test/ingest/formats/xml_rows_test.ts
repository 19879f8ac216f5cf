import assert from "node:assert/strict";
import { readXmlRows } from "../../../src/ingest/formats/xml_rows.ts";

async function read(xml: string): Promise<unknown[]> {
  const bytes = new TextEncoder().encode(xml);
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
    [1, {
      name: "R & D é",
      text: "<p>Hello</p>",
      place: { city: "Laval" },
      tag: ["a", "b", ""],
    }],
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
    [1, "is longer than 1048576 characters"],
    [2, {}],
  ]);
});
