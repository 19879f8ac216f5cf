import assert from "node:assert/strict";
import fc from "fast-check";
import { DEMO_QUESTIONS } from "../../bench/demo_questions.ts";
import { QUERY_LENGTH_MAX } from "../../src/contract/search.ts";
import { prepareReading, Retriever } from "../../src/search/retriever.ts";
import { writeLines } from "../../src/terminal.ts";
import { oneEngineTest } from "../support/database.ts";
import { longestBlock } from "../support/event_loop.ts";
import { normalizeFilters, normalizeQuery } from "../support/inputs.ts";
import { silent } from "../support/operations.ts";
import { hasRealData, ingestRealRecords, realFiles } from "../support/real_records.ts";

const FORMATS = ["canadabuys", "toronto", "sam", "gleif", "remote_jobs", "edgar_8k"];

/** Max milliseconds of CPU time in one turn of the event loop (scenario 44). */
const TURN_MILLISECONDS = 20;
/** Max length of a turn in ordinary questions, which take 2 ms each, on a slower machine. */
const TURN_QUESTIONS = 10;
/** Max number of runs of a query. A garbage collection can delay some of them, but not all. */
const RUNS = 6;

const WORD = fc.constantFrom(...DEMO_QUESTIONS.flatMap(({ text }) => text.split(" ")));

/** Parts of hostile queries. Misspelled words cost most, because they have many neighbours. */
const PARTS = [
  fc.stringMatching(/^[a-z]{49}$/),
  fc.stringMatching(/^[a-z]{9,24}$/),
  fc.stringMatching(/^[a-z]{1,3}$/),
  fc.constantFrom("\ufdfa", "\ufdf2", "ﬃ", "e\u0301\u0302", "ß", "a-", "o'", "é-è-"),
  fc.constantFrom("software ", "services ", "construction ", "the ", "no a ", "in ", '"a b" '),
  fc.constantFrom("not in ", "before ", "2025 ", "$5 million ", "and ", "or a ", "Ω "),
  fc.string({ unit: "binary", minLength: 1, maxLength: 20 }),
  WORD,
  fc.tuple(WORD, fc.nat(), fc.stringMatching(/^[a-z]$/)).map(([word, place, letter]) => {
    const at = place % word.length;
    return word.slice(0, at) + letter + word.slice(at + 1);
  }),
];

/** Many parts of one kind or of all kinds. */
const MANY = [...PARTS, fc.oneof(...PARTS)].map((part) =>
  fc.array(part, { minLength: 10, maxLength: 250 })
);

const query = fc.oneof(
  // One part that fills the query, and mixtures.
  fc.oneof(...PARTS).map((part) => part.repeat(QUERY_LENGTH_MAX)),
  fc.oneof(...MANY).map((all) => all.join(" ")),
  fc.oneof(...MANY).map((all) => all.join("")),
).map((text) => text.toWellFormed().slice(0, QUERY_LENGTH_MAX).trim())
  .filter((text) => text !== "");

if (!hasRealData()) {
  Deno.test({ name: "no query blocks (needs ../shared/data)", ignore: true, fn() {} });
} else {
  oneEngineTest(
    "scenario 44: no query of 500 characters blocks the event loop",
    async ({ db, sql }) => {
      await ingestRealRecords(db, realFiles(FORMATS));
      const retriever = new Retriever({ sql, log: silent, poll_milliseconds: 3_600_000 });
      prepareReading();
      await retriever.source.start();
      const filters = normalizeFilters({});
      const search = (query: string) =>
        longestBlock(() => retriever.search({ query, filters, now: new Date() }));
      // The first searches run code that is not compiled yet.
      for (const { text } of DEMO_QUESTIONS) await search(text);
      let ordinary = 0;
      for (const { text } of DEMO_QUESTIONS) ordinary += await search(text) / DEMO_QUESTIONS.length;
      const limit = Math.max(TURN_MILLISECONDS, TURN_QUESTIONS * ordinary);
      let worst = { text: "", milliseconds: 0 };
      try {
        await fc.assert(
          fc.asyncProperty(query, async (text) => {
            let normalized: string;
            try {
              normalized = normalizeQuery(text);
            } catch {
              // Its normal form is longer than the limit, so it is refused.
              return;
            }
            let milliseconds = Infinity;
            for (let run = 0; run < RUNS && milliseconds >= limit; run++) {
              milliseconds = Math.min(milliseconds, await search(normalized));
            }
            if (milliseconds > worst.milliseconds) worst = { text, milliseconds };
            assert.ok(milliseconds < limit, `${milliseconds} ms of CPU time`);
          }),
          { numRuns: 300 },
        );
      } finally {
        const { text, milliseconds } = worst;
        writeLines(
          "stdout",
          `longest turn: ${milliseconds.toFixed(1)} ms of CPU time, an ordinary one ` +
            `${ordinary.toFixed(1)}: ${JSON.stringify(text)}`,
        );
        await retriever.source.close();
      }
    },
  );
}
