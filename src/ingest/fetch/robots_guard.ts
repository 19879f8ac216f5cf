/** Asks each origin's robots.txt before anything else of it, and remembers the answer. */
import { GrowingBytes } from "../formats/growing_bytes.ts";
import { readBody } from "./body.ts";
import { FetchFailure } from "./failure.ts";
import type { Arrival } from "./redirects.ts";
import { allowsUrl, parseRobots, type RobotRules } from "./robots.ts";
import { statusFailure } from "./status.ts";
import { PRODUCT_TOKEN } from "./user_agent.ts";

export interface RobotsGuard {
  /**
   * Judges a URL by the robots.txt of its origin, which `ask` fetches if it is not remembered.
   * @returns how long its crawl-delay asks to wait between two requests, in milliseconds
   * @throws FetchFailure robots_refused: for good where a rule says so, passing where the file
   * cannot be had, which counts as "nothing is allowed" (RFC 9309, 2.3.1.4); and what `ask` throws
   * for an address that is refused or a time that is over
   */
  judge(url: URL, ask: (robots: URL) => Promise<Arrival>): Promise<number>;
}

/** Bytes of a file that are read: the minimum that RFC 9309, 2.5 asks for. */
const FILE_BYTES = 524_288;

/** RFC 9309, 2.4: not to be used for longer. */
const REMEMBERED_MILLISECONDS = 86_400_000;

/**
 * Max number of origins that are remembered, and max length of their files: at worst 64 MB
 * together. Longer files are fetched each time.
 */
const ORIGINS_REMEMBERED = 1_000;
const REMEMBERED_LENGTH = 65_536;

/** Upper bound of the honoured crawl delay, in seconds. It guarantees that a run finishes. */
const DELAY_MOST_SECONDS = 10;

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
      return Math.min(rules.delay_seconds, DELAY_MOST_SECONDS) * 1_000;
    },
  };
}

/** The text, empty where the host says that there is none. */
async function readRobots(
  ask: (robots: URL) => Promise<Arrival>,
  url: URL,
  now: () => Date,
): Promise<string> {
  let arrival: Arrival | undefined;
  try {
    arrival = await ask(url);
    const { status } = arrival.reply;
    if (status === 200) return await readText(arrival);
    if (status >= 400 && status < 500 && status !== 429) return "";
    throw statusFailure(arrival.reply, url, now());
  } catch (error) {
    if (!(error instanceof FetchFailure) || error.fault === "address_refused") throw error;
    throw new FetchFailure("robots_refused", `${url.hostname}: robots.txt cannot be read`, {
      passing: true,
      retry_at: error.retry_at,
    });
  } finally {
    arrival?.reply.discard();
    arrival?.release();
  }
}

async function readText({ reply, url }: Arrival): Promise<string> {
  const body = readBody(reply, {
    bytes: Infinity,
    host: url.hostname,
    resume: (failure) => Promise.reject(failure),
  });
  const file = new GrowingBytes();
  for await (const chunk of body) {
    file.add(chunk.subarray(0, FILE_BYTES - file.length));
    if (file.length >= FILE_BYTES) break;
  }
  // A character that the bound cuts apart is left out.
  return new TextDecoder().decode(file.bytes, { stream: true });
}
