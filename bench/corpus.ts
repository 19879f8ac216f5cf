/**
 * Generates observations. Each depends only on its number, and is generated whenever it is needed.
 * The frequencies of words, the lengths of texts and the observations per company are like those of
 * real records. The words are meaningless.
 */
import { instantOf } from "../src/contract/instant.ts";
import {
  COUNTRIES,
  type Country,
  DEMAND_CLASSES,
  type DemandClass,
  type Kind,
  KINDS,
} from "../src/contract/vocabulary.ts";
import type { Language } from "../src/search/engine/words.ts";
import type { DocumentText, ObservationDocument } from "../src/search/index/document.ts";
import { createZipf, Random } from "./random.ts";
import { createVocabulary, STOP_WORDS, type Vocabulary } from "./vocabulary.ts";

export const FIELDS = [
  "company",
  "observed_fact",
  "why_it_may_matter",
  "texts",
] as const satisfies readonly (keyof DocumentText)[];

/** Number of words per language: 300,000 in total, a fifth of them French. */
const VOCABULARY_SIZES = { english: 240_000, french: 60_000 };

/**
 * Constant that Zipf's law adds to a rank. It is so small that the most frequent word occurs in
 * almost every document.
 */
const FLAT = 1;
const COMPANY_WORDS = 3;
const DOCUMENTS_PER_COMPANY = 5;
const WORDS_PER_STOP_WORD = 5;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY = 86_400_000;

export interface CorpusDocument {
  observation_id: number;
  company_id: number;
  language: Language;
  country: Country;
  kind: Kind;
  demand_class: DemandClass;
  /** Days since January 1st, 2024, with fractions. */
  observed_day: number;
  occurred_day: number | null;
  expires_day: number | null;
  has_hostname: boolean;
  /** Vocabulary numbers of the words of each field. French words come after the English ones. */
  words: number[][];
}

interface CorpusOptions {
  documents: number;
  /** Mean number of words per document, without stop words. A document has 50 to 150 % of it. */
  words: number;
  sizes?: Readonly<Record<Language, number>>;
}

/** Generator of documents over a vocabulary. */
export class Corpus {
  readonly size: number;
  readonly words: number;
  readonly companies: number;
  readonly vocabulary: Vocabulary;
  readonly #french: number;
  readonly #rankAt: Record<Language, (share: number) => number>;

  constructor({ documents, words, sizes = VOCABULARY_SIZES }: CorpusOptions, of?: Corpus) {
    this.size = documents;
    this.words = words;
    this.companies = Math.ceil(documents / DOCUMENTS_PER_COMPANY);
    this.vocabulary = of?.vocabulary ?? createVocabulary(sizes);
    const { english, french } = this.vocabulary.words;
    this.#french = english.length;
    this.#rankAt = {
      english: createZipf({ ranks: english.length, flat: FLAT }),
      french: createZipf({ ranks: french.length, flat: FLAT }),
    };
  }

  /** Stem of each word, by its number in the vocabulary. */
  get stems(): readonly string[] {
    return this.vocabulary.stems;
  }

  /** Returns a corpus with another number or length of documents, but the same vocabulary. */
  resized(options: Omit<CorpusOptions, "sizes">): Corpus {
    return new Corpus(options, this);
  }

  /** Yields the documents numbered `from` to `to - 1`, in the order of their ids. */
  *documents(from = 0, to: number = this.size): Generator<CorpusDocument> {
    const random = new Random(0);
    for (let n = from; n < to; n++) yield this.#document(random, n);
  }

  /**
   * Returns the number of a word by its cumulative frequency. Frequent words cover the low shares.
   *
   * @param share cumulative frequency among the words of a language, from 0 up to 1
   */
  wordAt(share: number, language: Language): number {
    return this.#number(language, this.#rankAt[language](share));
  }

  /** Returns the word with a number. */
  word(number: number): string {
    const { english, french } = this.vocabulary.words;
    return number < this.#french ? english[number]! : french[number - this.#french]!;
  }

  #number(language: Language, rank: number): number {
    return language === "french" ? this.#french + rank : rank;
  }

  #document(random: Random, n: number): CorpusDocument {
    random.reseed(n);
    // The square skews the distribution: few companies have very many observations, many have few.
    const company = Math.floor(this.companies * random.next() ** 2);
    const language = company % 5 === 0 ? "french" : "english";
    const kind = Math.floor(KINDS.length * random.next() ** 2);
    const observed = random.next() * 900;
    const occurred = observed - random.next() * 30;
    const document: CorpusDocument = {
      observation_id: n + 1,
      company_id: company + 1,
      language,
      country: COUNTRIES[language === "english" && random.next() < 0.75 ? 1 : 0]!,
      kind: KINDS[kind]!,
      demand_class: random.from(DEMAND_CLASSES),
      observed_day: observed,
      occurred_day: random.next() < 0.8 ? occurred : null,
      expires_day: random.next() < 0.1 ? observed + 2_000 : null,
      has_hostname: random.next() < 0.3,
      words: [],
    };
    const spread = (this.words - COMPANY_WORDS) * (0.5 + random.next());
    const fact = Math.round(spread * 0.275);
    const why = Math.round(spread * 0.175);
    const draw = (count: number) => {
      const drawn: number[] = [];
      while (drawn.length < count) drawn.push(this.wordAt(random.next(), language));
      return drawn;
    };
    const texts = [draw(fact), draw(why), draw(Math.round(spread) - fact - why)];
    random.reseed(-1 - company);
    document.words = [draw(COMPANY_WORDS), ...texts];
    return document;
  }
}

