/** Finds phrases that may replace words of a query, in English and French. */
import {
  type Bases,
  basesOf,
  type Form,
  includes,
  type Lexicon,
  type Meaning,
  merged,
  readLexicons,
  withoutReplaced,
} from "./lexicon.ts";

export { type Form, SAME_WEIGHT } from "./lexicon.ts";

/** A span of the words of a query that is a phrase of the dictionary. */
export interface Alternatives {
  /** Index of its first word. */
  from: number;
  /** Index after its last word. */
  to: number;
  /**
   * Phrases that may replace the span. Empty if there are none, but the span is a term of a sector.
   */
  forms: readonly Form[];
}

interface Match {
  from: number;
  to: number;
  meanings: readonly Meaning[];
}

/**
 * Returns the alternatives of each span of up to three words that is a phrase of the dictionary,
 * ordered by `from`. Number, gender, accents and hyphens make no difference. Phrases within a
 * longer phrase are left out, because a bridge loan is not a bridge.
 *
 * @param words content words of a query, as words() of engine/text.ts returns them
 */
export function alternativesOf(words: readonly string[]): Alternatives[] {
  const bases = basesOf(words);
  const matches = matchesOf(bases);
  return matches.flatMap((match) => {
    if (matches.some((longer) => contains(longer, match))) return [];
    const forms = formsOf(match, bases.map((all) => all.slice(match.from, match.to)));
    const hasSector = match.meanings.some(({ sectors }) => sectors.length > 0);
    if (forms.length === 0 && !hasSector) return [];
    return [{ from: match.from, to: match.to, forms }];
  });
}

function matchesOf(bases: Bases): Match[] {
  const matchesBySpan = new Map<string, Match>();
  readLexicons().forEach((lexicon, language) => {
    const all = bases[language]!;
    for (let from = 0; from < all.length; from++) addMatches(matchesBySpan, lexicon, all, from);
  });
  return [...matchesBySpan.values()].sort((a, b) => a.from - b.from || b.to - a.to);
}

/** Adds the matches of one language that begin at a word. */
function addMatches(
  matchesBySpan: Map<string, Match>,
  { meanings, longest }: Lexicon,
  bases: readonly string[],
  from: number,
): void {
  const end = Math.min(bases.length, from + (longest.get(bases[from]!) ?? 0));
  let key = "";
  for (let to = from + 1; to <= end; to++) {
    key = to === from + 1 ? bases[from]! : `${key} ${bases[to - 1]!}`;
    const known = meanings.get(key);
    if (known === undefined) continue;
    const span = `${from} ${to}`;
    const before = matchesBySpan.get(span)?.meanings ?? [];
    matchesBySpan.set(span, { from, to, meanings: [...before, ...known] });
  }
}

function contains(longer: Match, { from, to }: Match): boolean {
  return longer.from <= from && longer.to >= to && longer.to - longer.from > to - from;
}

/** Returns the forms of a match, except forms that contain all words of the span. */
function formsOf({ meanings }: Match, span: Bases): Form[] {
  const known = meanings.length === 1
    ? meanings[0]!.forms
    : merged(meanings.flatMap(({ forms }) => forms));
  const forms = known.filter(({ bases }) => !includes(bases, span));
  return (meanings.length === 1 ? forms : withoutReplaced(forms)).map(({ form }) => form);
}
