/** Builds the SphinxQL statement by which a search node finds the candidates of a search. */
import { conditionsOf, OBSERVATION_FIELDS } from "../index/mapping.ts";
import type { CompanyLimits } from "../engine/collecting.ts";
import { B, K, queryTermsOf, repeatedWeight } from "../engine/scoring.ts";
import { HOSTNAME_SPACE, type Key, keyOf, keyOfFacet, keysOf } from "../engine/dictionary.ts";
import type { ObservationQuery } from "../index/observation_index.ts";
import { anyOf, attributeConditions } from "./conditions_sql.ts";
import type { DatasetFacts } from "./dataset_facts.ts";
import { tokenOfKey } from "./encoded_terms.ts";
import { TEXT_FIELDS } from "./table_schema.ts";

/** A search among all observations. Without words, the latest observations come first. */
export interface CandidateRequest {
  question: ObservationQuery;
  limits: CompanyLimits | { observations: number };
}

/**
 * Number of candidates per requested company or observation. It exceeds 1 because a search node
 * weighs terms by their frequencies in only some of the shards. Its order therefore differs from
 * the final order.
 */
const CANDIDATES_PER_WANTED = 1.5;

/** Number of observations of a company that count in its score. */
const SCORED_OBSERVATIONS = 3;

/**
 * Min number of matches that a search node keeps while it searches for groups (`max_matches`). If
 * it keeps fewer, it loses lower-ranked rows of groups.
 */
const GROUPS_MIN = 3_000;

/**
 * Share by which a record's score rises if all pairs of neighbouring words of the query are
 * neighbours in the record: see ranking/features.ts.
 */
const NEIGHBOURS_SHARE = 0.3;

/**
 * BM25F with the field weights of the index in memory. It ignores the lengths of fields, because
 * Sphinx does not know the average lengths in a table.
 */
const WEIGHTED_TERMS = `1000000*(bm25f(${K},0,{${
  TEXT_FIELDS.map((name) => `${name}=${OBSERVATION_FIELDS[name].weight}`).join()
},facets=0,hostnames=0})-0.5)`;

/** Factor for neighbouring words, by the longest run of words in the order of the query. */
const NEIGHBOURS = `(1+${NEIGHBOURS_SHARE}*(top(lcs)-1)/max(1,query_word_count-1))`;

/**
 * Returns the expression of the ranker. The expression divides the score by the length factor of
 * BM25 for a word that occurs once. The factor uses the average length of the field `texts` in the
 * whole dataset.
 */
function rankerOf({ totals }: DatasetFacts): string {
  const average = totals.averages()[TEXT_FIELDS.indexOf("texts")]!;
  const length = `(${1 + K * (1 - B)}+${K * B}*texts_len/${average.toFixed(3)})`;
  return `${WEIGHTED_TERMS}*${NEIGHBOURS}/${length}`;
}

/**
 * Returns the statement, or null if nothing can match. Unknown facts are noted as missing in
 * `facts`, and the statement must then not be used.
 *
 * @throws FactMissing if the companies of a hostname are not known
 */
export function candidateStatement(
  { question: { words, ...question }, limits }: CandidateRequest,
  { table, facts }: { table: string; facts: DatasetFacts },
): string | null {
  const { filters, any_words = [] } = question;
  const conditions = conditionsOf({
    lookup: {
      companiesWithHostname: (hostname) =>
        new Set(facts.companiesHolding(keyOf(HOSTNAME_SPACE, hostname))),
    },
  }, question);
  const attributes = attributeConditions(conditions, filters);
  if (attributes === null) return null;
  const groups = (question.facets ?? []).filter((group) => group.length > 0)
    .map((group) => group.map(keyOfFacet));
  const matched = matchOf(words, { groups, any_words, facts });
  if (matched === null) return null;
  const byWords = words.length > 0;
  const where = [...matched === "" ? [] : [`MATCH('${matched}')`], ...attributes.where];
  const order = byWords ? "score DESC, id ASC" : "occurred_at DESC, id ASC";
  const select = [
    "id",
    "company_id",
    ...byWords ? ["WEIGHT() AS score"] : ["occurred_at"],
    ...attributes.select,
  ];
  const margin = byWords ? CANDIDATES_PER_WANTED : 1;
  const grouping = "companies" in limits ? groupingOf(limits, { order, margin }) : {
    clause: `ORDER BY ${order} LIMIT ${Math.ceil(margin * limits.observations)}`,
    matches: Math.ceil(margin * limits.observations),
  };
  const ranker = byWords
    ? `ranker=expr('${rankerOf(facts)}'), idf='plain,tfidf_unnormalized'`
    : "ranker=none";
  return `SELECT ${select.join(", ")} FROM ${table} WHERE ${where.join(" AND ")} ` +
    `${grouping.clause} OPTION ${ranker}, local_df=1, max_matches=${grouping.matches}`;
}

