/** Finds the tests that are nearest to a file. */
import { basename } from "node:path";
import { scriptsUnder, sourcesUnder } from "../support/sources.ts";

/** Max number of test files per mutation, so that a trial takes seconds. */
const TESTS_MAX = 6;

/** Points for a mention of a name of the file, of a user of the file, and of a user's user. */
const POINTS = [9, 3, 1];

/** Points for a test that has the name of the file. */
const SAME_NAME_POINTS = 100;

/** Texts of the tree by their paths. */
export type Texts = ReadonlyMap<string, string>;

/** Reads the files of the service, and its tests. */
export function readTexts(): Texts {
  const files = [...sourcesUnder("src"), ...scriptsUnder("sql/functions"), ...sourcesUnder("test")];
  return new Map(files.map((file) => [file, Deno.readTextFileSync(file)]));
}

/**
 * Returns the tests nearest to a file: those that have its name, and those that mention most of the
 * names that the file defines, or that its users define.
 */
export function nearestTests(texts: Texts, file: string): string[] {
  const scores = new Map<string, number>();
  const add = (test: string, points: number) => scores.set(test, (scores.get(test) ?? 0) + points);
  const tests = [...texts].filter(([path]) => path.endsWith("_test.ts"));
  const code = [...texts].filter(([path]) => !path.startsWith("test/"));
  const wanted = `${basename(file).replace(/\.\w+$/, "")}_test.ts`;
  for (const [path] of tests) if (basename(path) === wanted) add(path, SAME_NAME_POINTS);
  let users = [file];
  for (const points of POINTS) {
    const names = users.flatMap((user) => namesOf(texts.get(user)!));
    if (names.length === 0) break;
    const mention = new RegExp(`\\b(${names.join("|")})\\b`, "g");
    for (const [path, text] of tests) {
      const mentioned = new Set(text.match(mention));
      if (mentioned.size > 0) add(path, points * mentioned.size);
    }
    users = code.filter(([path, text]) => !users.includes(path) && text.search(mention) >= 0)
      .map(([path]) => path);
  }
  return [...scores].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, TESTS_MAX).map(([path]) => path);
}

/** Returns the names that a file exports, or the functions that a script creates. */
function namesOf(text: string): string[] {
  const defined = text.matchAll(
    /^(?:export (?:async )?(?:function\*?|const|class)|create or replace function) (\w+)/gm,
  );
  return [...defined].map(([, name]) => name!);
}
