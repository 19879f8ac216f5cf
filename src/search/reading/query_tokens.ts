/** The words of a query with their positions and roles. */
import { words } from "../engine/text.ts";
import { isFiller, isOrder } from "./filler.ts";
import { nameWord } from "./name_keys.ts";
import type { Reading, Span } from "./passages.ts";

/** Role of a token in the question. */
type Role =
  /** A word that is searched for. */
  | "content"
  /** A single letter or digit, which is searched for only in a pair with a neighbouring word. */
  | "letter"
  /** A word that a rule has read, such as one of a facet, kind, period or amount. */
  | "read"
  /** A word that says nothing about the subject (see filler.ts). */
  | "filler"
  /** A stop word, or a sign. */
  | "stop"
  /** A word of an exclusion. */
  | "unwanted";

/** A part of a query between spaces and punctuation. */
export interface QueryToken extends Span {
  /** Text with its capitals, without accents. */
  written: string;
  /** Letters and digits of the text, folded (see name_keys.ts). */
  name: string;
  /** Folded words of the text that are searched for. */
  words: string[];
  role: Role;
}

const TOKEN = /[^\s,;:!?()[\]{}"“”«»/\\|<>]+/gu;

/** Returns the tokens of a query after rules have read it. */
export function tokensOf(reading: Reading): QueryToken[] {
  const { query, wanted, unnamed } = reading;
  const tokens: QueryToken[] = [];
  for (const match of query.matchAll(TOKEN)) {
    const start = match.index;
    const end = start + match[0].length;
    const name = nameWord(match[0]);
    if (name === "" && !/&/.test(match[0])) continue;
    const left = unnamed.slice(start, end);
    const token = { start, end, written: match[0], name };
    if (/^\s*$/.test(wanted.slice(start, end))) {
      tokens.push({ ...token, words: [], role: "unwanted" });
    } else if (/^[^\p{L}\p{N}]*$/u.test(left)) {
      tokens.push({ ...token, words: [], role: name === "" ? "stop" : "read" });
    } else if (tokens.every(isStopOrFiller) && isOrder(name, query.slice(end))) {
      tokens.push({ ...token, words: [], role: "filler" });
    } else if (COMPOUND.test(query.slice(start)) || isNewsBusiness(query, start)) {
      tokens.push({ ...token, words: words(left), role: "content" });
    } else tokens.push({ ...token, ...contentOf(left, tokens.length) });
  }
  return tokens;
}

/** Pattern of terms whose first word is usually filler. */
const COMPOUND =
  /^(?:big[\s-]+data|new[\s-]+media|single[\s-]+(?:sign|family|use)|current[\s-]+transformers?)(?!\p{L})/iu;

/** Pattern of terms in which "news" names a trade: "news startups". */
const NEWS_BUSINESS =
  /^news(?:[\s-]+(?:and|&)[\s-]+(?:media|publishing|magazines?|entertainment))?[\s-]+(?:start-?ups?|sites?|websites?|apps?|publish(?:ers?|ing)|outlets?|media|compan(?:y|ies)|firms?|agenc(?:y|ies)|organi[sz]ations?|aggregat(?:ors?|ion)|platforms?|services?|portals?|readers?|industry|sector|business(?:es)?|ventures?|providers?|networks?|broadcast(?:ers?|ing)|rooms?)(?!\p{L})/iu;
/** Pattern of words after which "news" names a trade: "online news". */
const NEWS_PLACE = /(?:^|[^\p{L}])(?:online|hyperlocal|digital|mobile|social)[\s-]+$/iu;

/** Returns whether the word "news" at a position of a query names a trade. */
function isNewsBusiness(query: string, start: number): boolean {
  const text = query.slice(start);
  return NEWS_BUSINESS.test(text) ||
    (/^news(?!\p{L})/iu.test(text) && NEWS_PLACE.test(query.slice(0, start)));
}

function isStopOrFiller({ role }: QueryToken): boolean {
  return role === "stop" || role === "filler";
}

function contentOf(text: string, place: number): Pick<QueryToken, "words" | "role"> {
  const all = words(text);
  if (isFiller(nameWord(text), place)) return { words: [], role: "filler" };
  const content = all.filter((word) => !isFiller(word, place));
  if (content.length > 0) return { words: content, role: "content" };
  if (all.length > 0) return { words: [], role: "filler" };
  // A small vowel is a word, such as "a". A vowel in capitals is a letter.
  const letter = nameWord(text);
  const isLetter = letter.length === 1 && text.trim().length === text.length &&
    !/^[aeiouy]$/.test(text.trim());
  return isLetter ? { words: [letter], role: "letter" } : { words: [], role: "stop" };
}
