/** The words of a query with their positions and roles. */
import { words } from "../engine/text.ts";
import { isFiller, isOrder } from "./filler.ts";
import { nameWord } from "./name_keys.ts";
import type { Reading, Span } from "./passages.ts";

/** Role of a token in the question. */
type Role =
  /** Searched for. */
  | "content"
  /** A single letter or digit, which counts only beside a neighbour. */
  | "letter"
  /** Read by a rule as a facet, kind, period or amount. */
  | "read"
  /** A word that says nothing about the subject (see filler.ts). */
  | "filler"
  /** A stop word, or a sign. */
  | "stop"
  /** Part of what the query does not want. */
  | "unwanted";

/** A part of a query between spaces and punctuation. */
export interface QueryToken extends Span {
  /** Text in its own case, without accents. */
  written: string;
  /** Its letters and digits, folded (see name_keys.ts). */
  name: string;
  /** Its folded words that are searched for. */
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
    } else if (tokens.every(isSilent) && isOrder(name, query.slice(end))) {
      tokens.push({ ...token, words: [], role: "filler" });
    } else if (COMPOUND.test(query.slice(start)) || isNewsBusiness(query, start)) {
      tokens.push({ ...token, words: words(left), role: "content" });
    } else tokens.push({ ...token, ...contentOf(left, tokens.length) });
  }
  return tokens;
}

/** Pattern of terms whose first word is filler elsewhere. */
const COMPOUND =
  /^(?:big[\s-]+data|new[\s-]+media|single[\s-]+(?:sign|family|use)|current[\s-]+transformers?)(?!\p{L})/iu;

/** Pattern of news that companies make: "news startups". */
const NEWS_BUSINESS =
  /^news(?:[\s-]+(?:and|&)[\s-]+(?:media|publishing|magazines?|entertainment))?[\s-]+(?:start-?ups?|sites?|websites?|apps?|publish(?:ers?|ing)|outlets?|media|compan(?:y|ies)|firms?|agenc(?:y|ies)|organi[sz]ations?|aggregat(?:ors?|ion)|platforms?|services?|portals?|readers?|industry|sector|business(?:es)?|ventures?|providers?|networks?|broadcast(?:ers?|ing)|rooms?)(?!\p{L})/iu;
/** Pattern of words before such news: "online news". */
const NEWS_PLACE = /(?:^|[^\p{L}])(?:online|hyperlocal|digital|mobile|social)[\s-]+$/iu;

/** Returns whether the word "news" at a position of a query names a trade. */
function isNewsBusiness(query: string, start: number): boolean {
  const behind = query.slice(start);
  return NEWS_BUSINESS.test(behind) ||
    (/^news(?!\p{L})/iu.test(behind) && NEWS_PLACE.test(query.slice(0, start)));
}

function isSilent({ role }: QueryToken): boolean {
  return role === "stop" || role === "filler";
}

function contentOf(text: string, place: number): Pick<QueryToken, "words" | "role"> {
  const all = words(text);
  if (isFiller(nameWord(text), place)) return { words: [], role: "filler" };
  const content = all.filter((word) => !isFiller(word, place));
  if (content.length > 0) return { words: content, role: "content" };
  if (all.length > 0) return { words: [], role: "filler" };
  // Vowels are letters only in capitals: "a" is a word.
  const letter = nameWord(text);
  const isLetter = letter.length === 1 && text.trim().length === text.length &&
    !/^[aeiouy]$/.test(text.trim());
  return isLetter ? { words: [letter], role: "letter" } : { words: [], role: "stop" };
}
