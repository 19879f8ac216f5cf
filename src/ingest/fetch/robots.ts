/**
 * Fetches each origin's robots.txt before any other page, caches it, and applies the robots
 * exclusion protocol (RFC 9309). The file is not trusted. Rules, patterns and paths have limits, and
 * long loops yield to the event loop. The package robots-parser has no limits: half a megabyte of
 * patterns keeps it busy for seconds.
 */
import { Slices } from "../../slices.ts";
import { GrowingBytes } from "../formats/lines.ts";
import { readReply } from "./body.ts";
import { FetchFailure, statusFailure } from "./failure.ts";
import type { HeldReply } from "./redirects.ts";
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

/** Max number of cached origins. Their rules come from at most 50 MB of files. */
const ORIGINS_REMEMBERED = 100;

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
      let known = remembered.get(origin);
      remembered.delete(origin);
      if (known === undefined || known.until <= now().getTime()) {
        const text = await readRobots(ask, new URL("/robots.txt", url), now);
        const rules = await parseRobots(text, PRODUCT_TOKEN);
        known = { rules, until: now().getTime() + REMEMBERED_MILLISECONDS };
      }
      remembered.set(origin, known);
      if (remembered.size > ORIGINS_REMEMBERED) {
        remembered.delete(remembered.keys().next().value!);
      }
      const { rules } = known;
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
  let reply: HeldReply | undefined;
  try {
    reply = await ask(url);
    const { status } = reply;
    if (status === 200) return await readText(reply);
    if (status >= 400 && status < 500 && status !== 429) return "";
    throw statusFailure(reply, url, now());
  } catch (error) {
    if (!(error instanceof FetchFailure) || error.fault === "address_refused") throw error;
    throw new FetchFailure("robots_refused", `${url.hostname}: robots.txt cannot be read`, {
      temporary: true,
      retry_at: error.retry_at,
    });
  } finally {
    reply?.discard();
  }
}

async function readText(reply: HeldReply): Promise<string> {
  const body = readReply(reply, { bytes: Infinity, host: reply.url.hostname });
  const file = new GrowingBytes();
  for await (const chunk of body) {
    file.add(chunk.subarray(0, FILE_BYTES - file.length));
    if (file.length >= FILE_BYTES) break;
  }
  // With `stream`, a character that the limit cuts in two is dropped.
  return new TextDecoder().decode(file.bytes, { stream: true });
}

/** Rules of one robots.txt for one program. */
interface RobotRules {
  rules: { allow: boolean; pattern: string }[];
  /**
   * Min seconds between two requests (`Crawl-delay`). It is not part of the RFC, but widely used.
   */
  delay_seconds: number;
}

/** Max number of rules for one program, and of characters of a pattern. */
export const RULES_MAX = 5_000;
export const PATTERN_CHARACTERS_MAX = 2_048;

/** Max length of a path with its query, in its normal form. A URL with a longer one is refused. */
export const PATH_CHARACTERS_MAX = 2_048;

/**
 * Reads the rules of the groups that name a program, or of the groups of `*` if none names it.
 * Rules of other groups are not kept. Too many or too long rules forbid everything.
 */
export async function parseRobots(text: string, product_token: string): Promise<RobotRules> {
  const named = { rules: [] as RobotRules["rules"], delay_seconds: 0, isClosed: false };
  const fallback = structuredClone(named);
  let isNamed = false;
  let group = new Set<typeof named>();
  let in_rules = false;
  const slices = new Slices();
  for (const { key, value } of recordsOf(text)) {
    if (slices.isOver) await slices.turn();
    if (key === "user-agent") {
      if (in_rules) group = new Set();
      in_rules = false;
      const token = value.toLowerCase().match(/^(\*$|[a-z_-]*)/)![1];
      if (token === product_token) isNamed = true;
      if (token === product_token) group.add(named);
      if (token === "*") group.add(fallback);
    } else if (key === "allow" || key === "disallow") {
      in_rules = true;
      for (const program of value === "" ? [] : group) {
        const { rules } = program;
        // A rule that is not kept may forbid any URL.
        program.isClosed ||= rules.length === RULES_MAX || value.length > PATTERN_CHARACTERS_MAX;
        if (program.isClosed) program.rules = [{ allow: false, pattern: "/" }];
        else rules.push({ allow: key === "allow", pattern: normalizePath(value) });
      }
    } else if (key === "crawl-delay" && /^[0-9]+(\.[0-9]+)?$/.test(value)) {
      for (const rules of group) rules.delay_seconds = Number(value);
    }
  }
  const { rules, delay_seconds } = isNamed ? named : fallback;
  return { rules, delay_seconds };
}

/**
 * Returns whether a URL may be requested. The longest matching rule, which is the most specific
 * one, decides. If two are equally long, the rule that allows wins.
 */
export async function allowsUrl({ rules }: RobotRules, url: URL): Promise<boolean> {
  const path = normalizePath(url.pathname + url.search);
  if (path.length > PATH_CHARACTERS_MAX) return false;
  const slices = new Slices();
  let longest = -1;
  let allowed = true;
  for (const { allow, pattern } of rules) {
    if (slices.isOver) await slices.turn();
    const { length } = pattern;
    if (length < longest || (length === longest && !allow) || !matchesPath(pattern, path)) continue;
    longest = length;
    allowed = allow;
  }
  return allowed;
}

function* recordsOf(text: string): Generator<{ key: string; value: string }> {
  for (const [line] of text.replace(/^\uFEFF/, "").matchAll(/[^\r\n]+/g)) {
    const [, key, value] = line.match(/^([^:#]*):([^#]*)/) ?? [];
    if (key !== undefined) yield { key: key.trim().toLowerCase(), value: value!.trim() };
  }
}

/** Normalizes a path: escapes octets beyond ASCII, and unescapes unreserved characters. */
function normalizePath(path: string): string {
  return path.replace(/[^\0-\x7F]+|%[0-9a-f]{2}/gi, (part) => {
    if (!part.startsWith("%")) return encodeURIComponent(part.toWellFormed());
    const plain = String.fromCharCode(parseInt(part.slice(1), 16));
    return /[A-Za-z0-9._~-]/.test(plain) ? plain : part.toUpperCase();
  });
}

/**
 * Matches a path against a pattern. `*` matches anything, and `$` at the end matches
 * the end of the path. Without `$`, a pattern need only match the beginning of the path.
 */
function matchesPath(pattern: string, path: string): boolean {
  const anchored = pattern.endsWith("$");
  const [first, ...rest] = (anchored ? pattern.slice(0, -1) : pattern).split("*");
  if (!path.startsWith(first!)) return false;
  let from = first!.length;
  if (rest.length === 0) return !anchored || from === path.length;
  const last = rest.pop()!;
  for (const part of rest) {
    const at = path.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  if (anchored) return path.length - last.length >= from && path.endsWith(last);
  return path.includes(last, from);
}
