/** Computes the quality of a ranking on public test collections, as trec_eval does. */

/** A test collection. */
export interface Judged {
  documents: { id: string; title: string; text: string }[];
  /** Queries with at least one relevant document. */
  queries: { id: string; text: string; grades: Grades }[];
}

/** Grade of each relevant document, above 0, by the document's id. */
export type Grades = ReadonlyMap<string, number>;

/** Means over the queries of a collection. */
export interface Relevance {
  ndcg_at_10: number;
  recall_at_100: number;
}

/**
 * Returns the normalized discounted cumulative gain (`ndcg_cut` of trec_eval). The gain of a
 * document is its grade, divided by log2(rank + 1). The ideal order of the documents scores 1.
 *
 * @param ranked document ids, best first
 * @param cut number of documents that are judged
 */
export function ndcg(ranked: readonly string[], grades: Grades, cut: number): number {
  const gains = ranked.slice(0, cut).map((id) => grades.get(id) ?? 0);
  const ideal = [...grades.values()].sort((a, b) => b - a).slice(0, cut);
  return discounted(gains) / discounted(ideal);
}

/** Returns the discounted cumulative gain. @param gains of the ranked documents, best first */
export function discounted(gains: readonly number[]): number {
  return gains.reduce((sum, gain, place) => sum + gain / Math.log2(place + 2), 0);
}

/** Returns the share of the relevant documents that are among the first `cut` ones. */
export function recall(ranked: readonly string[], grades: Grades, cut: number): number {
  return ranked.slice(0, cut).filter((id) => grades.has(id)).length / grades.size;
}

/** Asks all queries of a collection. Returns the means. */
export function relevanceOf(
  { queries }: Judged,
  search: (text: string, limit: number) => readonly string[],
): Relevance {
  let gain = 0;
  let recalled = 0;
  for (const { text, grades } of queries) {
    const ranked = search(text, 100);
    gain += ndcg(ranked, grades, 10);
    recalled += recall(ranked, grades, 100);
  }
  return { ndcg_at_10: gain / queries.length, recall_at_100: recalled / queries.length };
}

/** Reads docs.jsonl, queries.jsonl and qrels.tsv of a directory. */
export function readCollection(directory: string): Judged {
  const grades = new Map<string, Map<string, number>>();
  for (const line of linesOf(`${directory}/qrels.tsv`)) {
    const [query, document, grade] = line.split("\t");
    if (!(Number(grade) > 0)) continue;
    if (!grades.has(query!)) grades.set(query!, new Map());
    grades.get(query!)!.set(document!, Number(grade));
  }
  const queries: { id: string; text: string }[] = linesOf(`${directory}/queries.jsonl`)
    .map((line) => JSON.parse(line));
  return {
    documents: linesOf(`${directory}/docs.jsonl`).map((line) => JSON.parse(line)),
    queries: queries.flatMap(({ id, text }) => {
      const queryGrades = grades.get(id);
      return queryGrades ? [{ id, text, grades: queryGrades }] : [];
    }),
  };
}

function linesOf(path: string): string[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
}
