/**
 * Acquires records from sources, once, for a first page with too few companies, and then searches
 * again (specification 4).
 */
import type { Acquirer } from "../ingest/refresh/acquire.ts";
import { defectFields, type Log } from "../log.ts";
import type { Retrieval, RetrievalRequest, Retriever } from "./retriever.ts";

/**
 * Limitation of a result if a source failed, was late or could not be asked yet, or if the acquired
 * records could not be searched.
 */
const INCOMPLETE = "acquisition_incomplete";

/**
 * Max milliseconds to wait until the index contains the acquired records. It may be loading the
 * whole dataset again, for instance after a backup was restored.
 */
export const REFRESH_MILLISECONDS = 2_000;

interface FilledRetrieval extends Retrieval {
  fresh_observation_ids: number[];
}

/** Services that fillShortPage() uses. */
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
  const { query, filters, now } = request;
  // Sources do not know the ids that this service gives to companies.
  if (filters.company_ids.length > 0) return { ...retrieval, fresh_observation_ids: [] };
  const { units } = retriever.read(query, now ?? retriever.now);
  const terms = units.filter(({ is_filler }) => !is_filler).map(({ text }) => text);
  const wanted = { ...filters, terms };
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

/**
 * Waits for a promise. When the time is over, the work of the promise continues.
 *
 * @throws the error of the promise, or an Error with `message` if it takes too long
 */
export async function inTime<Value>(
  promise: Promise<Value>,
  milliseconds: number,
  message: string,
): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(message)), milliseconds);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
