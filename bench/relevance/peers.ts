/**
 * Peers of the search, over the same texts as our index. They deliver the companies of their best
 * records, as many as fit on a page.
 */
import { create, insert, search } from "@orama/orama";
import { stemmer } from "@orama/stemmers/english";
import MiniSearch from "minisearch";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { OBSERVATIONS_PER_COMPANY } from "../../src/contract/search.ts";
import { type DeliveredCompany, PAGE } from "./measures.ts";
import type { JudgedSet } from "./sets.ts";

/** Returns the ids of the best records, best first. */
export type Ranking = (query: string) => number[];

/** Max number of ranked records: as many as our judge looks at. */
const RECORDS_MAX = 300;

/** Creates a peer over the documents of a set, by its name. */
export const PEERS: Readonly<Record<string, (set: JudgedSet) => Ranking>> = {
  BM25: ({ documents }) =>
    rankByBm25(documents.map((one) => Object.values(textsOf(one)).join(" "))),
  MiniSearch({ documents }) {
    const index = new MiniSearch({ fields: FIELDS });
    for (const document of documents) {
      index.add({ id: document.observation_id, ...textsOf(document) });
    }
    return (query) => index.search(query).slice(0, RECORDS_MAX).map(({ id }) => id);
  },
  Orama({ documents }) {
    const orama = create({
      schema: Object.fromEntries(FIELDS.map((field) => [field, "string"] as const)),
      sort: { enabled: false },
    });
    for (const document of documents) {
      insert(orama, { id: String(document.observation_id), ...textsOf(document) });
    }
    return (term) => {
      const results = search(orama, { term, limit: RECORDS_MAX });
      if (results instanceof Promise) throw new Error("Orama returned a promise without plugins");
      return results.hits.map(({ id }) => Number(id));
    };
  },
};

/** Returns the companies of ranked records on one page, with the best records of each. */
export function pageOf(ranked: readonly number[], { documents }: JudgedSet): DeliveredCompany[] {
  const companies = Map.groupBy(ranked, (record) => documents[record - 1]!.company_id);
  return [...companies].slice(0, PAGE).map(([company_id, records]) => ({
    company_id,
    records: records.slice(0, OBSERVATIONS_PER_COMPANY),
  }));
}

const FIELDS = ["company", "observed_fact", "why_it_may_matter", "texts"];

function textsOf({ company, observed_fact, why_it_may_matter, texts }: ObservationDocument) {
  return { company, observed_fact, why_it_may_matter, texts: texts.join("\n") };
}

/** Stop words of Lucene. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then " +
    "there these they this to was will with").split(" "),
);

const K = 1.2;
const B = 0.75;

/** Creates plain BM25 over English stems, with the settings of Lucene. */
function rankByBm25(texts: readonly string[]): Ranking {
  const termsOf = (text: string) =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      .filter((word) => !STOP_WORDS.has(word)).map((word) => stemmer(word));
  const postings = new Map<string, Map<number, number>>();
  const lengths = texts.map((text, index) => {
    const terms = termsOf(text);
    for (const term of terms) {
      const posting = postings.get(term) ?? new Map<number, number>();
      postings.set(term, posting.set(index + 1, (posting.get(index + 1) ?? 0) + 1));
    }
    return terms.length;
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return (query) => {
    const scores = new Map<number, number>();
    for (const term of termsOf(query)) {
      const posting = postings.get(term) ?? new Map<number, number>();
      const rarity = Math.log(1 + (lengths.length - posting.size + 0.5) / (posting.size + 0.5));
      for (const [id, count] of posting) {
        const length = lengths[id - 1]! / average;
        const part = rarity * count * (K + 1) / (count + K * (1 - B + B * length));
        scores.set(id, (scores.get(id) ?? 0) + part);
      }
    }
    return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, RECORDS_MAX)
      .map(([id]) => id);
  };
}
