import assert from "node:assert/strict";

const TABLE = Deno.readTextFileSync("docs/specification.md");

/** Number of rules in each numbered list of the specification. The project added the last list. */
const LISTS: Record<string, number> = {
  "1.": 7,
  "1.M": 8,
  "4.F": 6,
  "4.P": 3,
  "4.M": 6,
  "5.": 8,
  "6.": 3,
  "7.": 4,
  "8.": 3,
  "9.": 5,
  "10.": 6,
};

/** Tables and headings of the specification. Tables of limits are listed row by row. */
const HEADINGS = [
  "2 Operation",
  "2 Allowance",
  "2 Observation",
  "2 Evidence",
  "2 CompanyIdentity",
  "2 Company",
  "2 Company in a search result",
  "2 Lookup outcome",
  "2 Domain status",
  "2 Subscription usage report",
  "2 Common result fields",
  "2 Operation result",
  "3 Operation status",
  "3 Operation status: empty result",
  "3 Lookup outcomes",
  "4 GET /api/observations: parameters",
  "4 GET /api/observations: responses",
  "4 GET /api/companies",
  "4 GET /api/companies/{id}",
  "4 GET /api/observations/{id}",
  "4 POST /api/companies/search: body",
  "4 POST /api/companies/search: responses",
  "4 Filters",
  "4 GET /api/usages/{id}",
  "4 GET /api/usage",
  "4 MCP tools",
  "7 Envelope",
  "7 Codes",
  "8 domains[] items",
  "8 observations per response",
  "8 limit of a listing",
  "8 ids[] or domains[] items",
  "8 observations per company",
  "8 query length",
  "8 limit of a search",
  "8 company page size",
  "8 shortlist",
  "8 filter list size",
  "8 categories per observation",
  "8 allowances",
];

interface Row {
  rule: string;
  /** Declarations that implement the rule. */
  declarations: { name: string; file: string }[];
  tests: string[];
}

function readRows(): Row[] {
  const lines = TABLE.split("\n").filter((line) => /^\| \d/.test(line));
  return lines.map((line) => {
    const [, rule, , places, proof] = line.split("|").map((cell) => cell.trim());
    return {
      rule: rule!,
      declarations: places!.split("<br>").map((place) => {
        const [, name, file] = /^`(\w+)` in `([\w/.]+)`$/.exec(place.trim()) ?? [];
        assert.ok(name && file, `${rule}: ${place}`);
        return { name, file };
      }),
      tests: [...proof!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    };
  });
}

Deno.test("specification.md contains every rule of the specification once, with its tests", () => {
  const numbered = Object.entries(LISTS).flatMap(([list, count]) =>
    Array.from({ length: count }, (_, n) => `${list}${n + 1}`)
  );
  const rows = readRows();
  assert.deepEqual(rows.map(({ rule }) => rule).sort(), [...numbered, ...HEADINGS].sort());
  for (const { rule, tests } of rows) assert.ok(tests.length > 0, `${rule} has no test`);
});

Deno.test("specification.md names tests that exist", () => {
  const names = new Set(testFiles("test").flatMap((file) => namesIn(Deno.readTextFileSync(file))));
  const cited = readRows().flatMap(({ tests }) => tests);
  assert.deepEqual([...new Set(cited)].filter((name) => !names.has(name)), []);
});

Deno.test("specification.md names declarations that exist in the service", () => {
  const cited = readRows().flatMap(({ declarations }) => declarations);
  assert.ok(cited.length > 100);
  const absent = cited.filter(({ name, file }) =>
    !/^(src|sql)\//.test(file) || !declares(Deno.readTextFileSync(file), name)
  );
  assert.deepEqual(absent, []);
});

Deno.test("declares() finds declarations of TypeScript and SQL, but not uses", () => {
  for (
    const [text, expected] of [
      ["export async function unit(", true],
      ["const unit = 1;", true],
      ["export interface unit {", true],
      ["create or replace function unit(", true],
      ["  constraint unit unique (id),", true],
      ["const units = 1;", false],
      ["  return unit(1);", false],
      ["// function unit", false],
      ["select unit from plans", false],
    ] as const
  ) assert.equal(declares(text, "unit"), expected, text);
});

/** Returns whether a source declares a name at its top level, or as a constraint of a table. */
function declares(text: string, name: string): boolean {
  return [
    `^(?:export )?(?:async )?(?:const|function\\*?|class|interface|type) ${name}\\b`,
    `^create (?:or replace )?(?:function|view|table|type) ${name}\\b`,
    `^  constraint ${name}\\b`,
  ].some((pattern) => new RegExp(pattern, "m").test(text));
}

/** Returns the names of all registered tests: first arguments of calls, and values of CLAIM. */
function namesIn(text: string): string[] {
  const calls = /(?:\b(?:Deno\.test|\w+Test)\(\s*|^const CLAIM = )"((?:[^"\\]|\\.)*)"/gm;
  return [...text.matchAll(calls)].map(([, name]) => JSON.parse(`"${name}"`));
}

function testFiles(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? testFiles(`${directory}/${name}`)
      : name.endsWith("_test.ts")
      ? [`${directory}/${name}`]
      : []
  );
}
