/**
 * Fills a first page with too few companies by records of sources that can answer, in one attempt
 * (specification 4).
 */
import type { Acquirer } from "../ingest/refresh/acquire.ts";
import { inTime } from "../in_time.ts";
import { defectFields, type Log } from "../log.ts";
import type { Retrieval, RetrievalRequest, Retriever } from "./retriever.ts";

/** Limitation of a result if a source failed, or had more records than were read. */
const INCOMPLETE = "acquisition_incomplete";

/**
 * Max milliseconds to wait for the index, which may be loading the dataset anew, such as after a
 * restored backup.
 */
const REFRESH_MILLISECONDS = 2_000;

interface FilledRetrieval extends Retrieval {
  fresh_observation_ids: number[];
}

/** Parts with which a short page is filled. */
export interface Filling {
  retriever: Retriever;
  acquirer: Acquirer;
  log: Log;
}

/** Acquires records, and searches again if there are any. Throws no errors of sources. */
export async function fillShortPage(
  { retriever, acquirer, log }: Filling,
  retrieval: Retrieval,
  request: RetrievalRequest,
): Promise<FilledRetrieval> {
  const { reading, filters } = request;
  // Sources do not know the ids that this service gives to companies.
  if (filters.company_ids.length > 0) return { ...retrieval, fresh_observation_ids: [] };
  const wanted = { ...filters, terms: reading.question.words.map(({ text }) => text) };
  const { observation_ids, incomplete, asked } = await acquirer.acquire(wanted);
  let filled = retrieval;
  let failed = incomplete;
  if (observation_ids.length > 0) {
    try {
      await inTime(retriever.refresh(), REFRESH_MILLISECONDS, "the index is busy");
      filled = await retriever.search(request);
    } catch (error) {
      log.warn("acquired records cannot be searched yet", defectFields(error));
      failed = true;
    }
  }
  const limitations = failed ? [...filled.limitations, INCOMPLETE] : filled.limitations;
  return { ...filled, limitations, asked_sources: asked, fresh_observation_ids: observation_ids };
}
