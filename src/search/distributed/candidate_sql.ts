/** The engine's statement that finds the candidates of a search. */
import { conditionsOf, OBSERVATION_FIELDS } from "../index/mapping.ts";
import { B, K, queryTermsOf, repeatedWeight } from "../engine/scoring.ts";
import { HOSTNAME_SPACE, type Key, keyOf, keyOfFacet, keysOf } from "../engine/dictionary.ts";
import type { ObservationQuery } from "../index/observation_index.ts";
import { anyOf, attributeConditions, termConditions } from "./conditions_sql.ts";
import type { DatasetFacts } from "./dataset_facts.ts";
import { tokenOfKey } from "./encoded_terms.ts";
import { TEXT_FIELDS } from "./table_schema.ts";

/** A search among all observations. Without words, what occurred last comes first. */
export interface CandidateRequest {
  question: ObservationQuery;
  limits: { companies: number; observations_per_company: number } | { observations: number };
}

/**
 * Candidates per wanted company or observation. The engine weighs terms by the frequencies of each
 * shard, so its order is not quite ours.
 */
const CANDIDATES_PER_WANTED = 1.5;

/** Observations of a company that count in its score. */
const SCORED_OBSERVATIONS = 3;

/** Groups that the engine keeps while it searches. With fewer, it forgets lesser rows of a group. */
const GROUPS_MAX = 3_000;

/** Share that a record gains if it holds all pairs of neighbouring words: see features.ts. */
const NEIGHBOURS_SHARE = 0.3;

/** BM25F with our weights. Lengths are left out here: Sphinx does not know the average of a table. */
const WEIGHTED_TERMS = `1000000*(bm25f(${K},0,{${
  TEXT_FIELDS.map((name) => `${name}=${OBSERVATION_FIELDS[name].weight}`).join()
},facets=0,hostnames=0})-0.5)`;

/** Neighbours, by the longest run of words in the order of the query. */
const NEIGHBOURS = `(1+${NEIGHBOURS_SHARE}*(top(lcs)-1)/max(1,query_word_count-1))`;

/**
 * Returns the ranker's expression. The length of the texts counts as for one occurrence of a word,
 * with the average of the whole dataset.
 */
function rankerOf({ totals }: DatasetFacts): string {
  const average = totals.averages()[TEXT_FIELDS.indexOf("texts")]!;
  const length = `(${1 + K * (1 - B)}+${K * B}*texts_len/${average.toFixed(3)})`;
  return `${WEIGHTED_TERMS}*${NEIGHBOURS}/${length}`;
}

/**
 * Returns the statement, or null where nothing can be found. Facts that it depends on are noted as
 * missing in `facts`, and the statement is then not to be used.
 *
 * @throws FactMissing where it is not known who holds a hostname
 */
export function candidateStatement(
  { question: { words, ...question }, limits }: CandidateRequest,
  { table, facts }: { table: string; facts: DatasetFacts },
): string | null {
  const { filters, any_words = [] } = question;
  const { terms, ...conditions } = conditionsOf({
    lookup: {
      companiesWithHostname: (hostname) =>
        new Set(facts.companiesHolding(keyOf(HOSTNAME_SPACE, hostname))),
    },
  }, question);
  const attributes = attributeConditions({ ...conditions, terms }, {
    countries: filters?.countries ?? [],
    kinds: filters?.kinds ?? [],
    demand_classes: filters?.demand_classes ?? [],
  });
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
  { companies, observations_per_company }: { companies: number; observations_per_company: number },
  { order, margin }: { order: string; margin: number },
): { clause: string; matches: number } {
  const rows = Math.max(observations_per_company, SCORED_OBSERVATIONS);
  const limit = rows * Math.ceil(margin * companies);
  return {
    clause: `GROUP ${rows} BY company_id WITHIN GROUP ORDER BY ${order} ORDER BY ${order} ` +
      `LIMIT ${limit}`,
    matches: Math.max(GROUPS_MAX, limit),
  };
}

/**
 * Returns a full-text query: a document holds a term of each group and, if there are words, any of
 * these; of `any_words` at least one. Empty: no restriction. Null: no document meets it.
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
  const held = (key: Key) => facts.frequency(key, 1) > 0;
  const heldGroups = groups.map((group) => group.filter(held));
  const needed = new Set(any_words.flatMap(keysOf).filter(held).map(tokenOfKey));
  // Words of one language stand together, so that neighbours in the query are neighbours in a text.
  const asked = terms.filter(({ key }) => held(key))
    .toSorted((a, b) => a.key.bytes[0]! - b.key.bytes[0]!)
    .map(({ word, key }) => ({ token: tokenOfKey(key), weight: repeatedWeight(counts[word]!) }));
  if (heldGroups.some((group) => group.length === 0)) return null;
  if (any_words.length > 0 && needed.size === 0) return null;
  if (words.length > 0 && asked.length === 0) return null;
  const boosted = ({ token, weight }: { token: string; weight: number }) =>
    weight === 1 ? token : `${token}^${weight.toFixed(3)}`;
  const parts = termConditions(heldGroups);
  if (words.length === 0) {
    return [...parts, ...needed.size > 0 ? [anyOf([...needed])] : []].join(" ");
  }
  if (needed.size === 0) return [...parts, anyOf(asked.map(boosted))].join(" ");
  const weights = new Map(asked.map(({ token, weight }) => [token, weight]));
  // The words that are needed stand in both parts: MAYBE of Sphinx 2.2 loses documents.
  const required = [...needed]
    .map((token) => boosted({ token, weight: weights.get(token) ?? UNASKED_WEIGHT }));
  const others = asked.filter(({ token }) => !needed.has(token));
  if (others.length === 0) return [...parts, anyOf(required)].join(" ");
  return [...parts, anyOf(required), anyOf([...required, ...others.map(boosted)])].join(" ");
}

/** Weight of words that stand for a needed one, but are not searched for. */
const UNASKED_WEIGHT = 0.001;
