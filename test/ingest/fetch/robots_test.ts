import assert from "node:assert/strict";
import {
  allowsUrl,
  parseRobots,
  PATH_CHARACTERS_MAX,
  PATTERN_CHARACTERS_MAX,
  RULES_MAX,
} from "../../../src/ingest/fetch/robots.ts";

const parse = (text: string) => parseRobots(text, "company-evidence");
const allows = async (text: string, path: string) =>
  await allowsUrl(await parse(text), new URL(path, "https://shop.example"));

Deno.test("allowsUrl() obeys the longest rule, and prefers Allow if two are equally long", async () => {
  const text = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /a/b/c\n";
  const paths = ["/", "/a", "/abc", "/a/b", "/a/b/c", "/A"];
  assert.deepEqual(
    await Promise.all(paths.map((path) => allows(text, path))),
    [true, false, false, true, true, true],
  );
});

Deno.test("allowsUrl() supports the wildcards * and $", async () => {
  const cases: [string, string, boolean][] = [
    ["/*.pdf$", "/x/y.pdf", false],
    ["/*.pdf$", "/x/y.pdf?a", true],
    ["/*.pdf", "/x/y.pdf?a", false],
    ["*", "/anything", false],
    ["/$", "/", false],
    ["/$", "/a", true],
    ["/a*b*c$", "/a-b-b-c", false],
    ["/a*b*c$", "/a-c-b", true],
    ["/ab*b$", "/ab", true],
    ["/a*$", "/a", false],
    ["/x$y", "/x$y", false],
    ["/*?id=*&b", "/p?id=1&b", false],
    ["/*ababac*d", "/abababac-d", false],
    ["/*aab*aab$", "/aaabaaab", false],
    ["/*aab*aab$", "/aaab", true],
    ["about", "/about", true],
  ];
  for (const [pattern, path, allowed] of cases) {
    assert.equal(await allows(`user-agent: *\ndisallow: ${pattern}`, path), allowed, pattern);
  }
});

Deno.test("allowsUrl() compares octets, encoded or not (RFC 9309, 2.2.2)", async () => {
  const cases: [string, string, boolean][] = [
    ["/foo/bar/ツ", "/foo/bar/%E3%83%84", false],
    ["/foo/bar/%E3%83%84", "/foo/bar/ツ", false],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["/foo/bar/baz", "/foo/bar/%62%61%7a", false],
    ["/a%3cd", "/a%3Cd", false],
    ["/a%2fb", "/a/b", true],
  ];
  for (const [pattern, path, allowed] of cases) {
    assert.equal(await allows(`User-agent: *\nDisallow: ${pattern}`, path), allowed, pattern);
  }
});

Deno.test("parseRobots() merges the groups for the program, or else those for *", async () => {
  const text = [
    "\uFEFFUser-agent: Other",
    "Disallow: /other",
    "",
    "User-Agent : COMPANY-evidence/2.0 # us",
    "",
    "Sitemap: https://shop.example/map.xml",
    "user-agent: third",
    "Disallow: /one # why",
    "Disallow:",
    "Crawl-delay: 2.5",
    "",
    "User-agent: *",
    "Disallow: /",
    "User-agent: company-evidence",
    "Disallow: /two",
  ].join("\r\n");
  assert.deepEqual(await parseRobots(text, "company-evidence"), {
    rules: [{ allow: false, pattern: "/one" }, { allow: false, pattern: "/two" }],
    delay_seconds: 2.5,
  });
  assert.deepEqual(await parseRobots(text, "fifth"), {
    rules: [{ allow: false, pattern: "/" }],
    delay_seconds: 0,
  });
});

Deno.test("parseRobots() allows everything without rules or without a group", async () => {
  const cases = [
    "",
    "Disallow: /",
    "<!doctype html><p>Not found: /",
    "User-agent: *\nDisallow: /\nUser-agent: company-evidence\nDisallow:",
    "User-agent: company\nDisallow: /",
    "User-agent: *x\nDisallow: /",
  ];
  for (const text of cases) assert.equal(await allows(text, "/x"), true, text);
});

Deno.test("parseRobots() forbids everything if rules are too many or too long", async () => {
  const lines = (count: number) => "User-agent: *\n" + "Allow: /a\n".repeat(count);
  assert.equal((await parse(lines(RULES_MAX))).rules.length, RULES_MAX);
  assert.equal(await allows(lines(RULES_MAX), "/a"), true);
  assert.equal(await allows(lines(RULES_MAX + 1), "/a"), false);
  const allowing = (length: number) => `User-agent: *\nAllow: ${"/".padEnd(length, "a")}`;
  assert.equal(await allows(allowing(PATTERN_CHARACTERS_MAX), "/b"), true);
  assert.equal(await allows(allowing(PATTERN_CHARACTERS_MAX + 1), "/b"), false);
});

Deno.test("parseRobots() counts only the rules for this program", async () => {
  const otherGroup = "User-agent: other\n" + "Disallow: /\n".repeat(RULES_MAX + 1);
  assert.equal(await allows(`${otherGroup}User-agent: *\nDisallow: /b`, "/a"), true);
});

Deno.test("allowsUrl() refuses a path that is too long", async () => {
  assert.equal(await allows("", "/".padEnd(PATH_CHARACTERS_MAX, "a")), true);
  assert.equal(await allows("", "/".padEnd(PATH_CHARACTERS_MAX + 1, "a")), false);
});
