/** The robots exclusion protocol (RFC 9309): what a robots.txt lets a program ask for. */

/** What one robots.txt says to one program. */
export interface RobotRules {
  rules: { allow: boolean; pattern: string }[];
  /** Not of the RFC, but widely meant: the least time between two requests. */
  delay_seconds: number;
}

/**
 * Reads the groups of a program, or those of `*` where none names it. Only their rules are kept, so
 * a file of many groups costs no more than its length.
 */
export function parseRobots(text: string, product_token: string): RobotRules {
  const own: RobotRules = { rules: [], delay_seconds: 0 };
  const others: RobotRules = { rules: [], delay_seconds: 0 };
  let named = false;
  let group = new Set<RobotRules>();
  let in_rules = false;
  for (const { key, value } of recordsOf(text)) {
    if (key === "user-agent") {
      if (in_rules) group = new Set();
      in_rules = false;
      const token = value.toLowerCase().match(/^(\*$|[a-z_-]*)/)![1];
      if (token === product_token) named = true;
      if (token === product_token) group.add(own);
      if (token === "*") group.add(others);
    } else if (key === "allow" || key === "disallow") {
      in_rules = true;
      if (value === "") continue;
      const rule = { allow: key === "allow", pattern: normalizePath(value) };
      for (const one of group) one.rules.push(rule);
    } else if (key === "crawl-delay" && /^[0-9]+(\.[0-9]+)?$/.test(value)) {
      for (const one of group) one.delay_seconds = Number(value);
    }
  }
  return named ? own : others;
}

/** Whether the most specific rule, which is the longest, lets a URL be asked for. */
export function allowsUrl({ rules }: RobotRules, url: URL): boolean {
  const path = normalizePath(url.pathname + url.search);
  let longest = -1;
  let allowed = true;
  for (const { allow, pattern } of rules) {
    const { length } = pattern;
    if (length < longest || (length === longest && !allow) || !matches(pattern, path)) continue;
    longest = length;
    allowed = allow;
  }
  return allowed;
}

function* recordsOf(text: string): Generator<{ key: string; value: string }> {
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/)) {
    const [, key, value] = line.match(/^([^:#]*):([^#]*)/) ?? [];
    if (key !== undefined) yield { key: key.trim().toLowerCase(), value: value!.trim() };
  }
}

/** One spelling for each path: octets beyond ASCII escaped, those that need no escape plain. */
function normalizePath(path: string): string {
  return path
    .replace(/[^\0-\x7F]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (escaped) => {
      const plain = String.fromCharCode(parseInt(escaped.slice(1), 16));
      return /[A-Za-z0-9._~-]/.test(plain) ? plain : escaped.toUpperCase();
    });
}

/** `*` stands for anything, `$` at the end for the end; else a path need only start so. */
function matches(pattern: string, path: string): boolean {
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
  return path.indexOf(last, from) >= 0;
}
