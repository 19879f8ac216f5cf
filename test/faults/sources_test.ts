/** Scenarios 36 and 41: no content of a publisher blocks a process or hides a record. */
import assert from "node:assert/strict";
import { createChoose } from "../../src/demo/random.ts";
import { readTable } from "../../src/ingest/formats/csv.ts";
import type { ReadSource, SourceEntry } from "../../src/ingest/record/entry.ts";
import { PAGE_BYTES, readHtmlPage } from "../../src/ingest/formats/html_page.ts";
import { readArray } from "../../src/ingest/formats/json.ts";
import { findOrganization } from "../../src/ingest/sources/homepage/linked_organization.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { runDueFeed } from "../../src/ingest/refresh/refresher.ts";
import { runFeedNow } from "../../src/ingest/refresh/schedule.ts";
import { readDocuments } from "../../src/ingest/sources/form_d/form_d.ts";
import { callModel } from "../../src/search/models/model_endpoint.ts";
import { serverTest } from "../support/database.ts";
import { assertNeverBlocks } from "../support/event_loop.ts";
import {
  bulletin,
  readFeed,
  refreshContext,
  schedule,
  TEST_SOURCES,
} from "../support/publisher.ts";
import { fetcherOf, fetchText, startHost, startRawHost } from "../support/web.ts";

const HOSTILE_ROBOTS = {
  "many long patterns": "User-agent: *\n" + "Disallow: /a*a*a*a*a*b\n".repeat(20_000),
  "one endless pattern": `User-agent: *\nDisallow: /${"a*".repeat(250_000)}b`,
  "parts that nearly match": "User-agent: *\n" +
    `Disallow: /*${"a".repeat(1_000)}b${"a".repeat(1_000)}\n`.repeat(200),
  "many groups": "User-agent: *\nDisallow:\n".repeat(20_000),
};

for (const [name, robots] of Object.entries(HOSTILE_ROBOTS)) {
  Deno.test(`scenario 36: a robots.txt of ${name} never blocks the event loop`, async () => {
    await using host = startHost((request) =>
      new URL(request.url).pathname === "/robots.txt" ? new Response(robots) : new Response("page")
    );
    await assertNeverBlocks(name, async () => {
      const fetcher = fetcherOf([host]);
      const url = `${host.url}/${"a".repeat(2_000)}`;
      // The text may be refused. Only the time of blocking counts.
      await fetchText(fetcher, { url }, { robots: true }).catch(() => {});
    });
  });
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 16_384) {
    // Each chunk comes in a separate turn of the event loop, as from a network.
    await new Promise((resolve) => setTimeout(resolve));
    yield bytes.slice(at, at + 16_384);
  }
}

Deno.test("scenario 36: hostile markup never blocks the event loop", async () => {
  for (const unit of ["<b>", "<p>", "<a b ", "<!--", "&", "<svg><title>", "<b x='"]) {
    const page = `<title>Deep</title>${unit.repeat(Math.floor(PAGE_BYTES / unit.length / 2))}`;
    await assertNeverBlocks(unit, () => readHtmlPage(chunksOf(page)));
  }
});

/** Records of the max size that is read, in forms that are slow to read. */
const HOSTILE_RECORDS: Record<string, () => unknown> = {
  "a row of 1,000 quoted cells": () => {
    const cells = Array.from({ length: 1_000 }, () => `"${"x".repeat(1_000)}"`).join();
    const table = { title: "a table", columns: { first: "a" }, judge: () => ({ reason: "read" }) };
    return drain(readTable(chunksOf(`a${",b".repeat(999)}\n${cells}\n`), table));
  },
  "a Form D document of elements": () => {
    const notice = `<edgarSubmission>${"<a/>".repeat(19_000)}</edgarSubmission>`;
    return Array.fromAsync(readDocuments(`<?xml version="1.0"?>${notice}`), ({ raw }) => raw);
  },
  "JSON-LD of references": () => {
    const references = (id: string) => Array.from({ length: 20 }, () => ({ "@id": id }));
    const address = {
      "@id": "#a",
      addressLocality: "Ontario, ".repeat(1_000),
      addressCountry: "x",
    };
    const place = { "@id": "#p", address: references("#a") };
    const organization = { "@type": "Organization", name: "Acme", location: references("#p") };
    return findOrganization([address, place, organization], "acme.example");
  },
};

