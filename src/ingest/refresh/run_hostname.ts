/**
 * Processes messages of a queue. Each message names a source and a hostname that the dataset does
 * not cover. Records about the hostname are fetched from the source.
 */
import { normalizeHostname } from "../../contract/hostname.ts";
import { isUnavailable } from "../../db/failure.ts";
import { errorFields } from "../../log.ts";
import { askSource, type SourceQuestion } from "./ask.ts";
import { recordAnswer, type RefreshContext } from "./context.ts";
import { faultOf } from "./fault.ts";
import { FEED_LEASE_SECONDS, FeedLease } from "./lease.ts";
import {
  archive,
  giveBack,
  hide,
  readInTurn,
  type RefreshMessage,
  remove,
} from "./refresh_queue.ts";

/**
 * Max number of reads of a message. A read counts only if it ends by a crash, a fault of the source
 * or a defect of this program. A read that a fault of the database, a stop or the loss of the lease
 * interrupts is not counted, unless the message cannot be given back. The number is chosen;
 * take_operation in SQL has the same for operations.
 */
const READS_MAX = 5;

/**
 * Seconds for which a message is hidden after a fault of the database, so that other messages come
 * first.
 */
const DATABASE_PAUSE_SECONDS = 5;

/**
 * Max milliseconds of a request about one hostname. A host that never answers delays the next
 * hostname by no more than that.
 */
const HOSTNAME_MILLISECONDS = 10_000;

/** Seconds until the first retry after a fault. Each further pause doubles. A minute is chosen. */
const FIRST_PAUSE_SECONDS = 60;

/**
 * Takes the message of the account whose turn it is, and fetches records about its hostname from
 * its source. The fetch is not repeated until the source's interval has passed, even if the answer
 * has no records. Returns whether there was a message.
 * @throws errors of the database, after giving the message back to the queue
 */
export async function refreshNextHostname(
  context: RefreshContext,
  stop: AbortSignal,
): Promise<boolean> {
  const { sql, log } = context;
  const message = await readInTurn(sql, FEED_LEASE_SECONDS);
  if (message === undefined) return false;
  const { msg_id, read_ct } = message;
  const wanted = readMessage(message);
  if (wanted === undefined || read_ct > READS_MAX) {
    log.error("refresh message archived: it cannot be worked off", { message_id: msg_id, read_ct });
    await archive(sql, msg_id);
    return true;
  }
  await using lease = new FeedLease(() => hide(sql, msg_id, FEED_LEASE_SECONDS), stop);
  try {
    await refresh(context, { ...wanted, msg_id }, lease);
  } catch (error) {
    await giveUp(context, { ...message, source: wanted.source }, { error, lease, stop });
  }
  return true;
}

/** Max number of notes that a call of remove_old_refreshes removes. */
const REMOVED_MAX = 1_000;

/**
 * Removes notes about requested hostnames whose interval has passed. Returns whether there may be
 * more of them.
 */
export async function removeOldRefreshes(
  { sql, now }: Pick<RefreshContext, "sql" | "now">,
): Promise<boolean> {
  const [row] = await sql<[{ removed: number }]>`
    select remove_old_refreshes(${REMOVED_MAX}, ${now?.() ?? null}) as removed
  `;
  return row.removed === REMOVED_MAX;
}

async function refresh(
  context: RefreshContext,
  { msg_id, ...wanted }: HostnameRequest & { msg_id: number },
  lease: FeedLease,
): Promise<void> {
  const { sql, log } = context;
  const names = { source: wanted.source, message_id: msg_id };
  const question = await findQuestion(context, wanted);
  if (question === undefined) {
    log.info("refresh message dropped: its source is not asked any more", names);
    await remove(sql, msg_id);
    return;
  }
  const answered = await askSource(
    context,
    { ...question, milliseconds: HOSTNAME_MILLISECONDS },
    lease.signal,
  );
  const counts = await recordAnswer(context, wanted.source, lease.whileHeld(answered!.entries));
  await remove(sql, msg_id);
  log.info("hostname refreshed", { ...names, ...counts });
}

interface HostnameRequest {
  source: string;
  hostname: string;
}

/** Reads a message. Returns undefined if it has another form. */
function readMessage({ message }: RefreshMessage): HostnameRequest | undefined {
  const { source, hostname } = Object(message) as Partial<Record<keyof HostnameRequest, unknown>>;
  if (typeof source !== "string" || typeof hostname !== "string") return;
  return normalizeHostname(hostname) === hostname ? { source, hostname } : undefined;
}

/**
 * Returns the request to the source. Returns undefined if the source has no requests for hostnames,
 * lacks its key or is not permitted.
 */
async function findQuestion(
  { sql, sources, keyOf }: RefreshContext,
  { source: name, hostname }: HostnameRequest,
): Promise<Pick<SourceQuestion, "source" | "request" | "target"> | undefined> {
  const source = sources.get(name);
  const remote = source?.remote;
  if (remote?.hostname === undefined || keyOf(remote) === undefined) return;
  const [row] = await sql<{ address: string | null }[]>`
    select address from sources where name = ${name} and permitted
  `;
  if (row === undefined) return;
  const request = remote.hostname(row.address ?? remote.address, hostname);
  return { source: source!, request, target: hostname };
}

/**
 * Handles a failed refresh. If the refresh was interrupted, its read of the message is not counted.
 * After a defect, or a temporary fault before the last read, the message is read again after a
 * pause that doubles. Any other fault removes the message.
 */
async function giveUp(
  context: RefreshContext,
  { msg_id, read_ct, source }: RefreshMessage & { source: string },
  { error, lease, stop }: { error: unknown; lease: FeedLease; stop: AbortSignal },
): Promise<void> {
  const { sql, log } = context;
  const names = { source, message_id: msg_id, read_ct };
  if (lease.lost || stop.aborted || isUnavailable(error)) {
    if (lease.lost) log.warn("hostname refresh stopped: its lease was lost", names);
    const visibility_seconds = stop.aborted ? 0 : DATABASE_PAUSE_SECONDS;
    await giveBack(sql, { msg_id, read_ct }, visibility_seconds);
    if (!lease.lost && !stop.aborted) throw error;
    return;
  }
  const fault = faultOf(error);
  if (fault.defect) log.error("hostname refresh met a defect", { ...names, ...errorFields(error) });
  else log.info("hostname not refreshed", { ...names, reason: fault.error });
  if (fault.defect || (fault.temporary && read_ct < READS_MAX)) {
    await hide(sql, msg_id, pauseAfter(read_ct, fault.retry_at));
  } else {
    await remove(sql, msg_id);
  }
}

function pauseAfter(read_ct: number, retry_at: Date | undefined): number {
  const wanted = retry_at === undefined ? 0 : Math.ceil((retry_at.getTime() - Date.now()) / 1000);
  return Math.max(FIRST_PAUSE_SECONDS * 2 ** (read_ct - 1), wanted);
}
