/**
 * The pipeline of a company search of the service (reading, finding, ranking) over documents in
 * memory, without a database and without metering.
 */
import { instantOf } from "../../src/contract/instant.ts";
import { CANDIDATE_LIMIT, OBSERVATIONS_PER_COMPANY } from "../../src/contract/search.ts";
import { Segment } from "../../src/search/engine/segment.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { ObservationIndex } from "../../src/search/index/observation_index.ts";
import { normalizeFilters } from "../../test/support/inputs.ts";
import { rankCompanies } from "../../src/search/ranking/rank.ts";
import { readQuery } from "../../src/search/reading/read_query.ts";
import { resolve } from "../../src/search/reading/resolve.ts";
import { SemanticModel } from "../../src/search/semantics/model.ts";
import { learnModel } from "../../src/search/semantics/sample.ts";

/** A company of a shortlist with its best observations. */
interface Listed {
  company_id: number;
  observations: readonly { observation_id: number }[];
}

/** Index whose company searches use the pipeline of the service. */
export interface Pipeline {
  readonly index: ObservationIndex;
  /** Returns the best companies, best first. */
  search(query: string, companies?: number): readonly Listed[];
}

interface PipelineOptions {
  /** True if a semantic model is learned from the documents. */
  hybrid: boolean;
  /** Moment to which times in queries are relative. */
  now: Date;
}

/** Indexes documents, and learns a model from them if `hybrid` is set. */
export function createPipeline(
  documents: Iterable<ObservationDocument>,
  { hybrid, now }: PipelineOptions,
): Pipeline {
  const index = ObservationIndex.toFill();
  for (const document of documents) index.put(document);
  index.engine.compact();
  const model = hybrid ? learnedFrom(index) : undefined;
  return {
    index,
    search: (query, companies = CANDIDATE_LIMIT) =>
      rankCompanies(index, {
        question: resolve(readQuery(query, now), index),
        filters: normalizeFilters({}),
        now: instantOf(now),
        model,
        companies,
        observations_per_company: OBSERVATIONS_PER_COMPANY,
      }).companies,
  };
}

function learnedFrom(index: ObservationIndex): SemanticModel {
  const { fields, segments } = index.state();
  return new SemanticModel(1, learnModel(segments.map((state) => new Segment(state, fields))));
}
