/** The language of comments (style: CONTRIBUTING.md). */
import assert from "node:assert/strict";
import { linesOf, read, scriptsUnder, sourcesUnder } from "./support/sources.ts";

const FILES = ["src", "test", "bench"].flatMap(sourcesUnder).concat("main.ts");

/** First words of doc comments that are fragments, without a subject or a verb. */
const FRAGMENT_OPENINGS = [
  ...["Of", "So", "Where", "Whose", "By", "Nothing", "The same", "Not", "Also", "And", "As"],
  ...["At most", "Far", "From", "To", "Within"],
];

/** First words of noun clauses, which are hard to read. A question may open with them. */
const CLAUSE_OPENINGS = ["What", "How", "Which", "Who", "Whether", "Whatever"];

/** Scripts that are exempt. They must not change, because databases hold their checksums. */
const FROZEN_SCRIPTS = /^sql\/000[1-4]_/;

Deno.test("doc comments do not open with a fragment", () => {
  const breaches = FILES.flatMap((file) => fragmentsIn(read(file)).map((line) => ({ file, line })));
  assert.deepEqual(breaches, []);
});

Deno.test("comments do not open with a noun clause, in TypeScript or SQL", () => {
  const files = [...FILES, ...scriptsUnder("sql")];
  const breaches = files.filter((file) => !FROZEN_SCRIPTS.test(file))
    .flatMap((file) => clausesIn(read(file)).map((line) => ({ file, line })));
  assert.deepEqual(breaches, []);
});

Deno.test("clausesIn() skips questions, and reads comments of TypeScript and SQL", () => {
  const mark = "/" + "**";
  assert.deepEqual(clausesIn(`${mark} What a page is. */\n${mark} What is a page? It is. */`), [1]);
  assert.deepEqual(clausesIn(`${mark}\n * How it\n * goes: well.\n */`), [1]);
  assert.deepEqual(clausesIn(`-- Who asks.\nselect 1;\n-- And who\n-- What is it.`), [1]);
  assert.deepEqual(clausesIn(`${mark} Returns what a page is. */ // What`), []);
});

/** Returns the lines on which a comment begins whose first sentence is a noun clause. */
function clausesIn(text: string): number[] {
  const comments = /\/\*\*(.*?)\*\/|(?<![^\n]|--[^\n]*\n)--([^\n]*(?:\n--[^\n]*)*)/gs;
  return [...text.matchAll(comments)].flatMap(({ index, 1: block, 2: lines }) => {
    const sentence = (block ?? lines!).replaceAll(/\n\s*(?:\*|--)/g, " ").trim();
    const clause = new RegExp(`^(?:${CLAUSE_OPENINGS.join("|")})\\b[^.?]*(.)`, "s").exec(sentence);
    return clause === null || clause[1] === "?" ? [] : [linesOf(text.slice(0, index)) + 1];
  });
}

Deno.test("fragmentsIn() checks only the first words of doc comments", () => {
  const mark = "/" + "**";
  assert.deepEqual(fragmentsIn(`${mark} Of a page. */\n${mark} Number. Of a page. */`), [1]);
  assert.deepEqual(fragmentsIn(`// Of\n  ${mark}\n   * The same\n   * again.\n   */`), [2]);
  assert.deepEqual(fragmentsIn(`${mark} Offers rows. */\n/* Of a page. */`), []);
});

/** Returns the lines on which a doc comment begins that opens with a fragment. */
function fragmentsIn(text: string): number[] {
  const fragment = new RegExp(`/\\*\\*[\\s*]*(?:${FRAGMENT_OPENINGS.join("|")})\\b`, "g");
  return [...text.matchAll(fragment)].map(({ index }) => linesOf(text.slice(0, index)) + 1);
}
