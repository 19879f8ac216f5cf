/** Checks the answer of a language model, and turns it into a plan. */
import { z } from "zod";
import { KINDS } from "../../contract/vocabulary.ts";
import { sortedSet } from "../../contract/fields.ts";
import { PARTS_MAX } from "../question/draft.ts";
import type { Planned } from "../question/planned.ts";
import { LANGUAGES } from "../words/language.ts";
import { stem } from "../words/stems.ts";
import { isContent, wordsOf } from "../words/tokens.ts";
import { PHRASE_WORDS_MAX } from "../words/written.ts";

/** Max number of distinct words in a plan. More words add cost, but hardly any meaning. */
export const TERMS_MAX = 32;

/** Max length of a text: longer than any word or name of a query. */
const TEXT_LENGTH_MAX = 200;

const text = z.string().min(1).max(TEXT_LENGTH_MAX)
  .refine((string) => string.isWellFormed() && !string.includes("\0"));

const texts = (max: number) => z.array(text).max(max).default([]);

const anyOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.array(z.enum(values)).max(values.length).default([]);

const ModelPlan = z.strictObject({
  terms: z.array(text).max(TERMS_MAX),
  excluded: texts(PARTS_MAX),
  kinds: anyOf(KINDS),
});

const ModelAnswer = z.union([z.strictObject({ unsupported: z.literal(true) }), ModelPlan]);

/**
 * Reads a model's answer: a text of one JSON object. Only folded words and kinds
 * reach a search.
 *
 * @returns "unsupported" if the model says so; undefined if the answer has another form
 */
export function readModelAnswer(answerText: string): Planned | "unsupported" | undefined {
  const parsed = ModelAnswer.safeParse(jsonOf(answerText));
  if (!parsed.success) return undefined;
  return "unsupported" in parsed.data ? "unsupported" : plannedOf(parsed.data);
}

function jsonOf(answerText: string): unknown {
  try {
    return JSON.parse(answerText);
  } catch {
    return undefined;
  }
}

function plannedOf(answer: z.infer<typeof ModelPlan>): Planned {
  const excluded = wordsOfEach(answer.excluded);
  const unwanted = new Set(
    excluded.filter(({ length }) => length === 1).map(([word]) => nameOf(word!)),
  );
  const terms = answer.terms.flatMap(words).filter((word) => !unwanted.has(nameOf(word)));
  const distinct = [...new Map(terms.toReversed().map((word) => [nameOf(word), word])).values()];
  return {
    words: distinct.reverse().slice(0, TERMS_MAX),
    excluded,
    kinds: sortedSet(answer.kinds),
  };
}

/** Returns a key that words share if their stems are equal in every language. */
function nameOf(word: string): string {
  return LANGUAGES.map((language) => stem(word, language)).join(" ");
}

function words(text: string): string[] {
  return wordsOf(text).filter((word) => isContent(word)).map(({ folded }) => folded);
}

function wordsOfEach(phrases: readonly string[]): string[][] {
  return phrases.map((phrase) => words(phrase).slice(0, PHRASE_WORDS_MAX)).filter((list) =>
    list.length > 0
  );
}
