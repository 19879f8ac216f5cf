/** Finds the tests that are nearest to a file. */
import { basename, dirname } from "node:path";
import { scriptsUnder, sourcesUnder } from "../support/sources.ts";

/** Max number of test files per mutation, so that a trial takes seconds. */
const TESTS_MAX = 6;

/** Points for a call of a function of the file, of a user of the file, and of a user's user. */
const POINTS = [9, 3, 1];

/** Points for a test that has the name of the file. */
const SAME_NAME_POINTS = 1_000;

/** Points for a test in the folder that mirrors the folder of the file. */
const SAME_FOLDER_POINTS = 100;

/** Folders of tests of subjects of `sql/functions` that have another name. */
const FOLDERS: Record<string, string> = { metering: "operations", queues: "operations" };

/** Tests of whole processes, which take minutes, and tests that measure times. */
const SLOW = /^test\/(deploy|faults|fuzz)\/|support\/(event_loop|real_records|service)\.ts"/;

/** Texts of the tree by their paths. */
export type Texts = ReadonlyMap<string, string>;

/** Reads the files of the service, and its tests. */
export function readTexts(): Texts {
  const files = [...sourcesUnder("src"), ...scriptsUnder("sql/functions"), ...sourcesUnder("test")];
  return new Map(files.map((file) => [file, Deno.readTextFileSync(file)]));
}

/**
 * Returns the tests nearest to a file: those that have its name, then those in the folder that
 * mirrors its folder. Among these, tests that call most functions of the file or of its users come
 * first.
 */
export function nearestTests(texts: Texts, file: string): string[] {
  const tests = [...texts].filter(([path, text]) =>
    path.endsWith("_test.ts") && !SLOW.test(path + text)
  );
  const code = [...texts].filter(([path]) => !path.startsWith("test/"));
  const name = `${basename(file).replace(/\.\w+$/, "")}_test.ts`;
  const folder = mirrorOf(file);
  const scores = new Map(tests.map(([path]) => [
    path,
    (basename(path) === name ? SAME_NAME_POINTS : 0) +
    (dirname(path) === folder ? SAME_FOLDER_POINTS : 0),
  ]));
  let users = [file];
  for (const points of POINTS) {
    const names = users.flatMap((user) => namesOf(texts.get(user)!));
    if (names.length === 0) break;
    const call = new RegExp(`\\b(${names.join("|")})[(<]`, "g");
    for (const [path, text] of tests) {
      scores.set(path, scores.get(path)! + points * new Set(text.match(call)).size);
    }
    users = code.filter(([path, text]) => !users.includes(path) && text.search(call) >= 0)
      .map(([path]) => path);
  }
  return [...scores].filter(([, points]) => points > 0)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .slice(0, TESTS_MAX).map(([path]) => path);
}

function mirrorOf(file: string): string {
  const [, , subject = ""] = file.split("/");
  if (file.startsWith("sql/")) return `test/${FOLDERS[subject] ?? subject}`;
  return dirname(file).replace(/^src\b/, "test");
}

/** Returns the names that a file exports, or the functions that a script creates. */
function namesOf(text: string): string[] {
  const defined = text.matchAll(
    /^(?:export (?:async )?(?:function\*?|const|class)|create or replace function) (\w+)/gm,
  );
  return [...defined].map(([, name]) => name!);
}
