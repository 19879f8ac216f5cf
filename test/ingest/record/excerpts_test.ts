import assert from "node:assert/strict";
import { isInformative } from "../../../src/ingest/record/excerpts.ts";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { sourceRecord } from "../../support/factories.ts";

const FACT = "A second freezer warehouse is being built in Laval.";
const INFORMATIVE = "The freezer warehouse in Laval has forty doors.";

function excerptsOf(excerpts: string[], text?: string): string[] {
  const evidence = excerpts.map((excerpt, n) => ({
    source_uri: `https://news.example/${n}`,
    excerpt,
  }));
  const judged = normalizeRecord(sourceRecord({ observed_fact: FACT, text, evidence }));
  assert.ok("record" in judged, "reason" in judged ? judged.reason : "");
  return judged.record.evidence.map(({ source_uri, excerpt }) => `${source_uri.at(-1)} ${excerpt}`);
}

Deno.test("normalizeRecord() drops an excerpt of almost only masks, if another remains", () => {
  assert.deepEqual(excerptsOf(["[redacted]", INFORMATIVE]), [`1 ${INFORMATIVE}`]);
  assert.deepEqual(excerptsOf([INFORMATIVE, "Contact: [redacted], [redacted]"]), [
    `0 ${INFORMATIVE}`,
  ]);
  assert.deepEqual(excerptsOf([`Ask [redacted]. ${INFORMATIVE}`]), [
    `0 Ask [redacted]. ${INFORMATIVE}`,
  ]);
});

Deno.test("normalizeRecord() replaces excerpts of almost only masks by a passage of the text", () => {
  assert.deepEqual(excerptsOf(["[redacted]", "a/s [redacted]"], `[redacted]\n${INFORMATIVE}`), [
    `0 [redacted]\n${INFORMATIVE}`,
  ]);
});

Deno.test("normalizeRecord() keeps a short excerpt without masks, and the only excerpt", () => {
  assert.deepEqual(excerptsOf(["The hall"], INFORMATIVE), ["0 The hall"]);
  assert.deepEqual(excerptsOf(["Ask [redacted]"]), ["0 Ask [redacted]"]);
});

Deno.test("normalizeRecord() refuses a record whose evidence has only masks", () => {
  const evidence = [{ source_uri: "https://news.example/1", excerpt: "[redacted] – [redacted]" }];
  assert.deepEqual(normalizeRecord(sourceRecord({ evidence })), {
    reason: "evidence.0.excerpt: has no text besides masked parts",
  });
});

Deno.test("isInformative() counts the letters and digits outside of masks", () => {
  assert.ok(isInformative("Sidewalks and curbs on King Street"));
  assert.ok(!isInformative("See Part 3"));
  assert.ok(!isInformative("[redacted] [redacted] [redacted]: see Part 3"));
});
