/** Adds what a language model has read (planning/model_planner.ts) to a question. */
import type { Kind } from "../../contract/vocabulary.ts";
import { factWay, wordWay } from "./draft.ts";
import type { Question } from "./question.ts";

/** Parts of a query that a model has read. Words are folded. */
export interface Planned {
  words: readonly string[];
  /** Words that the query does not want, one list per phrase. */
  excluded: readonly (readonly string[])[];
  kinds: readonly Kind[];
}

/** Share that a word of the model is worth: that of a related phrase of the hand-written table. */
const PLANNED = 0.65;

/**
 * Returns a question with further ways: each word of the model can stand for any unit that asks for
 * the subject. A model adds no conditions, so it never widens or narrows what filters admit.
 */
export function withPlan(question: Question, { words, excluded, kinds }: Planned): Question {
  const known = new Set(question.units.flatMap(({ ways }) => ways).flatMap(({ keys }) => keys));
  const ways = words.map((word) => wordWay("learned", [word], PLANNED))
    .filter(({ keys }) => !keys.some((key) => known.has(key)));
  const units = question.units.map((unit) =>
    unit.is_filler || unit.condition !== undefined
      ? unit
      : { ...unit, ways: [...unit.ways, ...ways] }
  );
  const kindUnit = {
    text: kinds.join(" "),
    is_filler: true,
    ways: [factWay("kind", kinds.map((kind) => `kind:${kind}`))],
  };
  return {
    ...question,
    units: kinds.length > 0 ? [...units, kindUnit] : units,
    excluded: [
      ...question.excluded,
      ...excluded.map((phrase) => ({
        on: "words" as const,
        text: phrase.join(" "),
        ways: [wordWay("words", phrase)],
      })),
    ],
  };
}
