import assert from "node:assert/strict";
import { allowsUrl, parseRobots } from "../../../src/ingest/fetch/robots.ts";

const allows = (text: string, path: string) =>
  allowsUrl(parseRobots(text, "company-evidence"), new URL(path, "https://shop.example"));

Deno.test("allowsUrl() goes by the longest rule, and allows where two are as long", () => {
  const text = "User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /a/b/c\nAllow: /a/b/c\n";
  assert.deepEqual(
    ["/", "/a", "/abc", "/a/b", "/a/b/c", "/A"].map((path) => allows(text, path)),
    [true, false, false, true, true, true],
  );
});

Deno.test("allowsUrl() knows * and $", () => {
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
    ["about", "/about", true],
  ];
  for (const [pattern, path, allowed] of cases) {
    assert.equal(allows(`user-agent: *\ndisallow: ${pattern}`, path), allowed, pattern);
  }
});

Deno.test("allowsUrl() compares octets, however they are written (RFC 9309, 2.2.2)", () => {
  const cases: [string, string, boolean][] = [
    ["/foo/bar/ツ", "/foo/bar/%E3%83%84", false],
    ["/foo/bar/%E3%83%84", "/foo/bar/ツ", false],
    ["/foo/bar/%62%61%7A", "/foo/bar/baz", false],
    ["/foo/bar/baz", "/foo/bar/%62%61%7a", false],
    ["/a%3cd", "/a%3Cd", false],
    ["/a%2fb", "/a/b", true],
  ];
  for (const [pattern, path, allowed] of cases) {
    assert.equal(allows(`User-agent: *\nDisallow: ${pattern}`, path), allowed, pattern);
  }
});

Deno.test("parseRobots() keeps the groups of the program, merged, else those of *", () => {
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
  assert.deepEqual(parseRobots(text, "company-evidence"), {
    rules: [{ allow: false, pattern: "/one" }, { allow: false, pattern: "/two" }],
    delay_seconds: 2.5,
  });
  assert.deepEqual(parseRobots(text, "fifth"), {
    rules: [{ allow: false, pattern: "/" }],
    delay_seconds: 0,
  });
});

Deno.test("parseRobots() lets a group without rules, and no group at all, ask for everything", () => {
  const cases = [
    "",
    "Disallow: /",
    "<!doctype html><p>Not found: /",
    "User-agent: *\nDisallow: /\nUser-agent: company-evidence\nDisallow:",
    "User-agent: company\nDisallow: /",
    "User-agent: *x\nDisallow: /",
  ];
  for (const text of cases) assert.equal(allows(text, "/x"), true, text);
});

Deno.test("parseRobots() and allowsUrl() stay quick on half a megabyte of hostile rules", () => {
  const many = "User-agent: *\n".repeat(18_000) + "Disallow: /a*a*a*a*a*b\n".repeat(11_000);
  const one = `User-agent: *\nDisallow: /${"a*".repeat(250_000)}b`;
  const started = performance.now();
  assert.equal(allows(many, "/" + "a".repeat(2_000)), true);
  assert.equal(allows(one, "/" + "a".repeat(2_000)), true);
  assert.ok(performance.now() - started < 20_000);
});
