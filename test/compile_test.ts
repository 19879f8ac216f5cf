/** The content of a compiled binary. */
import assert from "node:assert/strict";
import { relative, resolve } from "node:path";
import { PAGES } from "../src/http/pages.ts";
import { startService } from "./support/service.ts";

const { compile } = JSON.parse(Deno.readTextFileSync("deno.json")).tasks;
const COMMAND: string = compile.command;

/** Pattern of a file of a package in node_modules. The group captures the package's name. */
const PACKAGED = /^node_modules\/(?:\.deno\/[^/]+\/node_modules\/)?((?:@[^/]+\/)?[^/]+)\/./;

/**
 * Returns the modules and packages that the compiler embeds: main.ts, the included files, and all
 * that they import.
 */
async function embedded(): Promise<{ modules: Set<string>; packages: Set<string> }> {
  const included = [...COMMAND.matchAll(/--include[= ](\S+)/g)].map(([, path]) => path!);
  const modules = new Set(included);
  const packages = new Set<string>();
  for (const entry of ["main.ts", ...included.filter((path) => path.endsWith(".ts"))]) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", "--node-modules-dir=auto", entry],
      stderr: "null",
    }).output();
    const graph = JSON.parse(new TextDecoder().decode(stdout));
    for (const { local } of graph.modules) {
      if (local !== undefined) modules.add(relative(Deno.cwd(), local));
    }
    for (const { name } of Object.values<{ name: string }>(graph.npmPackages)) packages.add(name);
  }
  return { modules, packages };
}

/** Returns the paths in the repository that a service reads for its first start and its pages. */
async function pathsRead(): Promise<Set<string>> {
  const directory = Deno.makeTempDirSync({ prefix: "ce-reads-" });
  try {
    const DENO_AUDIT_PERMISSIONS = `${directory}/audit.jsonl`;
    const DATA_DIR = `${directory}/data`;
    await using service = await startService({
      env: { DATA_DIR, DEMO: "off", DENO_AUDIT_PERMISSIONS },
    });
    for (const path of PAGES.keys()) await (await fetch(service.url + path)).arrayBuffer();
    await service.stop();
    const entries = Deno.readTextFileSync(DENO_AUDIT_PERMISSIONS).trimEnd().split("\n")
      .map((line): { permission: string; value: string } => JSON.parse(line));
    return new Set(
      entries.filter(({ permission }) => permission === "read")
        .map(({ value }) => resolve(value.replace(/^file:\/\//, "")))
        .filter((path) => path.startsWith(`${Deno.cwd()}/`))
        .map((path) => relative(Deno.cwd(), path)),
    );
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

Deno.test("a binary embeds every file that the program reads by its path", async () => {
  const { modules, packages } = await embedded();
  assert.ok(modules.has("src/search/index_worker.ts"));
  const read = await pathsRead();
  const isEmbedded = (path: string) => {
    const [, name] = PACKAGED.exec(path) ?? [];
    if (name !== undefined) return packages.has(name);
    return [...modules].some((one) => path === one || path.startsWith(`${one}/`));
  };
  assert.deepEqual([...read].filter((path) => !isEmbedded(path)), []);
  // The service certainly reads these files, so a trace without them is incomplete.
  for (const name of ["pglite.wasm", "pglite.data", "pgmq.tar.gz", "prepopulatedfs.tgz"]) {
    assert.ok([...read].some((path) => path.endsWith(`/${name}`)), `${name}: ${[...read]}`);
  }
  assert.ok(!isEmbedded("deploy/nginx.conf") && !isEmbedded("node_modules/ajv/ajv.js"));
});
