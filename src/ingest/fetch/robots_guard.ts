/** Fetches each origin's robots.txt before any other page, and caches it. */
import { GrowingBytes } from "../formats/lines.ts";
import { readReply } from "./body.ts";
import { FetchFailure } from "./failure.ts";
import type { HeldReply } from "./redirects.ts";
import { allowsUrl, parseRobots, type RobotRules } from "./robots.ts";
import { statusFailure } from "./status.ts";
import { PRODUCT_TOKEN } from "./user_agent.ts";

/** Checks URLs by the robots.txt of their origins. */
export interface RobotsGuard {
  /**
   * Checks a URL by the robots.txt of its origin, which `ask` fetches if it is not cached. Returns
   * the crawl delay in milliseconds. A file that cannot be fetched forbids everything (RFC 9309,
   * 2.3.1.4). A file that does not exist allows everything (2.3.1.3).
   * @throws FetchFailure robots_refused: permanent if a rule forbids the URL, temporary if the file
   * cannot be fetched
   * @throws FetchFailure address_refused of `ask`, and every error of `ask` that is not a
   * FetchFailure, such as the reason of the caller's signal
   */
  judge(url: URL, ask: (robots: URL) => Promise<HeldReply>): Promise<number>;
}

/** Max bytes of a file that are read. RFC 9309, 2.5, requires at least 500 KiB. */
const FILE_BYTES = 524_288;

/** Max milliseconds for which a file is cached (RFC 9309, 2.4). */
const REMEMBERED_MILLISECONDS = 86_400_000;

/**
 * Max number of cached origins, and max characters of a cached file: together 64 MB. A longer file
 * is fetched each time.
 */
const ORIGINS_REMEMBERED = 1_000;
const REMEMBERED_LENGTH = 65_536;

/**
 * Upper bound of the honoured crawl delay, in seconds. It guarantees that a run finishes. Ten
 * seconds are chosen.
 */
const DELAY_MAX_SECONDS = 10;

/** Creates a guard with an empty cache. */
export function createRobotsGuard({ now }: { now: () => Date }): RobotsGuard {
  const remembered = new Map<string, { rules: RobotRules; until: number }>();
  return {
    async judge(url, ask) {
      const { origin, hostname } = url;
      const known = remembered.get(origin);
      remembered.delete(origin);
      const fresh = known !== undefined && known.until > now().getTime() ? known : undefined;
      const text = fresh ? undefined : await readRobots(ask, new URL("/robots.txt", url), now);
      const { rules, until } = fresh ?? {
        rules: await parseRobots(text!, PRODUCT_TOKEN),
        until: now().getTime() + REMEMBERED_MILLISECONDS,
      };
      if (fresh || text!.length <= REMEMBERED_LENGTH) remembered.set(origin, { rules, until });
      if (remembered.size > ORIGINS_REMEMBERED) {
        remembered.delete(remembered.keys().next().value!);
      }
      if (!await allowsUrl(rules, url)) {
        throw new FetchFailure("robots_refused", `${hostname}: robots.txt does not allow it`);
      }
      return Math.min(rules.delay_seconds, DELAY_MAX_SECONDS) * 1_000;
    },
  };
}

/** Returns the text of the file. A status 4xx except 429 counts as an empty file. */
async function readRobots(
  ask: (robots: URL) => Promise<HeldReply>,
  url: URL,
  now: () => Date,
): Promise<string> {
  let answer: HeldReply | undefined;
  try {
    answer = await ask(url);
    const { status } = answer.reply;
    if (status === 200) return await readText(answer);
    if (status >= 400 && status < 500 && status !== 429) return "";
    throw statusFailure(answer.reply, url, now());
  } catch (error) {
    if (!(error instanceof FetchFailure) || error.fault === "address_refused") throw error;
    throw new FetchFailure("robots_refused", `${url.hostname}: robots.txt cannot be read`, {
      temporary: true,
      retry_at: error.retry_at,
    });
  } finally {
    answer?.reply.discard();
    answer?.release();
  }
}

async function readText({ reply, url }: HeldReply): Promise<string> {
  const body = readReply(reply, {
    bytes: Infinity,
    host: url.hostname,
    resume: (failure) => Promise.reject(failure),
  });
  const file = new GrowingBytes();
  for await (const chunk of body) {
    file.add(chunk.subarray(0, FILE_BYTES - file.length));
    if (file.length >= FILE_BYTES) break;
  }
  // With `stream`, a character that the limit cuts in two is dropped.
  return new TextDecoder().decode(file.bytes, { stream: true });
}
