/** Naive reference for the index. It computes the required answers without regard to speed. */
import type { CompanyHit, ObservationHit } from "../../../src/search/engine/collecting.ts";
import {
  B,
  K,
  lengthCode,
  LENGTHS,
  type QueryWord,
  repeatedWeight,
} from "../../../src/search/engine/scoring.ts";
import { detectLanguage, words } from "../../../src/search/engine/text.ts";
import { LANGUAGES, stem } from "../../../src/search/engine/words.ts";
import type { ObservationDocument } from "../../../src/search/index/document.ts";
import { OBSERVATION_FIELDS } from "../../../src/search/index/mapping.ts";
import type { ObservationQuery } from "../../../src/search/index/observation_index.ts";
import type { SearchFilters } from "../../../src/contract/filters.ts";

const FIELDS = Object.entries(OBSERVATION_FIELDS) as [
  keyof ObservationDocument["text"],
  (typeof OBSERVATION_FIELDS)["company"],
][];

const stem_cache = new WeakMap<ObservationDocument, string[][]>();

/** Returns the stems of each field's texts. Each stem has its language as a prefix. */
function stemsOf(document: ObservationDocument): string[][] {
  const stems = stem_cache.get(document) ?? computeStems(document);
  stem_cache.set(document, stems);
  return stems;
}

function computeStems({ text }: ObservationDocument): string[][] {
  const leading = detectLanguage(`${text.observed_fact} ${text.why_it_may_matter}`);
  return FIELDS.map(([name]) =>
    [text[name]].flat().flatMap((part) => {
      const language = detectLanguage(part, leading);
      return words(part).map((word) => `${language} ${stem(word, language)}`);
    })
  );
}

const count = (stems: string[], term: string) => stems.filter((one) => one === term).length;
const lengthOf = (stems: string[]) => LENGTHS[lengthCode(stems.length)]!;

/**
 * Returns the scores of all documents by BM25F. A word's frequency is the sum of its stems'
 * frequencies.
 */
function naiveScores(
  documents: readonly ObservationDocument[],
  query: ObservationQuery["words"],
): Map<ObservationDocument, number> {
  const stems = new Map(documents.map((document) => [document, stemsOf(document)]));
  const total = documents.filter((document) => stems.get(document)!.flat().length > 0).length;
  const averages = FIELDS.map((_, field) => {
    const lengths = documents.map((document) => lengthOf(stems.get(document)![field]!))
      .filter((length) => length > 0);
    return lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  });
  const weighted = (document: ObservationDocument, term: string) =>
    FIELDS.reduce((sum, [, { weight, bits }], field) => {
      const field_stems = stems.get(document)![field]!;
      const occurrences = Math.min(count(field_stems, term), 2 ** bits - 1);
      if (occurrences === 0) return sum;
      return sum + weight * occurrences / (1 - B + B * lengthOf(field_stems) / averages[field]!);
    }, 0);
  const scores = new Map(documents.map((document) => [document, 0]));
  const seen = new Set<string>();
  const query_words = query.map((word) =>
    typeof word === "string" ? { text: word, count: 1 } : word
  );
  for (const { text: word, count } of mergeRepeated(query_words)) {
    const terms = LANGUAGES.map((language) => `${language} ${stem(word, language)}`)
      .filter((term) => !seen.has(term));
    for (const term of terms) seen.add(term);
    const holding = terms.flatMap((term) =>
      documents.filter((document) =>
        stems.get(document)!.flat().includes(term)
      )
    ).length;
    const frequency = Math.min(holding, total);
    const rarity = Math.log(1 + (total - frequency + 0.5) / (frequency + 0.5));
    for (const document of documents) {
      const sum = terms.reduce((sum, term) => sum + weighted(document, term), 0);
      scores.set(
        document,
        scores.get(document)! + repeatedWeight(count) * rarity * sum * (K + 1) / (sum + K),
      );
    }
  }
  return scores;
}

/**
 * Merges words. If the stems of a word in all languages have occurred before, its count is added to
 * the earlier word with the same English stem.
 */
