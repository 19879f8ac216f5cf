/** Engines over documents with a title and a text, such as those of test collections. */
import { create, insert, search } from "@orama/orama";
import { stemmer } from "@orama/stemmers/english";
import MiniSearch from "minisearch";
import { type ChangedRow, documentOf } from "../../src/search/changes/changes.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import type { Judged } from "../relevance.ts";
import { createPipeline } from "./pipeline.ts";

/** An engine over a test collection. */
export interface Reader {
  name: string;
  /** Returns the ids of the best documents, best first. */
  search(text: string, limit: number): string[];
}

type Documents = Judged["documents"];

/** Creates our company search, as the service does it (hybrid) or by words alone. */
export function readOurs(documents: Documents, { hybrid }: { hybrid: boolean }): Reader {
  const now = new Date("2026-11-01T00:00:00Z");
  const pipeline = createPipeline(documents.map(observationOf), { hybrid, now });
  return {
    name: hybrid ? "ours, hybrid" : "ours, by words",
    search: (text, limit) =>
      pipeline.search(text, limit).map(({ company_id }) => documents[company_id - 1]!.id),
  };
}

/** Returns the observation of a document, which has its own company. Its fact is the title. */
function observationOf(
  { title, text }: Documents[number],
  place: number,
): ObservationDocument {
  const [id, observed_at] = [place + 1, "2026-01-01T00:00:00.000000Z"];
  const row: ChangedRow = {
    id,
    change_seq: id,
    company_id: id,
    company_name: "",
    kind: "company_profile",
    observed_fact: title,
    why_it_may_matter: "",
    demand_class: "structural",
    country: "US",
    occurred_at: null,
    observed_at,
    expires_at: null,
    categories: [],
    facets: {},
    texts: [text],
    hostnames: [],
  };
  return documentOf(row)!;
}

/** Creates Orama with its default settings and its English stemmer. */
export function readOrama(documents: Documents): Reader {
  const orama = create({
    schema: { title: "string", text: "string" } as const,
    components: { tokenizer: { language: "english", stemming: true, stemmer } },
  });
  for (const document of documents) insert(orama, document);
  return {
    name: "Orama",
    search(text, limit) {
      const results = search(orama, { term: text, limit });
      if (results instanceof Promise) throw new Error("Orama returned a promise without plugins");
      return results.hits.map(({ id }) => id);
    },
  };
}

/** Creates MiniSearch with its default settings. */
export function readMiniSearch(documents: Documents): Reader {
  const index = new MiniSearch({ fields: ["title", "text"] });
  index.addAll(documents);
  return {
    name: "MiniSearch",
    search: (text, limit) => index.search(text).slice(0, limit).map(({ id }) => id),
  };
}

/** Stop words of Lucene. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a an and are as at be but by for if in into is it no not of on or such that the their then " +
    "there these they this to was will with").split(" "),
);

const K = 1.2;
const B = 0.75;

/** Creates plain BM25. Its nDCG on the collections is known, so it checks the bench itself. */
export function readPlain(documents: Documents): Reader {
  const terms = (text: string) =>
    (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
      .filter((word) => !STOP_WORDS.has(word)).map((word) => stemmer(word));
  const postings = new Map<string, Map<number, number>>();
  const lengths = documents.map(({ title, text }, n) => {
    const documentTerms = terms(`${title} ${text}`);
    for (const term of documentTerms) {
      if (!postings.has(term)) postings.set(term, new Map());
      const posting = postings.get(term)!;
      posting.set(n, (posting.get(n) ?? 0) + 1);
    }
    return documentTerms.length;
  });
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  return {
    name: "plain BM25",
    search(text, limit) {
      const scores = new Map<number, number>();
      for (const term of terms(text)) {
        const posting = postings.get(term) ?? new Map<number, number>();
        const rarity = Math.log(1 + (lengths.length - posting.size + 0.5) / (posting.size + 0.5));
        for (const [n, count] of posting) {
          const part = count * (K + 1) / (count + K * (1 - B + B * lengths[n]! / mean));
          scores.set(n, (scores.get(n) ?? 0) + rarity * part);
        }
      }
      return [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit)
        .map(([n]) => documents[n]!.id);
    },
  };
}
