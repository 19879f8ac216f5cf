/** Normalizes inputs by their schemas, as the actions do. */
import { z } from "zod";
import { faultsOf, refusalOf } from "../../src/contract/faults.ts";
import { type SearchFilters, SearchFiltersInput } from "../../src/contract/filters.ts";
import { query } from "../../src/contract/search.ts";
import type { MeteredAction, NormalizedRequest } from "../../src/operations/action.ts";
import { readRequest } from "../../src/operations/inputs.ts";
import { RecordIndex } from "../../src/search/index/record_index.ts";
import { readQuestion } from "../../src/search/question/read_question.ts";
import type { Retriever } from "../../src/search/retriever.ts";

const Filters = z.object({ filters: SearchFiltersInput.prefault({}) });
const Query = z.object({ query });

/** Normalizes filters. @throws Failure invalid_search, which names the fields */
export function normalizeFilters(filters: unknown): SearchFilters {
  return parse(Filters, { filters }).filters;
}

/** Normalizes a query. @throws Failure invalid_search, which names the field */
export function normalizeQuery(query: unknown): string {
  return parse(Query, { query }).query;
}

function parse<Output>(schema: z.ZodType<Output>, raw: unknown): Output {
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  throw refusalOf("invalid_search", faultsOf(parsed.error));
}

/** Returns the request that an action reads from inputs with a valid request key. */
export function requestOf<Inputs extends object>(
  action: MeteredAction<Inputs>,
  inputs: unknown,
): NormalizedRequest<Inputs> {
  return readRequest(action, { inputs, request_key: "key" }).request;
}

/** Returns a retriever that only reads queries, over an empty index. */
export function readingRetriever(): Retriever {
  const { records } = new RecordIndex();
  const read = (query: string, now: Date) => readQuestion(query, now, records);
  return { source: { read } } as unknown as Retriever;
}
