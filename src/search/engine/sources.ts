/** A question put to every part of an index at once, since weights depend on all of them. */
import { Admission, type Conditions } from "./admission.ts";
import { PRESENCE_BITS } from "./presence.ts";
import {
  type AskedTerms,
  askedTerms,
  type AskedWord,
  type Statistics,
  weigh,
  WORDS_MAX,
} from "./question.ts";
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

/** The terms of words as they stand in every part of an index. */
export interface FoundTerms {
  asked: AskedTerms;
  segments: readonly { segment: Segment; bit: number; numbers: readonly number[] }[];
  /** By word: how many documents hold it. */
  frequencies: readonly number[];
}

/** Looks the terms of words up, whatever conditions they are then asked under. */
export function findTerms(
  words: Question["words"],
  index: { segments: readonly Segment[]; tail: Tail },
): FoundTerms {
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
    frequencies[word]! += index.tail.frequency(key);
    for (const { segment, numbers } of segments) {
      if (numbers[place]! >= 0) frequencies[word]! += segment.frequency(numbers[place]!);
    }
  });
  return { asked, segments, frequencies };
}

export function openSources(
  { asked, segments, frequencies }: FoundTerms,
  { conditions, tail, statistics }: {
    conditions: Conditions;
    tail: Tail;
    statistics: Statistics;
  },
): Sources {
  const question = weigh(asked, { frequencies, statistics });
  const held = asked.terms.map(({ word }) => frequencies[word]! > 0);
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
