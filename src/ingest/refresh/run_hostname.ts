/** Hostnames without coverage: messages that name one and a source that may know it. */
import {
  archive,
  type QueueMessage,
  read,
  REFRESHES_QUEUE,
  remove,
  setVisibility,
} from "../../db/queue.ts";
import { normalizeHostname } from "../../dataset/hostname.ts";
import { errorFields } from "../../log.ts";
import { askSource } from "../ask.ts";
import { ingestEntries } from "../pipeline.ts";
import type { Source, SourceRequest } from "../source.ts";
import type { RefreshContext } from "./context.ts";
import { faultOf, isUnavailable } from "./fault.ts";
import { Lease, LEASE_SECONDS } from "./lease.ts";

/** A message that is read more often does more harm than good. */
const READS_MOST = 5;

/** A question about one company is a small one. */
const HOSTNAME_MILLISECONDS = 60_000;

const FIRST_PAUSE_SECONDS = 60;
const LONGEST_PAUSE_SECONDS = 86_400;

/**
 * Takes one message and asks its source. That nothing is found is an answer: the hostname is asked
 * for again when somebody wants it after the source's interval.
 * @returns whether there was a message
 * @throws what the database throws: the message then comes back by itself
 */
export async function refreshNextHostname(
  context: RefreshContext,
  stop: AbortSignal,
): Promise<boolean> {
  const { sql, log } = context;
  const [message] = await read(sql, {
    queue: REFRESHES_QUEUE,
    visibility_seconds: LEASE_SECONDS,
    quantity: 1,
  });
  if (message === undefined) return false;
  const { msg_id, read_ct } = message;
  const wanted = readMessage(message);
  if (wanted === undefined || read_ct > READS_MOST) {
    log.error("refresh message archived: it cannot be worked off", { message_id: msg_id, read_ct });
    await archive(sql, REFRESHES_QUEUE, msg_id);
    return true;
  }
  const asked = await findQuestion(context, wanted);
  if (asked === undefined) {
    log.info("refresh message dropped: its source is not asked any more", {
      source: wanted.source,
      message_id: msg_id,
    });
    await remove(sql, REFRESHES_QUEUE, msg_id);
    return true;
  }
  await using lease = new Lease(() => hide(context, msg_id, LEASE_SECONDS), stop);
  try {
    const counts = await run(context, asked, lease);
    await remove(sql, REFRESHES_QUEUE, msg_id);
    log.info("hostname refreshed", { source: wanted.source, message_id: msg_id, ...counts });
  } catch (error) {
    await giveUp(context, { ...message, source: wanted.source }, { error, lease, stop });
  }
  return true;
}

interface Wanted {
  source: string;
  hostname: string;
}

function readMessage({ message }: QueueMessage): Wanted | undefined {
  const { source, hostname } = message as Partial<Record<keyof Wanted, unknown>>;
  if (typeof source !== "string" || typeof hostname !== "string") return;
  return normalizeHostname(hostname) === hostname ? { source, hostname } : undefined;
}

interface HostnameQuestion {
  source: Source;
  request: SourceRequest;
  target: string;
}

/** @returns nothing where the source may not, or cannot, be asked for hostnames now */
async function findQuestion(
  { sql, sources, keyOf }: RefreshContext,
  { source: name, hostname }: Wanted,
): Promise<HostnameQuestion | undefined> {
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

async function run(context: RefreshContext, question: HostnameQuestion, lease: Lease) {
  const answered = await askSource(
    context,
    { ...question, milliseconds: HOSTNAME_MILLISECONDS },
    lease.signal,
  );
  return await ingestEntries(context.sql, lease.whileHeld(answered!.entries), {
    batch: context.batch,
    reject: () => {},
  });
}

/** Whether the message is still there. */
async function hide({ sql }: RefreshContext, msg_id: number, visibility_seconds: number) {
  return await setVisibility(sql, { queue: REFRESHES_QUEUE, msg_id, visibility_seconds });
}

/** A fault that may pass is tried again, later each time; any other is an answer too. */
async function giveUp(
  context: RefreshContext,
  { msg_id, read_ct, source }: QueueMessage & { source: string },
  { error, lease, stop }: { error: unknown; lease: Lease; stop: AbortSignal },
): Promise<void> {
  const { sql, log } = context;
  const names = { source, message_id: msg_id, read_ct };
  if (lease.lost) return log.warn("hostname refresh stopped: its lease was lost", names);
  if (stop.aborted || isUnavailable(error)) {
    await hide(context, msg_id, 0);
    if (!stop.aborted) throw error;
    return;
  }
  const fault = faultOf(error);
  if (fault.defect) log.error("hostname refresh met a defect", { ...names, ...errorFields(error) });
  else log.info("hostname not refreshed", { ...names, reason: fault.error });
  if (fault.defect || (fault.passing && read_ct < READS_MOST)) {
    await hide(context, msg_id, pauseAfter(read_ct, fault.retry_at));
  } else {
    await remove(sql, REFRESHES_QUEUE, msg_id);
  }
}

function pauseAfter(read_ct: number, retry_at: Date | undefined): number {
  const wanted = retry_at === undefined ? 0 : Math.ceil((retry_at.getTime() - Date.now()) / 1000);
  const pause = Math.max(FIRST_PAUSE_SECONDS * 2 ** (read_ct - 1), wanted);
  return Math.min(pause, LONGEST_PAUSE_SECONDS);
}
