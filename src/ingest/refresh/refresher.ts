/**
 * The loops that refresh the dataset: they run due feeds, and fetch records about hostnames that
 * the dataset does not cover. A feed that is due sends its requests to the source, and the answers
 * are recorded.
 */
import { isUnavailable } from "../../db/failure.ts";
import { errorFields, type Log } from "../../log.ts";
import { repeat } from "../../repeat.ts";
import { type IngestCounts, ingestEntries, NOTHING_READ, sumOfCounts } from "../record/pipeline.ts";
import { askSource, endlessRun, FILE_MILLISECONDS, remoteOf, REQUESTS_MAX } from "./ask.ts";
import { countRecords, type RefreshContext } from "./context.ts";
import { faultOf } from "./fault.ts";
import {
  type Checkpoint,
  failRefresh,
  type Finished,
  finishRefresh,
  type LeasedFeed,
  leaseFeed,
  releaseFeed,
  renewFeed,
  saveCheckpoint,
} from "./feed.ts";
import { FeedLease } from "./lease.ts";
import { findOwnFeed } from "./own_feed.ts";
import { refreshNextHostname, removeOldRefreshes } from "./run_hostname.ts";

/** Running loops. */
export interface Refresher {
  /** Interrupts the current refreshes, so that another process can continue them. */
  stop(): Promise<void>;
}

/** Milliseconds between two checks for work. No caller waits for a refresh. */
const POLL_MS = 1_000;

/**
 * Number of hostnames that a process requests at once. The pages of each are at most a few
 * megabytes, and the database records them one after the other.
 */
const HOSTNAMES_AT_ONCE = 4;

/**
 * Milliseconds between two removals of old notes about requested hostnames. An hour is chosen,
 * because a note that stays longer does no harm.
 */
const REMOVAL_MS = 3_600_000;

/**
 * Starts a loop that runs one feed at a time, and loops that request several hostnames at once.
 * Operations of callers run in other loops, so a refresh does not delay them.
 */
export function startRefresher(context: RefreshContext): Refresher {
  const { log } = context;
  const loops = [
    startLoop(log, POLL_MS, (signal) => runDueFeed(context, signal)),
    startLoop(log, REMOVAL_MS, () => removeOldRefreshes(context)),
  ];
  for (let n = 0; n < HOSTNAMES_AT_ONCE; n++) {
    loops.push(startLoop(log, POLL_MS, (signal) => refreshNextHostname(context, signal)));
  }
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

/** Repeats `step` as repeat() does, until the loop is stopped. */
export function startLoop(
  log: Log,
  pauseMs: number,
  step: (signal: AbortSignal) => Promise<boolean>,
): Refresher {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = repeat(log, () => step(signal), { pauseMs, signal });
  return {
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}

/**
 * Runs the feed that has been due longest, until its end or until the signal aborts. Returns false
 * if no feed is due.
 * @throws errors of the database. The lease is then released, or expires if that fails too
 */
export async function runDueFeed(context: RefreshContext, stop: AbortSignal): Promise<boolean> {
  const feed = await leaseFeed(context, askableSources(context));
  if (feed === undefined) return false;
  await using lease = new FeedLease(() => renewFeed(context, feed), stop);
  const started = performance.now();
  try {
    const { finished, counts } = await run(context, feed, lease);
    context.log.info("source refreshed", {
      ...namesOf(feed),
      ...finished,
      ...counts,
      seconds: Math.round(performance.now() - started) / 1000,
    });
  } catch (error) {
    await giveUp(context, feed, { error, lease, stop });
  }
  return true;
}

/**
 * Lists the names of the sources that can be fetched. Sources that are read from files only, or
 * whose key is not set, are omitted.
 */
function askableSources({ sources, keyOf }: RefreshContext): string[] {
  return [...sources.values()].flatMap(({ name, remote }) =>
    remote !== undefined && keyOf(remote) !== undefined ? [name] : []
  );
}

/**
 * Sends the requests of a run, starting at its checkpoint. Each answer is recorded before the next
 * request.
 */
async function run(
  context: RefreshContext,
  feed: LeasedFeed,
  lease: FeedLease,
): Promise<{ finished: Finished; counts: IngestCounts }> {
  // After an update, the program may have a source with the name of an operator's feed.
  const source = await findOwnFeed(context.sql, feed.source) ?? context.sources.get(feed.source);
  // The operator has removed the feed, and thereby its lease.
  if (source === undefined) lease.lose();
  const remote = remoteOf(source);
  const target = feed.target ?? undefined;
  const company = feed.company ?? undefined;
  let { request, requests, counts }: Checkpoint = feed.checkpoint ?? {
    request: remote.request(feed.address ?? remote.address, {
      target,
      now: context.now?.() ?? new Date(),
    }),
    requests: 0,
    counts: NOTHING_READ,
  };
  const end = async (
    outcome: "complete" | "not_modified",
    validators: LeasedFeed["validators"],
  ) => {
    lease.check();
    const listed_prefix = remote.listed?.(target).external_id_prefix;
    const finished = await finishRefresh(context, feed, {
      outcome,
      listed_prefix,
      counts,
      validators,
    });
    return { finished: finished ?? lease.lose(), counts };
  };
  for (;;) {
    const validators = validatorsFor(feed, request.url);
    const question = { source, request, target, company, validators };
    const answered = await askSource(
      context,
      { ...question, milliseconds: FILE_MILLISECONDS },
      lease.signal,
    );
    if (answered === undefined) return await end("not_modified", feed.validators);
    const part = await ingestEntries(context.sql, lease.whileHeld(answered.entries), {
      batch: context.batch,
      // Rejected records are only counted. `ingest --fetch` shows them.
      reject: () => {},
    });
    counts = sumOfCounts(counts, part);
    countRecords(context, feed.source, part);
    const next = remote.next?.(request, part.read, answered.answer);
    if (next === undefined) {
      // If a run has several answers, the validators of one answer do not cover the others.
      const single = remote.next === undefined;
      return await end("complete", single ? { ...answered.validators, url: request.url } : null);
    }
    requests++;
    if (requests === REQUESTS_MAX) throw endlessRun();
    request = next;
    lease.check();
    if (!await saveCheckpoint(context, feed, { request, requests, counts })) lease.lose();
  }
}

function validatorsFor({ validators }: LeasedFeed, url: string) {
  if (validators?.url !== url) return;
  const { etag, last_modified } = validators;
  return etag === undefined && last_modified === undefined ? undefined : { etag, last_modified };
}

async function giveUp(
  context: RefreshContext,
  feed: LeasedFeed,
  { error, lease, stop }: { error: unknown; lease: FeedLease; stop: AbortSignal },
): Promise<void> {
  const names = namesOf(feed);
  if (lease.lost) {
    context.log.warn("refresh stopped: its lease was lost", names);
    return;
  }
  if (stop.aborted || isUnavailable(error)) {
    await releaseFeed(context, feed);
    if (!stop.aborted) throw error;
    context.log.info("refresh interrupted", names);
    return;
  }
  const fault = faultOf(error);
  if (fault.defect) context.log.error("refresh met a defect", { ...names, ...errorFields(error) });
  else context.log.warn("refresh failed", { ...names, reason: fault.error });
  await failRefresh(context, feed, fault);
}

function namesOf({ source, target, feed_id }: LeasedFeed) {
  return { source, target: target ?? undefined, feed_id };
}
