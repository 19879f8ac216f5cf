/** Reads quotations and hostnames, which mean only themselves, and negations. */
import { normalizeHostname } from "../../contract/hostname.ts";
import { KINDS } from "../../contract/vocabulary.ts";
import { nameKeyOfWords, nameWord } from "../facets/name_keys.ts";
import { rolesIn } from "../facets/roles.ts";
import { LANGUAGES } from "../words/stems.ts";
import { phrasesAt, SAME, type Similar, similarTo } from "../words/similar.ts";
import { keyOf, termOf } from "../words/terms.ts";
import { isContent, wordsOf } from "../words/tokens.ts";
import { type Draft, type DraftUnit, factWay, isSameWord, PARTS_MAX, wordWay } from "./draft.ts";
import { isFiller } from "./filler.ts";
import { KIND_PATTERNS, SECTOR_PATTERNS } from "./facts.ts";
import { findMinuses, findNegations, isCertain, mayBeName, negationBefore } from "./negation.ts";
import { overlaps, type Span } from "./query_text.ts";
import type { Way } from "./question.ts";

/** Pattern of text in straight, curly or French quotation marks. */
const QUOTED = /"([^"]+)"|“([^”]+)”|«([^»]+)»/gu;

/** Reads quotations. No other reader reads quoted words. After a negation, they are excluded. */
export function readQuotes(draft: Draft): void {
  for (const passage of draft.text.find(QUOTED, "cased")) {
    const negated = negationBefore(draft.text, passage);
    if (negated === undefined) {
      draft.mark("is_literal", passage);
      const words = draft.unitsIn(passage).map(({ text }) => text);
      const isFull = draft.phrases.length === PARTS_MAX;
      if (words.length > 1 && !isFull) {
        draft.phrases.push(
          LANGUAGES.map((language) => words.map((word) => keyOf(termOf([word], language)))),
        );
      }
      draft.text.take(passage);
    } else excludeWords(draft, passage, { start: negated, end: passage.end });
  }
}

