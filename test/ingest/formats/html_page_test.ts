import assert from "node:assert/strict";
import { UnreadableSource } from "../../../src/ingest/record/entry.ts";
import { PAGE_BYTES, readHtmlPage } from "../../../src/ingest/formats/html_page.ts";

async function read(page: string | Uint8Array) {
  const bytes = typeof page === "string" ? new TextEncoder().encode(page) : page;
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 65_536) {
      yield await Promise.resolve(bytes.slice(at, at + 65_536));
    }
  }
  return await readHtmlPage(chunks());
}

const linked = (text: string) => `<script type="application/ld+json">${text}</script>`;

Deno.test("readHtmlPage() reads the metadata of a page", async () => {
  const page = await read(
    `\ufeff<!-- made by hand --><!DOCTYPE html>\n<HTML LANG="fr-CA"><head>
<meta charset="UTF-8"><title>
 Caf&eacute; &amp; C&#111; </title><title>Second</title>
<meta NAME="Description" content="Torr&eacute;faction &lt;b&gt;">
<meta name="description" content="again"><meta property="og:site_name" content='Café'>
<link rel="alternate" href="/a">
${linked('{"@type":"Organization"}')}${linked("{broken")}
${linked("<!-- [1] -->")}${linked("/*<![CDATA[*/ [2] /*]]>*/")}
<script>document.title = "<title>Third</title>"</script></head>
<body><svg><title>Icon</title></svg></body>`,
  );
  assert.deepEqual({ ...page, meta: [...page.meta] }, {
    title: "Café & Co",
    language: "fr-CA",
    meta: [["description", "Torréfaction <b>"], ["og:site_name", "Café"]],
    linked_data: [{ "@type": "Organization" }, [1], [2]],
  });
});

Deno.test("readHtmlPage() decodes a page in its declared encoding", async () => {
  const latin = (head: string) =>
    Uint8Array.from(`${head}<title>Montr\u00e9al</title>`, (letter) => letter.charCodeAt(0));
  const declared = await read(
    latin('<meta http-equiv=Content-Type content="text/html; charset=iso-8859-1">'),
  );
  assert.equal(declared.title, "Montréal");
  assert.equal((await read(latin("<meta charset=x-none>"))).title, "Montr�al");
  assert.equal((await read('<meta charset="utf-16"><title>Montréal</title>')).title, "Montréal");
});

Deno.test("readHtmlPage() refuses files that are not HTML, and pages that are too long", async () => {
  const refusals: [string | Uint8Array, RegExp][] = [
    ["", /is not HTML/],
    ["%PDF-1.7 …", /is not HTML/],
    ['{"title":"plain"}', /is not HTML/],
    ['<?xml version="1.0"?><rss><channel><title>News</title></channel></rss>', /is not HTML/],
    ["<svg><title>Icon</title></svg>", /is not HTML/],
    [new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0, 255]), /is not HTML/],
    ["<title>" + "x".repeat(PAGE_BYTES), /is longer than 2097152 bytes/],
  ];
  for (const [page, message] of refusals) {
    await assert.rejects(
      read(page),
      (error) => error instanceof UnreadableSource && message.test(error.message),
      String(page).slice(0, 40),
    );
  }
});

Deno.test("readHtmlPage() reads pages that are designed to be slow to parse", async () => {
  const units = ["<b>", "<p>", "</p>", "</b>", "<a b ", "<!--", "&", "<svg><title>", "<b x='"];
  const heads = ["<title>Deep</title>", `<title>Deep</title>${"<i>".repeat(500)}`];
  for (const head of heads) {
    for (const unit of units) {
      const page = head + unit.repeat(Math.floor((PAGE_BYTES - head.length) / unit.length));
      assert.equal((await read(page)).title, "Deep", unit);
    }
  }
  assert.equal((await read("<title>" + "x".repeat(1_000_000))).title.length, 10_000);
});

Deno.test("readHtmlPage() bounds the length of the parts that it returns", async () => {
  const page = await read(
    linked(`"${"x".repeat(600_000)}"`) + linked("1") +
      `<meta name=description content="${"d".repeat(20_000)}">` + linked("[".repeat(300_000)),
  );
  assert.equal(page.linked_data.length, 1);
  assert.equal(page.meta.get("description")!.length, 10_000);
});
