/** A question put to every part of an index at once, since weights depend on all of them. */
import { Admission, type Conditions } from "./admission.ts";
import { PRESENCE_BITS } from "./presence.ts";
import { askedTerms, type AskedWord, type Statistics, weigh, WORDS_MAX } from "./question.ts";
import { SegmentSearch } from "./ranking.ts";
import type { Segment } from "./segment.ts";
import type { Tail, TailHits } from "./tail.ts";

export interface Question {
  /** Folded, as `words` of tokens.ts makes them. */
  words: readonly (string | AskedWord)[];
  conditions: Conditions;
}

/** Whoever can offer documents to a collector. */
export interface Sources {
  /** Large ones first: what they hold best is likely to stay. */
  segments: SegmentSearch[];
  tail: TailHits;
  /** What sums are of scores: see WeightedQuestion. */
  scale: number;
}

export function openSources(
  { words, conditions, tail, statistics, ...index }: Question & {
    segments: readonly Segment[];
    tail: Tail;
    statistics: Statistics;
  },
): Sources {
  const asked = askedTerms(words);
  const all = asked.terms;
  const segments = index.segments
    .map((segment, place) => ({
      segment,
      bit: place % PRESENCE_BITS,
      numbers: all.map(({ key }) => segment.term(key)),
    }))
    .sort((a, b) => b.segment.live - a.segment.live);
  const frequencies = words.slice(0, WORDS_MAX).map(() => 0);
  all.forEach(({ word, key }, place) => {
    frequencies[word]! += tail.frequency(key);
    for (const { segment, numbers } of segments) {
      if (numbers[place]! >= 0) frequencies[word]! += segment.frequency(numbers[place]!);
    }
  });
  const question = weigh(asked, { frequencies, statistics });
  const held = all.map(({ word }) => frequencies[word]! > 0);
  return {
    segments: segments.map(({ segment, bit, numbers }) =>
      new SegmentSearch(segment, {
        ...question,
        numbers: numbers.filter((_, place) => held[place]),
        factors: statistics.factors,
        admission: new Admission(segment, conditions),
        bit,
      })
    ),
    tail: tail.search({ ...question, statistics, conditions }),
    scale: question.scale,
  };
}