async function drain(entries: AsyncIterable<SourceEntry>): Promise<void> {
  // The raw text of a rejected row is read, as when it is shown to the operator.
  for await (const { raw } of entries) void raw;
}

for (const [name, read] of Object.entries(HOSTILE_RECORDS)) {
  Deno.test(`scenario 36: ${name} never blocks the event loop`, async () => {
    await assertNeverBlocks(name, async () => await read());
  });
}

Deno.test("scenario 36: a model that slowly sends nonsense never blocks the event loop", async () => {
  const CHUNKS = 60;
  const nonsense = ["[".repeat(1_000), '{"a":'.repeat(200), "\\u0000".repeat(100)];
  await using host = startRawHost(async ({ write }) => {
    await write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n");
    for (let n = 0; n < CHUNKS; n++) {
      await write(nonsense[n % nonsense.length]!);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
  const endpoint = { url: new URL(host.url), model: "m", key: "k" };
  const bounds = { bytes: 65_536, milliseconds: 5_000 };
  await assertNeverBlocks(
    "a model",
    () => callModel(endpoint, { messages: [] }, bounds).catch(() => {}),
  );
});

const IDS = Array.from({ length: 12 }, (_, n) => `r${n}`);

const FORMATS: Record<string, { text: string; read: ReadSource }> = {
  CSV: {
    text: `id,note\r\n${IDS.map((id) => `${id},"a note, ""quoted"""\r\n`).join("")}`,
    read: (stream) =>
      readTable(stream, {
        title: "a bulletin",
        columns: { id: "id", note: "note" },
        judge: ({ id }) => normalizeRecord(bulletin(id)),
      }),
  },
  JSON: {
    text: JSON.stringify(IDS.map((id) => bulletin(id))),
    read: (stream) => readArray(stream, { judge: normalizeRecord }),
  },
};

for (const [format, { text, read }] of Object.entries(FORMATS)) {
  serverTest(`scenario 41: a ${format} answer that is cut off hides no record`, async ({ sql }) => {
    const choose = createChoose(41);
    let cut = text.length;
    await using host = startRawHost(async ({ write }) => {
      await write(
        `HTTP/1.1 200 OK\r\nETag: "one"\r\nContent-Length: ${text.length}\r\n` +
          "Connection: close\r\n\r\n",
      );
      await write(text.slice(0, cut));
    });
    const publisher = { address: host.url };
    await schedule(sql, publisher);
    const source = { ...TEST_SOURCES.get("bulletin")!, read };
    const sources = new Map([["bulletin", source]]);
    const context = { ...refreshContext(sql, publisher), sources };
    const run = async () => {
      await runFeedNow(sql, { source: "bulletin" }, false);
      await runDueFeed(context, new AbortController().signal);
      const [row] = await sql<{ shown: number }[]>`
        select count(*)::integer as shown from deliverable_observations
      `;
      return { shown: row!.shown, outcome: (await readFeed(sql)).last_outcome };
    };
    assert.deepEqual(await run(), { shown: IDS.length, outcome: "complete" });
    for (let n = 0; n < 8; n++) {
      cut = choose.integer(1, text.length - 1);
      assert.deepEqual(await run(), { shown: IDS.length, outcome: "failed" }, `cut at ${cut}`);
      cut = text.length;
      const { length } = host.heard;
      assert.deepEqual(await run(), { shown: IDS.length, outcome: "complete" });
      // The request is for the whole text. It has no range.
      assert.doesNotMatch(host.heard[length]!, /^range:/im);
    }
  });
}
