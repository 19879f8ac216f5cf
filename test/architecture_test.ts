/** Rules for imports between folders, for names of files, and for their sizes. */
import assert from "node:assert/strict";
import { blocksOf } from "./support/markdown.ts";
import { linesOf, read, sourcesUnder } from "./support/sources.ts";

const SOURCES = [...sourcesUnder("src"), "main.ts"];

/** Folders and files of src/, lowest layer first. A layer imports from itself and lower ones. */
const LAYERS: readonly (readonly string[])[] = [
  [
    ...["contract", "failures.ts", "log.ts", "memoized.ts", "metrics.ts", "repeat.ts"],
    ...["retry_after.ts", "slices.ts", "terminal.ts", "tracing.ts"],
  ],
  ["db", "config.ts"],
  ["accounts"],
  ["operations"],
  ["search", "dataset", "ingest"],
  ["demo"],
  ["actions.ts", "doors", "console"],
  ["http", "mcp"],
  ["app.ts", "gauges.ts"],
  ["commands"],
  ["main.ts"],
];

/** Modules that only some files may import at run time. All files may import their types. */
const RESERVED: readonly { module: RegExp; allowed: RegExp }[] = [
  { module: /^pg$|^pg-connection-string$|^@electric-sql\//, allowed: /^src\/db\// },
  { module: /^@opentelemetry\//, allowed: /^src\/tracing\.ts$/ },
  {
    module: /^@orama\/stopwords\//,
    allowed: /^src\/search\/words\//,
  },
  { module: /^@orama\//, allowed: /^src\/search\/orama_plugin\.ts$/ },
];

const FORBIDDEN_NAMES = /(^|\/)(index|util|utils|helper|helpers|common|shared|misc|types)\.ts$/;
const LINES_MAX = 300;
/** Max number of lines of a file that one class fills, so that the class need not be divided. */
const CLASS_LINES_MAX = 600;

interface Import {
  file: string;
  specifier: string;
  type_only: boolean;
}

Deno.test("files import only from their own layer and lower ones", () => {
  const breaches = importsOf(SOURCES).flatMap(({ file, specifier }) => {
    const target = resolve(file, specifier);
    if (target === undefined || !target.endsWith(".ts")) return [];
    return layerOf(target) > layerOf(file) ? [`${file} imports ${target}`] : [];
  });
  assert.deepEqual(breaches, []);
});

Deno.test("ARCHITECTURE.md shows these layers, highest first", () => {
  const [picture] = blocksOf("ARCHITECTURE.md", "layers");
  const lines = picture!.trimEnd().split("\n").map((line) => line.split(" "));
  assert.deepEqual(lines.map((line) => line.toSorted()), [
    ...LAYERS.toReversed().map((layer) => layer.toSorted()),
  ]);
});

Deno.test("the two doors never import each other", () => {
  const breaches = importsOf(SOURCES).flatMap(({ file, specifier }) => {
    const doors = [topFolderOf(file), topFolderOf(resolve(file, specifier) ?? "")];
    return doors.includes("http") && doors.includes("mcp") ? [`${file}: ${specifier}`] : [];
  });
  assert.deepEqual(breaches, []);
});

Deno.test("each driver and engine is imported in one place", () => {
  const breaches = importsOf(SOURCES).flatMap(({ file, specifier, type_only }) => {
    const rule = RESERVED.find(({ module }) => module.test(specifier));
    return rule && !type_only && !rule.allowed.test(file) ? [`${file} imports ${specifier}`] : [];
  });
  assert.deepEqual(breaches, []);
});

Deno.test("no files import each other in a circle, and in src/db not even types", () => {
  const edges = importsOf(SOURCES).flatMap((one) => {
    const target = resolve(one.file, one.specifier);
    const counts = !one.type_only || topFolderOf(one.file) === "db";
    return target !== undefined && counts ? [{ file: one.file, target }] : [];
  });
  assert.deepEqual(circleOf(edges), []);
});

for (const parent of ["ingest", "search"]) {
  Deno.test(`the folders of src/${parent} do not import each other in a circle`, () => {
    const edges = importsOf(SOURCES).flatMap(({ file, specifier }) => {
      const [from, to] = [file, resolve(file, specifier) ?? ""].map((one) => folderOf(parent, one));
      return from && to && from !== to ? [{ file: from, target: to }] : [];
    });
    assert.ok(edges.length > 100);
    assert.deepEqual(circleOf(edges), []);
  });
}

Deno.test("a source imports the kit of sources, but no other source", () => {
  const breaches = importsOf(SOURCES).flatMap(({ file, specifier }) => {
    const [from, to] = [file, resolve(file, specifier) ?? ""]
      .map((one) => one.match(/^src\/ingest\/sources\/(\w+)\//)?.[1]);
    return from && to && to !== "kit" && from !== to ? [`${file} imports ${specifier}`] : [];
  });
  assert.deepEqual(breaches, []);
});

/**
 * Returns the subfolder of src/`parent` that contains a file; "." if the file is directly in that
 * folder, undefined if it is outside of it.
 */
function folderOf(parent: string, file: string): string | undefined {
  const [, folder] = file.match(new RegExp(`^src/${parent}/(?:(\\w+)/)?`)) ?? [, null];
  return folder === null ? undefined : folder ?? ".";
}

Deno.test("no files of src/search import each other in a circle, including types", () => {
  const edges = importsOf(SOURCES).flatMap(({ file, specifier }) => {
    const target = resolve(file, specifier);
    return target?.startsWith("src/search/") ? [{ file, target }] : [];
  });
  assert.deepEqual(circleOf(edges), []);
});

Deno.test("circleOf() finds a circle that is reached by files outside of it", () => {
  const edges = [["a", "b"], ["b", "c"], ["a", "d"], ["d", "c"], ["c", "e"]]
    .map(([file, target]) => ({ file: file!, target: target! }));
  assert.deepEqual(circleOf(edges), []);
  assert.deepEqual(circleOf([...edges, { file: "e", target: "b" }]), ["b", "c", "e", "b"]);
  assert.deepEqual(circleOf([...edges, { file: "d", target: "d" }]), ["d", "d"]);
});

interface Edge {
  file: string;
  target: string;
}

/**
 * Returns a circle of files, each of which imports the next one. The first and the last are equal.
 */
function circleOf(edges: readonly Edge[]): string[] {
  const targets = Map.groupBy(edges, ({ file }) => file);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (done.has(file)) return [];
    for (const { target } of targets.get(file) ?? []) {
      const circle = visit(target, [...path, file]);
      if (circle.length > 0) return circle;
    }
    done.add(file);
    return [];
  };
  for (const file of targets.keys()) {
    const circle = visit(file, []);
    if (circle.length > 0) return circle;
  }
  return [];
}

/** Files that may read the environment. The third one computes the permissions of main.ts. */
const ENVIRONMENT_READERS = ["main.ts", "src/config.ts", "src/commands/permissions.ts"];

/** Files that may write to standard output or error. The second one prints a flag for a shell. */
const WRITERS = ["src/terminal.ts", "src/commands/permissions.ts"];

Deno.test("only terminal.ts writes to standard output and standard error", () => {
  const writer =
    /\bconsole\.(?:log|error|warn|info|debug)\(|\bDeno\.std(?:out|err)\b(?!\.isTerminal\()|\bprocess\.std/;
  const writing = [...SOURCES, ...sourcesUnder("client")]
    .filter((file) => !WRITERS.includes(file) && writer.test(read(file)));
  assert.deepEqual(writing, []);
});

Deno.test("only main.ts, config.ts and permissions.ts read the environment", () => {
  const readers = SOURCES.filter((file) => /\bDeno\.env\b|\bprocess\.env\b/.test(read(file)));
  assert.deepEqual(readers.filter((file) => !ENVIRONMENT_READERS.includes(file)), []);
});

Deno.test("every file belongs to a layer", () => {
  assert.deepEqual(SOURCES.filter((file) => layerOf(file) < 0), []);
});

Deno.test("names of files are specific, and in snake_case", () => {
  const files = [...SOURCES, ...sourcesUnder("test"), ...sourcesUnder("bench")];
  const breaches = files.filter((file) =>
    FORBIDDEN_NAMES.test(file) || !/^([a-z0-9_]+\/)*[a-z0-9_]+\.ts$/.test(file)
  );
  assert.deepEqual(breaches, []);
});

Deno.test("files have fewer than 300 lines, or 600 if a class fills them", () => {
  const files = [...SOURCES, ...sourcesUnder("test"), ...sourcesUnder("bench")];
  const long = files
    .map((file) => ({ file, text: read(file) }))
    .map(({ file, text }) => ({ file, lines: linesOf(text), max: maxLinesOf(text) }))
    .filter(({ lines, max }) => lines >= max);
  assert.deepEqual(long, []);
});

/**
 * Returns the max number of lines of a file. A class fills a file if it is the only class in it and
 * has at least 2/3 of its lines.
 */
function maxLinesOf(text: string): number {
  const classes = [...text.matchAll(/^(?:export )?class .*?^\}$/gms)];
  const isFilled = classes.length === 1 && 3 * linesOf(classes[0]![0]) >= 2 * linesOf(text);
  return isFilled ? CLASS_LINES_MAX : LINES_MAX;
}

Deno.test("parseImports() reads every form of import", () => {
  const text = `
    import a from "./a.ts";
    import { b, type C } from "./b.ts";
    import type { D } from "./d.ts";
    import {
      type E,
      type F,
    } from "./e.ts";
    export { g } from "./g.ts";
    export type { H } from "./h.ts";
    import "./i.ts";
    const j = await import("./j.ts");
  `;
  assert.deepEqual(
    parseImports(text).map(({ specifier, type_only }) => [specifier, type_only]),
    [
      ["./a.ts", false],
      ["./b.ts", false],
      ["./d.ts", true],
      ["./e.ts", true],
      ["./g.ts", false],
      ["./h.ts", true],
      ["./i.ts", false],
      ["./j.ts", false],
    ],
  );
});

function importsOf(files: readonly string[]): Import[] {
  return files.flatMap((file) => parseImports(read(file)).map((parsed) => ({ file, ...parsed })));
}

function parseImports(text: string): Omit<Import, "file">[] {
  const statement =
    /^\s*(?:import|export)\s+(type\s+)?([^;"']*?\bfrom\s+)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm;
  return [...text.matchAll(statement)].map(([, type, clause, specifier, dynamic]) => ({
    specifier: specifier ?? dynamic!,
    type_only: type !== undefined || onlyTypes(clause),
  }));
}

/** Returns whether every name between the braces has its own `type`. */
function onlyTypes(clause: string | undefined): boolean {
  const names = clause?.match(/^\{([^}]*)\}\s*from\s+$/)?.[1]?.split(",").map((name) => name.trim())
    .filter((name) => name !== "");
  return names !== undefined && names.every((name) => name.startsWith("type "));
}

/** Returns the path, from the root, of a relative import. */
function resolve(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return;
  return new URL(specifier, `file:///${file}`).pathname.slice(1);
}

/** Returns the folder of src/ that contains a file, or the file itself if it is in none. */
function topFolderOf(file: string): string {
  return file.replace(/^src\//, "").split("/")[0]!;
}

function layerOf(file: string): number {
  return LAYERS.findIndex((layer) => layer.includes(topFolderOf(file)));
}
