import assert from "node:assert/strict";
import { chooseExcerpts, isInformative } from "../../../src/ingest/record/excerpts.ts";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { sourceRecord } from "../../support/factories.ts";

const FACT = "A second freezer warehouse is being built in Laval.";
const TOLD = "The freezer warehouse in Laval has forty doors.";

function excerptsOf(excerpts: string[], text?: string): string[] {
  const evidence = excerpts.map((excerpt, n) => ({
    source_uri: `https://news.example/${n}`,
    excerpt,
  }));
  const judged = normalizeRecord(sourceRecord({ observed_fact: FACT, text, evidence }));
  assert.ok("record" in judged, "reason" in judged ? judged.reason : "");
  return judged.record.evidence.map(({ source_uri, excerpt }) => `${source_uri.at(-1)} ${excerpt}`);
}

Deno.test("normalizeRecord() shows no excerpt that says little beside masks, if another remains", () => {
  assert.deepEqual(excerptsOf(["[redacted]", TOLD]), [`1 ${TOLD}`]);
  assert.deepEqual(excerptsOf([TOLD, "Contact: [redacted], [redacted]"]), [`0 ${TOLD}`]);
  assert.deepEqual(excerptsOf([`Ask [redacted]. ${TOLD}`]), [`0 Ask [redacted]. ${TOLD}`]);
});

Deno.test("normalizeRecord() shows a passage of the text in place of masks", () => {
  assert.deepEqual(excerptsOf(["[redacted]", "a/s [redacted]"], `[redacted]\n${TOLD}`), [
    `0 [redacted]\n${TOLD}`,
  ]);
});

Deno.test("normalizeRecord() keeps a short excerpt without masks, and one that is all there is", () => {
  assert.deepEqual(excerptsOf(["The hall"], TOLD), ["0 The hall"]);
  assert.deepEqual(excerptsOf(["Ask [redacted]"]), ["0 Ask [redacted]"]);
});

Deno.test("normalizeRecord() refuses a record whose evidence is masks alone", () => {
  const evidence = [{ source_uri: "https://news.example/1", excerpt: "[redacted] – [redacted]" }];
  assert.deepEqual(normalizeRecord(sourceRecord({ evidence })), {
    reason: "evidence.0.excerpt: has no text besides masked parts",
  });
});

Deno.test("chooseExcerpts() cuts a long excerpt to the passage that supports the fact", () => {
  const filler = "It is a sentence of the notice. ".repeat(30);
  const [one] = chooseExcerpts([`[redacted]\n${filler}${TOLD}`], { texts: [], fact: FACT });
  assert.equal(one!.index, 0);
  assert.ok(one!.excerpt.endsWith(TOLD) && one!.excerpt.length <= 600);
});

Deno.test("isInformative() counts letters and digits beside masks", () => {
  assert.ok(isInformative("Sidewalks and curbs on King Street"));
  assert.ok(!isInformative("See Part 3"));
  assert.ok(!isInformative("[redacted] [redacted] [redacted]: see Part 3"));
});
