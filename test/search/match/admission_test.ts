import assert from "node:assert/strict";
import { RecordIndex } from "../../../src/search/index/record_index.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { match } from "../../../src/search/match/match.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
import { runNow } from "../../../src/slices.ts";
import { observationDocument } from "../../support/documents.ts";

const NOW = "2026-07-01T00:00:00.000000Z";

type Part = Parameters<typeof observationDocument>[1];

/**
 * Returns which of the records about zircon a question admits, by their names. A question mark marks
 * those that are silent about a condition.
 */
function admitted(query: string, parts: Record<string, Part>): string[] {
  const index = new RecordIndex();
  const names = Object.keys(parts);
  for (const [at, part] of Object.values(parts).entries()) {
    const texts = ["Zircon.", ...part?.texts ?? []];
    index.put(observationDocument(at + 1, { ...part, texts }));
  }
  const { records } = index;
  const question = readQuestion(query, new Date(NOW), records);
  const { candidates } = runNow(match({ records, question, filters: { ...NO_FILTERS, now: NOW } }));
  return candidates.map(({ slot, silent }) => {
    const [{ arrays }, document] = records.placeOf(slot);
    return names[arrays.observation_id[document]! - 1]! + (silent > 0 ? "?" : "");
  }).sort();
}

Deno.test("match() admits records of a period up to the instant before its end", () => {
  // They expire a microsecond after now.
  const at = (occurred_at: string | null) => ({ occurred_at, expires_at: NOW.replace("0Z", "1Z") });
  const parts = {
    first: at("2024-01-01T00:00:00.000000Z"),
    last: at("2024-12-31T23:59:59.999999Z"),
    late: at("2025-01-01T00:00:00.000000Z"),
    unknown: at(null),
  };
  assert.deepEqual(admitted("zircon in 2024", parts), ["first", "last", "unknown?"]);
});

Deno.test("match() admits records whose text names a foreign country", () => {
  const text = (...texts: string[]) => ({ texts });
  const parts = {
    names: text("Offices in Mexico."),
    french: text("Des bureaux au Mexique."),
    elsewhere: text("Offices in Toronto."),
    state: text("Offices in Albuquerque, New Mexico."),
  };
  assert.deepEqual(admitted("zircon in Mexico", parts), ["french", "names"]);
  const kingdom = { both: text("United Kingdom."), one: text("United Way.") };
  assert.deepEqual(admitted("zircon in the United Kingdom", kingdom), ["both"]);
});

Deno.test("match() admits records that close up to the minute before the end of a period", () => {
  const at = (closes_at: string | null) => ({ closes_at });
  const parts = {
    last: at("2026-12-14T23:59:00.000000Z"),
    late: at("2026-12-15T00:00:00.000000Z"),
    unknown: at(null),
  };
  assert.deepEqual(admitted("zircon closing before December 15", parts), ["last", "unknown?"]);
});

Deno.test("match() admits records that name only a larger area, as silent", () => {
  const at = (country: "CA" | "US", ...facets: string[]) => ({ country, facets });
  const parts = {
    city: at("CA", "region:CA-ON", "city:toronto", "metro:toronto"),
    suburb: at("CA", "region:CA-ON", "city:mississauga", "metro:toronto"),
    elsewhere: at("CA", "region:CA-ON", "city:ottawa", "metro:ottawa"),
    town: at("CA", "region:CA-ON", "city:guelph"),
    region: at("CA", "region:CA-ON"),
    other_region: at("CA", "region:CA-BC"),
    country: at("CA"),
    other_country: at("US"),
  };
  assert.deepEqual(admitted("zircon in Ontario", parts), [
    ...["city", "country?", "elsewhere", "region", "suburb", "town"],
  ]);
  assert.deepEqual(admitted("zircon in Toronto", parts), ["city", "country?", "region?", "suburb"]);
  assert.deepEqual(admitted("zircon in the Greater Toronto Area", parts), [
    ...["city", "country?", "region?", "suburb"],
  ]);
  assert.deepEqual(admitted("zircon in Canada except Ontario and British Columbia", parts), [
    "country",
  ]);
});

Deno.test("match() excludes every kind that a word names", () => {
  const parts = {
    tender: { kind: "procurement_request" as const },
    alliance: { kind: "partnership" as const },
    job: { kind: "job_posting" as const },
  };
  assert.deepEqual(admitted("zircon except contracts", parts), ["job"]);
});

Deno.test("match() finds a quoted phrase in the words of either language, also at the end", () => {
  const text = (...texts: string[]) => ({ texts });
  const parts = {
    english: text("We sell fleets of rental trucks"),
    french: text("Les camions de livraison sont à vendre avec des rental trucks"),
    reversed: text("We sell trucks for rental"),
  };
  assert.deepEqual(admitted('zircon "rental trucks"', parts), ["english", "french"]);
});

Deno.test("match() finds all records of a kind that only the frame of a question names", () => {
  const round = (amount: number) => ({ kind: "funding_round" as const, amount });
  const parts = { large: round(60_000_000), small: round(5_000_000) };
  assert.deepEqual(admitted("companies that raised more than $50 million", parts), ["large"]);
  assert.deepEqual(admitted("companies that raised", parts), ["large", "small"]);
});

Deno.test("match() counts no silence about a condition that a record meets", () => {
  const parts = { ontario: { country: "CA" as const, facets: ["region:CA-ON"] } };
  assert.deepEqual(admitted("zircon in Toronto or Ontario", parts), ["ontario"]);
});
