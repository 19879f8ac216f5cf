/**
 * How soon does the console paint, and how many bytes does it transfer?
 *
 * The service runs with an embedded database on loopback. Each round opens the page in a new
 * browser with an empty profile. A script in the page reports the times and the bytes. The bytes
 * hardly vary, and are checked against a max. The times depend on the machine, and are only
 * printed.
 */
import assert from "node:assert/strict";
import { connectEmbedded } from "../src/db/connect.ts";
import { findChromium, withPage } from "../test/support/browser.ts";
import { withConsole } from "../test/support/console_world.ts";
import { openTestEmbedded } from "../test/support/database.ts";
import { silent } from "../test/support/operations.ts";
import { say } from "./child.ts";

const ROUNDS = 5;

/** Max number of bytes that a page may transfer, with headers. */
const BYTES_MAX = 150_000;

/** Measurements of a page in a browser. */
interface Measured {
  paint_ms: number;
  loaded_ms: number;
  transferred: number;
  decoded: number;
  requests: number;
}

/** Script that returns the measurements of the page in which it runs. */
const MEASURE = `(() => {
  const parts = [...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource")];
  const sum = (name) => parts.reduce((total, part) => total + part[name], 0);
  return {
    paint_ms: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    loaded_ms: parts[0].loadEventEnd,
    transferred: sum("transferSize"),
    decoded: sum("decodedBodySize"),
    requests: parts.length,
  };
})()`;

const chromium = findChromium();

Deno.bench({
  name: "the console's first paint",
  ignore: chromium === undefined,
  n: 1,
  warmup: 0,
  async fn() {
    const db = await connectEmbedded(await openTestEmbedded(), { log: silent });
    try {
      await withConsole(db, async ({ origin }) => {
        for (const path of ["/", "/docs"]) await measure(path, `${origin}${path}`);
      }, { workers: 0 });
    } finally {
      await db.close();
    }
  },
});

async function measure(path: string, url: string): Promise<void> {
  const rounds: Measured[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await withPage({ chromium: chromium!, url }, async (page) => {
      await page.until(`document.querySelector("h1") !== null &&
        performance.getEntriesByName("first-contentful-paint").length === 1 &&
        performance.getEntriesByType("navigation")[0].loadEventEnd > 0`);
      rounds.push(await page.evaluate<Measured>(MEASURE));
    });
  }
  const { transferred, decoded, requests } = rounds[0]!;
  assert.ok(transferred < BYTES_MAX, `${path}: ${transferred} bytes`);
  say(
    `${path}: first paint ${list(rounds, "paint_ms")} ms, loaded ${
      list(rounds, "loaded_ms")
    } ms, ` +
      `${transferred} bytes transferred, ${decoded} bytes of files, ${requests} requests`,
  );
}

/** Lists one kind of time of all rounds in milliseconds, ascending. */
function list(rounds: readonly Measured[], name: "paint_ms" | "loaded_ms"): string {
  return rounds.map((measured) => Math.round(measured[name])).sort((a, b) => a - b).join(" ");
}
