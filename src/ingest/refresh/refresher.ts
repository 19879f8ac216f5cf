/**
 * The loops that refresh the dataset: they run due feeds, and fetch records about hostnames that
 * the dataset does not cover. A feed that is due sends its requests to the source, and the answers
 * are recorded.
 */
import { isUnavailable } from "../../db/failure.ts";
import { errorFields } from "../../log.ts";
import { repeat } from "../../repeat.ts";
import { type IngestCounts, NOTHING_READ, sumOfCounts } from "../record/pipeline.ts";
import { askSource, endlessRun, FILE_MILLISECONDS, remoteOf, REQUESTS_MAX } from "./ask.ts";
import { recordAnswer, type RefreshContext } from "./context.ts";
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
 * Runs a loop that runs one feed at a time, and loops that request several hostnames at once, until
 * the signal aborts. Another process can then continue their refreshes. Operations of callers run in
 * other loops, so a refresh does not delay them.
 */
export async function refreshSources(context: RefreshContext, signal: AbortSignal): Promise<void> {
  const loop = (pauseMs: number, step: () => Promise<boolean>) =>
    repeat(context.log, step, { pauseMs, signal, name: "sources" });
  await Promise.all([
    loop(POLL_MS, () => runDueFeed(context, signal)),
    loop(REMOVAL_MS, () => removeOldRefreshes(context)),
    ...Array.from(
      { length: HOSTNAMES_AT_ONCE },
      () => loop(POLL_MS, () => refreshNextHostname(context, signal)),
    ),
  ]);
}

/**
 * Runs the feed that has been due longest, until its end or until the signal aborts. Returns false
 * if no feed is due.
 * @throws errors of the database. The lease is then released, or expires if that fails too
 */
export async function runDueFeed(context: RefreshContext, stop: AbortSignal): Promise<boolean> {
  // A source that is read from files only, or whose key is not set, cannot be fetched.
  const sources = [...context.sources.values()].filter(({ remote }) =>
    remote !== undefined && context.keyOf(remote) !== undefined
  );
  const feed = await leaseFeed(context, sources.map(({ name }) => name));
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
  const say = (reason: string) =>
    context.log.warn("source differs from its mapping", { ...namesOf(feed), reason });
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
    const question = { source, request, target, company, say, validators };
    const answered = await askSource(
      context,
      { ...question, milliseconds: FILE_MILLISECONDS },
      lease.signal,
    );
    if (answered === undefined) return await end("not_modified", feed.validators);
    const part = await recordAnswer(context, feed.source, lease.whileHeld(answered.entries));
    counts = sumOfCounts(counts, part);
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
