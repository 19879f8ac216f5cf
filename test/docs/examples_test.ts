/** Asks the example questions of the pages and of the console on the demo, as a newcomer does. */
import assert from "node:assert/strict";
import { generateDemo, recordDemo } from "../../src/demo/demo.ts";
import { SEARCH_REQUESTS } from "../../src/http/openapi_examples.ts";
import { withApp } from "../support/app.ts";
import { embeddedTest } from "../support/database.ts";
import { AMPLE, createCaller, record } from "../support/factories.ts";
import { blocksOf, PAGES } from "../support/markdown.ts";

/** Pages whose questions are about records that a reader fetches, not about the demo. */
const OWN_DATA = ["docs/first_day.md", "docs/sources.md"];

/** Page with a record, and with a question about it. */
const INGEST = "docs/ingest.md";

const FILES = [
  ...PAGES.filter((page) => !OWN_DATA.includes(page)),
  "client/python/README.md",
  "src/console/agents_page.js",
  "src/console/reference.js",
];

/** Ways in which examples write a question. */
const QUESTION =
  /(?:\bquery"?: "|\bquery=|\binput: "|task ask (?:--explain )?"|search_\w+\("|ask: ")([a-z][^"\n]+)"/gi;

/** Returns the questions of all examples, each with the file that has it. */
function questions(): Map<string, string> {
  const read = (path: string) => Deno.readTextFileSync(path);
  const found = FILES.flatMap((file) =>
    [...read(file).matchAll(QUESTION)]
      .map(([, question]) => [question!.replace(" Use company-evidence.", ""), file] as const)
  );
  const [, list] = /EXAMPLES = \[(.*?)\]/s.exec(read("src/console/search_page.js"))!;
  const [, inSkill] = /for example\s+`([^`]+)`/.exec(read("src/http/skill.md"))!;
  const [, toAgent] = /<p>“(.*?)[,.] and show me/s.exec(read("src/console/agents_page.js"))!;
  return new Map([
    ...found,
    ...[...list!.matchAll(/"(.+)"/g)].map(([, question]) => [question!, "the console"] as const),
    [inSkill!, "the skill"],
    [toAgent!, "the console"],
    ...Object.values(SEARCH_REQUESTS).map(({ query }) => [query, "the contract"] as const),
  ]);
}

embeddedTest("every example question finds companies on the demo", async ({ db, sql }) => {
  const today = new Date();
  await recordDemo(db, today);
  const [block] = blocksOf(INGEST, "json");
  const added = JSON.parse(block!);
  await record(sql, [added]);
  const languages = new Map(
    generateDemo(today).map(({ company }) => [company.name, company.language]),
  );
  const { key } = await createCaller(sql, { terms: AMPLE });
  const asked = questions();
  assert.ok(asked.size >= 9, `${asked.size} questions`);
  await withApp(db, async ({ search }) => {
    for (const [query, file] of asked) {
      const { body } = await search({ query, limit: 5 }, { key, request_key: crypto.randomUUID() });
      const first = body.companies?.[0];
      assert.ok(first, `${file}: ${query} ${JSON.stringify(body)}`);
      // The first company writes in the language of the question.
      const language = / au | d'/.test(query) ? "fr" : "en";
      assert.equal(languages.get(first.name) ?? "en", language, `${file}: ${query}`);
      if (query.endsWith("in Laval")) assert.equal(first.name, added.company.name);
    }
  });
});