function groupingOf(
  { companies, observations_per_company }: CompanyLimits,
  { order, margin }: { order: string; margin: number },
): { clause: string; matches: number } {
  const rows = Math.max(observations_per_company, SCORED_OBSERVATIONS);
  const limit = rows * Math.ceil(margin * companies);
  return {
    clause: `GROUP ${rows} BY company_id WITHIN GROUP ORDER BY ${order} ORDER BY ${order} ` +
      `LIMIT ${limit}`,
    matches: Math.max(GROUPS_MIN, limit),
  };
}

/**
 * Returns a full-text query. A matching document contains a term of each group, one of `any_words`
 * and one of the words. Lists that are empty do not restrict. Returns an empty text if nothing
 * restricts, and null if no document can match.
 */
function matchOf(
  words: ObservationQuery["words"],
  { groups, any_words, facts }: {
    groups: readonly (readonly Key[])[];
    any_words: readonly string[];
    facts: DatasetFacts;
  },
): string | null {
  const { terms, counts } = queryTermsOf(words);
  const occurs = (key: Key) => facts.frequency(key, 1) > 0;
  const occurringGroups = groups.map((group) => group.filter(occurs));
  const needed = new Set(any_words.flatMap(keysOf).filter(occurs).map(tokenOfKey));
  // Terms are sorted by language, so that neighbouring words of the query have neighbouring terms
  // as in the texts.
  const asked = terms.filter(({ key }) => occurs(key))
    .toSorted((a, b) => a.key.bytes[0]! - b.key.bytes[0]!)
    .map(({ word, key }) => ({ token: tokenOfKey(key), weight: repeatedWeight(counts[word]!) }));
  if (occurringGroups.some((group) => group.length === 0)) return null;
  if (any_words.length > 0 && needed.size === 0) return null;
  if (words.length > 0 && asked.length === 0) return null;
  const boosted = ({ token, weight }: { token: string; weight: number }) =>
    weight === 1 ? token : `${token}^${weight.toFixed(3)}`;
  const parts = occurringGroups.map((group) => anyOf([...new Set(group.map(tokenOfKey))]));
  if (words.length === 0) {
    return [...parts, ...needed.size > 0 ? [anyOf([...needed])] : []].join(" ");
  }
  if (needed.size === 0) return [...parts, anyOf(asked.map(boosted))].join(" ");
  const weights = new Map(asked.map(({ token, weight }) => [token, weight]));
  // The required words are repeated in both parts, because MAYBE of Sphinx 2.2 loses documents.
  const required = [...needed]
    .map((token) => boosted({ token, weight: weights.get(token) ?? UNASKED_WEIGHT }));
  const others = asked.filter(({ token }) => !needed.has(token));
  if (others.length === 0) return [...parts, anyOf(required)].join(" ");
  return [...parts, anyOf(required), anyOf([...required, ...others.map(boosted)])].join(" ");
}

/**
 * Weight of `any_words` that are not in `words`. A document must contain one of `any_words`, but
 * those that are not in `words` hardly add to its score.
 */
const UNASKED_WEIGHT = 0.001;
