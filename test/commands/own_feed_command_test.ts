/** `admin source add` and `remove`, and how feeds are listed. */
import assert from "node:assert/strict";
import { UsageError } from "../../src/failures.ts";
import { readSettings, SettingError } from "../../src/config.ts";
import { Pages } from "../../src/ingest/mapping/pages.ts";
import { askAdmin, runAdmin } from "../support/admin.ts";
import { withDataDir } from "../support/data_dir.ts";
import { type DatabaseCase, oneEngineTest } from "../support/database.ts";
import { record } from "../support/factories.ts";
import { mappingText } from "../support/own_feeds.ts";

const ADDRESS = "https://data.example/tenders?open=1";

/** Runs `use` with a file of the mapping, and with a function that runs `admin source`. */
async function withMapping(
  { db }: DatabaseCase,
  mapping: string,
  // deno-lint-ignore no-explicit-any -- each test expects another answer
  use: (file: string, source: (...args: string[]) => Promise<any>) => Promise<void>,
): Promise<void> {
  await withDataDir(async (directory) => {
    const file = `${directory}/tenders.json`;
    await Deno.writeTextFile(file, mapping);
    await use(file, async (...args) => (await askAdmin(db, "source", ...args)).answer);
  });
}

oneEngineTest("admin source adds, schedules, lists, replaces and removes a feed", async (t) => {
  const { db, sql } = t;
  await withMapping(t, mappingText(), async (file, source) => {
    const options = ["--address", ADDRESS, "--mapping", file];
    assert.deepEqual(await source("add", "tenders", ...options), {
      source: "tenders",
      address: ADDRESS,
      replaced: false,
    });
    assert.equal((await source("schedule", "tenders")).interval_seconds, 86_400);
    await assert.rejects(source("schedule", "tenders", "--company", "A"), /--company: the mapping/);
    await assert.rejects(
      source("set", "tenders", "--address", "https://b.example"),
      /--address: `admin source add` changes/,
    );
    // The next request must not be answered with "unchanged".
    const header = ["--full-listing", "--header-from-env", "FEED_TENDERS"];
    const changes = [["schedule", "tenders"], ["add", "tenders", ...options, ...header]];
    for (const [at, change] of changes.entries()) {
      await sql`update source_feeds set validators = '{"url": "u", "etag": "e"}'`;
      assert.equal((await source(...change)).replaced, [undefined, true][at]);
      const [feed] = await sql`select validators from source_feeds`;
      assert.equal(feed!.validators, null);
    }

    await record(sql, [{
      source: "tenders",
      occurred_at: new Date(Date.now() - 49 * 3_600_000).toISOString(),
    }]);
    const { sources } = await source("list");
    const listed = sources.find(({ name }: { name: string }) => name === "tenders");
    assert.deepEqual(listed.own_feed, { full_listing: true, header_variable: "FEED_TENDERS" });
    assert.deepEqual([listed.configured, listed.address], [false, ADDRESS]);
    const context = {
      draws: true,
      settings: readSettings({ DATABASE_URL: "postgres://x/x", FEED_TENDERS: "X-Key: word" }),
    };
    const { text } = await runAdmin(db, ["source", "list"], context);
    const row = text.split("\n").find((line) => line.startsWith("tenders"))!;
    assert.match(
      row,
      /^tenders +– +yes +yes +1 +\d{4}-\d\d-\d\d \d\d:\d\d UTC +– +– +– +\d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
    assert.doesNotMatch(text, /word|gleif/);
    assert.match(text, /\n\d+ further sources are not in use; --all shows them\.$/);
    const { text: whole } = await runAdmin(db, ["source", "list", "--all"], context);
    assert.match(whole, /\ngleif /);
    await sql`update observations set gone_at = now()`;
    const { text: ended } = await runAdmin(db, ["source", "list"], context);
    assert.match(ended, /^tenders +– +yes +yes +0 /m);

    assert.deepEqual(await source("remove", "tenders"), { source: "tenders", removed: true });
    await assert.rejects(source("remove", "tenders"), /there is no feed tenders of your own/);
    await assert.rejects(source("schedule", "tenders"), /there is no source tenders/);
    assert.equal((await sql`select from source_feeds`).length, 0);
    assert.equal((await sql`select from observations`).length, 1);
  });
});

/** Wrong arguments of `source add`. MAPPING is replaced by the path of a mapping. */
const WRONG: [args: string[], message: RegExp][] = [
  [["tenders", "--address", ADDRESS], /--mapping: a value is required/],
  [["tenders", "--address", "ftp://a.example", "--mapping", "MAPPING"], /--address: an http/],
  [
    ["tenders", "--address", "https://a:b@a.example", "--mapping", "MAPPING"],
    /without credentials/,
  ],
  [["gleif", "--address", ADDRESS, "--mapping", "MAPPING"], /the program has a source gleif/],
  [["demo", "--address", ADDRESS, "--mapping", "MAPPING"], /the program has a source demo/],
  [
    ["tenders", "--address", ADDRESS, "--mapping", "MAPPING", "--header-from-env", "HOME"],
    /--header-from-env: the name of a variable such as FEED_KEY/,
  ],
];

/** Faulty mappings, with the messages that name their members. */
const FAULTY: [mapping: Record<string, unknown>, message: RegExp][] = [
  [{ source: "other" }, /the mapping → source: is other, but the feed is named tenders/],
  [{ formats: "csv" }, /formats/],
  [{ dates: ["DD.QQ"] }, /dates|QQ/],
  [{ pages: { by: "number" } }, /pages → parameter/],
  [{ pages: { by: "page" } }, /pages → by/],
  [{ format: "ndjson" }, /array: is for the format json, not for ndjson/],
  [{ source: " tenders" }, /tenders\.json: .*source: has control characters, or white space/],
  [{ pages: { by: "link", path: "next" }, array: undefined }, /pages → path: only a JSON/],
];

oneEngineTest("admin source add names what is wrong, and then stores nothing", async (t) => {
  await withMapping(t, mappingText(), async (file, source) => {
    for (const [args, message] of WRONG) {
      const words = args.map((word) => word === "MAPPING" ? file : word);
      await assert.rejects(source("add", ...words), (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, message);
        return true;
      });
    }
    for (const [mapping, message] of FAULTY) {
      await Deno.writeTextFile(file, mappingText(mapping));
      const words = ["tenders", "--address", ADDRESS, "--mapping", file];
      await assert.rejects(source("add", ...words), message, JSON.stringify(mapping));
    }
    await assert.rejects(source("remove", "gleif"), /no feed gleif of your own/);
  });
  assert.deepEqual(await t.sql`select from sources`, []);
});

Deno.test("readSettings() reads headers of feeds, and shows none in an error", () => {
  const { feed_headers } = readSettings({ FEED_A: "Authorization: Bearer a b", FEED_B: "X:1" });
  assert.deepEqual(feed_headers, { FEED_A: { authorization: "Bearer a b" }, FEED_B: { x: "1" } });
  assert.deepEqual(readSettings({ FEED_A: "" }).feed_headers, {});
  for (const text of ["secret", "X:", ": secret", "X Y: secret", "X: secret\r\nY: 1"]) {
    assert.throws(() => readSettings({ FEED_A: text }), (error: Error) => {
      assert.ok(error instanceof SettingError);
      assert.equal(error.message, 'setting FEED_A: a header such as "Name: value" is required');
      return true;
    });
  }
});

Deno.test("docs/mapping.md shows valid settings of pages", () => {
  const page = Deno.readTextFileSync("docs/mapping.md");
  const shown = [...page.matchAll(/`(\{ "by": .*?\})`/g)].map(([, json]) => json!);
  assert.equal(shown.length, 6);
  for (const json of shown) Pages.parse(JSON.parse(json));
});
