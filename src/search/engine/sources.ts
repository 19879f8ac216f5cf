/** A question put to every part of an index at once, since weights depend on all of them. */
import { Admission, type Conditions } from "./admission.ts";
import { PRESENCE_BITS } from "./presence.ts";
import {
  askedTerms,
  type AskedWord,
  type Statistics,
  weigh,
  type WeightedQuestion,
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

/** The terms of words as they stand in every part of an index, and what they weigh. */
export interface FoundTerms {
  question: WeightedQuestion;
  /** With the numbers of the terms that any document holds. */
  segments: readonly { segment: Segment; bit: number; numbers: readonly number[] }[];
}

/** Looks the terms of words up, whatever conditions they are then asked under. */
export function findTerms(
  words: Question["words"],
  { segments, tail, statistics }: {
    segments: readonly Segment[];
    tail: Tail;
    statistics: Statistics;
  },
): FoundTerms {
  const asked = askedTerms(words);
  const frequencies = words.slice(0, WORDS_MAX).map(() => 0);
  const bySegment = segments.map((segment) =>
    asked.terms.map(({ word, key }) => {
      const number = segment.term(key);
      if (number >= 0) frequencies[word]! += segment.frequency(number);
      return number;
    })
  );
  for (const { word, key } of asked.terms) frequencies[word]! += tail.frequency(key);
  const held = asked.terms.map(({ word }) => frequencies[word]! > 0);
  return {
    question: weigh(asked, { frequencies, statistics }),
    segments: segments.map((segment, place) => ({
      segment,
      bit: place % PRESENCE_BITS,
      numbers: bySegment[place]!.filter((_, term) => held[term]),
    })).sort((a, b) => b.segment.live - a.segment.live),
  };
}

/** Opens every part of an index for a search under conditions. */
export function openSources(
  { question, segments }: FoundTerms,
  { conditions, tail, statistics }: {
    conditions: Conditions;
    tail: Tail;
    statistics: Statistics;
  },
): Sources {
  return {
    segments: segments.map(({ segment, bit, numbers }) =>
      new SegmentSearch(segment, {
        ...question,
        numbers,
        factors: statistics.factors,
        admission: new Admission(segment, conditions),
        bit,
      })
    ),
    tail: tail.search({ ...question, statistics, conditions }),
    scale: question.scale,
  };
}
