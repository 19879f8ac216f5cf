/** The packages of the service and of the tests, and the effects of their installation. */
import assert from "node:assert/strict";

interface Lock {
  npm: Record<string, { scripts?: boolean; dependencies?: string[]; integrity?: string }>;
}

interface Config {
  nodeModulesDir: string;
  tasks: Record<string, { command: string }>;
  imports: Record<string, string>;
}

/** Folders with a lock file: the service, and the tests and benches. */
const FOLDERS = [".", "test"];

const SERVICE: Config = readJson("deno.json");
const TESTS: Config = readJson("test/deno.json");

function readJson<Value>(path: string): Value {
  return JSON.parse(Deno.readTextFileSync(path));
}

function lockedPackages(folder: string): Lock["npm"] {
  return readJson<Lock>(`${folder}/deno.lock`).npm;
}

Deno.test("no package runs a script during its installation", () => {
  for (const folder of FOLDERS) {
    const npm = lockedPackages(folder);
    // The runtime refuses such scripts and prints a boxed warning at the first start.
    assert.deepEqual(Object.keys(npm).filter((name) => npm[name]!.scripts), []);
  }
});

Deno.test("the service installs the packages that it imports, and no others", () => {
  const imported = new Set(
    ["main.ts", ...modulesUnder("src")].flatMap((path) => {
      const text = Deno.readTextFileSync(path);
      return [...text.matchAll(/(?:^(?:import|export|\}).*? from |await import\()"([^".][^"]*)"/gm)]
        .map((match) => match[1]!);
    }).filter((name) => !name.startsWith("node:"))
      .map((name) => name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/")),
  );
  // Declarations of types have no import of their own, and no code.
  const packages = Object.keys(SERVICE.imports).filter((name) => !name.startsWith("@types/"));
  assert.deepEqual(packages.sort(), [...imported].sort());
});

Deno.test("tests and benches run on the same packages as the service", () => {
  for (const [name, version] of Object.entries(SERVICE.imports)) {
    assert.equal(TESTS.imports[name], version);
  }
  const [shipped, tested] = FOLDERS.map(lockedPackages) as [Lock["npm"], Lock["npm"]];
  for (const [name, { integrity }] of Object.entries(shipped)) {
    assert.equal(tested[name]?.integrity, integrity, name);
  }
});

Deno.test("`deno task start` installs no packages before it runs the service", () => {
  // `deno task` first installs all packages, and prints a line for each, in two cases: if the
  // runtime manages the packages, or if there is a package.json.
  const names = [...Deno.readDirSync(".")].map(({ name }) => name);
  assert.ok(!names.includes("package.json"));
  assert.equal(SERVICE.nodeModulesDir, "manual");
  assert.match(SERVICE.tasks.start!.command, /^deno run --quiet --node-modules-dir=auto /);
});

function modulesUnder(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? modulesUnder(`${directory}/${name}`)
      : name.endsWith(".ts")
      ? [`${directory}/${name}`]
      : []
  );
}