/** Returns a document in the form that the service's index requires. */
export function observationOf(corpus: Corpus, document: CorpusDocument): ObservationDocument {
  const { language, company_id, observed_day, occurred_day, expires_day } = document;
  const [company, fact, why, texts] = document.words;
  const text = (words: number[]) => sentence(corpus, words, language);
  const half = texts!.length >> 1;
  const instant = (day: number | null) =>
    day === null ? null : instantOf(new Date(FIRST_DAY + day * DAY));
  return {
    observation_id: document.observation_id,
    company_id,
    kind: document.kind,
    demand_class: document.demand_class,
    country: document.country,
    occurred_at: instant(occurred_day),
    observed_at: instant(observed_day)!,
    expires_at: instant(expires_day),
    hostnames: document.has_hostname ? [`c${company_id}.example`] : [],
    ...facetsOf(corpus, document),
    text: {
      company: plain(corpus, company!),
      observed_fact: text(fact!),
      why_it_may_matter: text(why!),
      texts: [text(texts!.slice(0, half)), text(texts!.slice(half))],
    },
  };
}

/** Number of distinct values of each facet, and of sectors. */
const REGIONS = 50;
const ROUNDS = 12;
const INDUSTRIES = 150;
const SECTORS = 20;

/**
 * Returns the facets, amount, closing date and sectors of a document. Every document has the name,
 * region and industry of its company as facets, and every fifth one also a round.
 */
function facetsOf(
  corpus: Corpus,
  { observation_id, company_id, words, observed_day }: CorpusDocument,
) {
  const place = (count: number) => company_id % count;
  return {
    facets: [
      `name:${words[0]!.map((word) => corpus.word(word)).join("")}`,
      `region:US-${place(REGIONS)}`,
      `industry:i${place(INDUSTRIES)}`,
      ...observation_id % 5 === 0 ? [`round:series_${observation_id % ROUNDS}`] : [],
    ],
    amount: observation_id % 3 === 0 ? 1_000 * observation_id : null,
    closes_at: observation_id % 4 === 0
      ? instantOf(new Date(FIRST_DAY + (observed_day + 30) * DAY))
      : null,
    sectors: 1 << place(SECTORS),
  };
}

/** Returns each field as a text of tokens (see `tokenOf`), for engines with another stemmer. */
export function tokensOf(
  corpus: Pick<Corpus, "stems">,
  document: Pick<CorpusDocument, "words">,
): Record<string, string> {
  return Object.fromEntries(
    FIELDS.map((field, place) => [
      field,
      document.words[place]!.map((word) => tokenOf(corpus, word)).join(" "),
    ]),
  );
}

/**
 * Returns a stem with a suffix, so that no other token begins with it. Orama finds every word that
 * begins with a query term: without the suffix, it would match more documents than other engines.
 */
export function tokenOf(corpus: Pick<Corpus, "stems">, word: number): string {
  return `${corpus.stems[word]}0`;
}

/** Returns the words without stop words. */
function plain(corpus: Corpus, words: number[]): string {
  return words.map((word) => corpus.word(word)).join(" ");
}

/** Returns the words as a sentence, with a stop word before every fifth word. */
function sentence(corpus: Corpus, words: number[], language: Language): string {
  const stop = STOP_WORDS[language];
  let text = "";
  for (let place = 0; place < words.length; place++) {
    if (place % WORDS_PER_STOP_WORD === 0) {
      text += (place === 0 ? "" : " ") + stop[place / WORDS_PER_STOP_WORD % stop.length]!;
    }
    text += " " + corpus.word(words[place]!);
  }
  return text === "" ? "" : text + ".";
}