function mergeRepeated(query_words: readonly QueryWord[]): QueryWord[] {
  const merged: QueryWord[] = [];
  for (const word of query_words) {
    const isMet = (language: (typeof LANGUAGES)[number]) =>
      merged.find(({ text }) => stem(text, language) === stem(word.text, language));
    if (LANGUAGES.every(isMet)) isMet("english")!.count += word.count;
    else merged.push({ ...word });
  }
  return merged;
}

const isAny = (values: readonly unknown[], value: unknown) =>
  values.length === 0 || values.includes(value);

/** Returns the documents that have not expired and that pass the filters. */
export function naiveAdmitted(
  documents: readonly ObservationDocument[],
  filters: SearchFilters | undefined,
  now = "",
): ObservationDocument[] {
  const alive = documents.filter(({ expires_at }) => expires_at === null || expires_at > now);
  if (filters === undefined) return alive;
  const holds = (company: number, names: readonly string[]) =>
    alive.some(({ company_id, hostnames }) =>
      company_id === company && hostnames.some((name) => names.includes(name))
    );
  return alive.filter((document) =>
    isAny(filters.countries, document.country) &&
    isAny(filters.kinds, document.kind) &&
    isAny(filters.demand_classes, document.demand_class) &&
    isAny(filters.company_ids, document.company_id) &&
    !filters.exclude_company_ids.includes(document.company_id) &&
    (filters.domains.length === 0 || holds(document.company_id, filters.domains)) &&
    !holds(document.company_id, filters.exclude_domains) &&
    (filters.occurred_after === null || (document.occurred_at ?? "") > filters.occurred_after) &&
    (filters.observed_after === null || document.observed_at > filters.observed_after)
  );
}

/** Returns whether a document meets the conditions on facets, amount, times and sectors. */
function isNarrowed(
  document: ObservationDocument,
  { facets = [], amount, occurred_before, closes, sectors = 0 }: ObservationQuery,
): boolean {
  const { min = null, max = null } = amount ?? {};
  const { after = null, before = null } = closes ?? {};
  const within = (ok: boolean, value: unknown, bound: unknown) =>
    bound === null || bound === undefined || (value !== null && ok);
  return facets.every((group) => group.some((facet) => document.facets.includes(facet))) &&
    within(document.amount! >= min!, document.amount, min) &&
    within(document.amount! <= max!, document.amount, max) &&
    within(document.occurred_at! < occurred_before!, document.occurred_at, occurred_before) &&
    within(document.closes_at! >= after!, document.closes_at, after) &&
    within(document.closes_at! < before!, document.closes_at, before) &&
    (sectors === 0 || (document.sectors & sectors) !== 0);
}

/**
 * Returns all admitted observations, newest first by the time of occurrence. Observations without
 * that time come last.
 */
export function naiveListing(
  documents: readonly ObservationDocument[],
  question: ObservationQuery,
): ObservationDocument[] {
  return naiveAdmitted(documents, question.filters, question.now)
    .filter((document) => isNarrowed(document, question))
    .sort((a, b) =>
      (b.occurred_at ?? "").localeCompare(a.occurred_at ?? "") ||
      a.observation_id - b.observation_id
    );
}

/** Returns all matching observations, best first. */
export function naiveSearch(
  documents: readonly ObservationDocument[],
  question: ObservationQuery,
): ObservationHit[] {
  const scores = naiveScores(documents, question.words);
  return naiveAdmitted(documents, question.filters, question.now)
    .filter((document) => isNarrowed(document, question))
    .map((document) => ({
      observation_id: document.observation_id,
      company_id: document.company_id,
      score: scores.get(document)!,
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.observation_id - b.observation_id);
}

/**
 * Returns all matching companies, best first. The score of a company is that of its best
 * observation, plus 1/8 of the second and 1/32 of the third.
 */
export function naiveShortlist(
  documents: readonly ObservationDocument[],
  question: ObservationQuery & { companies: number; observations_per_company: number },
): CompanyHit[] {
  const byCompany = Map.groupBy(naiveSearch(documents, question), ({ company_id }) => company_id);
  return [...byCompany].map(([company_id, hits]) => {
    const [first = 0, second = 0, third = 0] = hits.map(({ score }) => score);
    const observations = hits.slice(0, question.observations_per_company);
    return { company_id, score: first + second / 8 + third / 32, observations };
  }).sort((a, b) => b.score - a.score || a.company_id - b.company_id).slice(0, question.companies);
}