/** Pattern of a hostname, with its scheme. The list of endings excludes "node.js" and "e.g.". */
const HOSTNAME =
  /(?<![\p{L}\p{N}@._]|[\p{L}\p{N}@._]-)(?:https?:\/\/)?((?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+(?:com|net|org|ca|us|io|co|gov|edu|info|biz|fr|uk|eu|app|dev|ai|tech|quebec|coop|example))(?![\p{L}\p{N}@_-]|\.[\p{L}\p{N}])/gu;

/** Reads hostnames. A hostname after a negation is excluded. */
export function readHostnames(draft: Draft): void {
  for (const passage of draft.text.find(HOSTNAME)) {
    const hostname = normalizeHostname(passage.groups[0]!);
    if (hostname === undefined) continue;
    const way = { ...factWay("name", [`host:${hostname}`]), text: hostname };
    const negated = negationBefore(draft.text, passage);
    if (negated !== undefined) {
      const span = { start: negated, end: passage.end };
      draft.exclude({ on: "words", text: hostname, ways: [way] }, span);
      continue;
    }
    draft.text.take(passage);
    draft.mark("is_literal", passage);
    draft.weaken(passage);
    draft.addWay(way, passage);
    // "acme" of "www.acme.com" is the longest part.
    const parts = draft.unitsIn(passage).sort((a, b) => b.text.length - a.text.length);
    for (const part of parts.slice(1)) part.is_filler = true;
  }
}

/**
 * Reads negations of kinds and of words: "not construction", "sauf les traiteurs". A negation that
 * may state a need ("companies without ERP") excludes only if other words say what is wanted.
 */
export function readNegations(draft: Draft): void {
  for (const passage of findMinuses(draft.text)) {
    // A minus sign before a word such as "based" is a dash.
    if (draft.unitsIn(passage).every(isFrame)) continue;
    const kinds = kindsIn(passage.groups[0]!);
    if (kinds.length > 0) draft.exclude({ on: "kind", kinds }, passage);
    else excludeWords(draft, { start: passage.start + 1, end: passage.end }, passage);
  }
  for (const passage of findNegations(draft.text)) {
    const objects = passage.groups.filter((group) => group !== undefined);
    const isKnown = [...KIND_PATTERNS, ...SECTOR_PATTERNS]
      .some(({ pattern }) => objects.some((object) => object.search(pattern) >= 0));
    if (mayBeName(draft.text, passage) && !isKnown) continue;
    const others = draft.units.filter((unit) => !overlaps(unit, passage) && !isFrame(unit));
    const isDoubtful = !isKnown && !isCertain(draft.text, passage);
    if (isDoubtful && others.length === 0 && draft.conditions.length === 0) continue;
    for (const object of objects) {
      // "Leadership changes except CEO changes" is about changes.
      const asked = kindsIn(draft.text.rest.replace(object, ""));
      const kinds = kindsIn(object).filter((kind) => !asked.includes(kind));
      const named = rolesIn(object).length > 0 ? object : withoutKinds(object);
      if (kinds.length > 0 && named === "") draft.exclude({ on: "kind", kinds }, passage);
      else {
        const start = draft.text.rest.indexOf(named, passage.start);
        const span = { start, end: start + named.length };
        // "Snow plows, not snow" is about snow.
        const isWanted = draft.unitsIn(span).every(({ text }) =>
          others.some((unit) => isSameWord(text, unit.text))
        );
        if (!isWanted) excludeWords(draft, span, span);
      }
    }
    draft.text.take(passage);
    draft.units = draft.units.filter((unit) => !overlaps(unit, passage));
  }
}

function kindsIn(object: string) {
  const named = KIND_PATTERNS.filter(({ pattern }) => object.search(pattern) >= 0)
    .flatMap(({ kinds }) => kinds);
  return KINDS.filter((kind) => named.includes(kind));
}

/** Returns the first words of an object that name no kind: "library" of "library tenders". */
function withoutKinds(object: string): string {
  const rest = KIND_PATTERNS.reduce(
    (text, { pattern }) => text.replaceAll(pattern, (kind) => "\0".repeat(kind.length)),
    object,
  );
  return rest.split("\0").map((part) => part.trim()).find((part) => /\p{L}/u.test(part)) ?? "";
}

function isFrame({ folded, position }: DraftUnit): boolean {
  return isFiller(folded, position);
}

/** Excludes the records that contain what is between two positions of the query. */
function excludeWords(draft: Draft, words: Span, span: Span): void {
  const others = draft.units.filter((unit) => !overlaps(unit, words));
  const all = wordsOf(draft.query.slice(words.start, words.end));
  const content = all.filter((word) => isContent(word, draft.language))
    .filter(({ folded }) => !isFiller(folded, 1));
  const named = (content.length > 0 ? content : all).map(({ text }) => text.toLowerCase());
  if (named.length === 0) return;
  const roles = rolesIn(named.join(" ")).map(({ role }) => factWay("role", [`role:${role}`]));
  const ways = [...roles, ...excludingWays(draft, named, others)]
    .filter(({ origin, text }) => origin !== "written" || !isMeantBy(others, text));
  draft.exclude({ on: "words", text: named.join(" "), ways }, span);
}

/** Returns whether units ask for a phrase: "translation" asks for "traduction". */
function isMeantBy(units: readonly DraftUnit[], phrase: string): boolean {
  const meant = units.flatMap(({ text }) => [text, ...sameAs([text]).map((same) => same.text)]);
  return phrase.split(" ").every((word) => meant.some((one) => isSameWord(one, word)));
}

/** Returns the phrases that mean the same as words. */
function sameAs(words: readonly string[], language?: Draft["language"]): Similar[] {
  return similarTo(words, language).filter(({ origin, similarity }) =>
    origin === "written" && similarity >= SAME
  );
}

/**
 * Returns the ways of excluded words: a company's name, a word or known phrase, and what means the
 * same. An index has no term for other phrases. Of their words, the rarest one is excluded, because
 * "not residential construction" is rather about what is residential. No word of the `others` is,
 * because "steel tanks, not plastic tanks" is about tanks.
 */
function excludingWays(
  draft: Draft,
  words: readonly string[],
  others: readonly DraftUnit[],
): Way[] {
  const name = `name:${nameKeyOfWords(words.map(nameWord))}`;
  if (draft.frequency(name) > 0) return [factWay("name", [name])];
  if (words.length > 1 && phrasesAt(words, 0)[0] !== words.length) {
    const isWanted = (word: string) => others.some(({ text }) => isSameWord(word, text));
    const [rarest] = [...words].sort((a, b) =>
      Number(isWanted(a)) - Number(isWanted(b)) ||
      draft.wordFrequency(a) - draft.wordFrequency(b)
    );
    return excludingWays(draft, [rarest!], others);
  }
  return [wordWay("words", words), ...sameAs(words, draft.language)];
}
