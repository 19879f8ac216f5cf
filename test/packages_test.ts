/** What installing the packages does to the machine that installs them. */
import assert from "node:assert/strict";

interface Lock {
  npm: Record<string, { scripts?: boolean; dependencies?: string[] }>;
}

Deno.test("no package wants to run a script of its own when it is installed", () => {
  const { npm }: Lock = JSON.parse(Deno.readTextFileSync("deno.lock"));
  // The runtime refuses such scripts and prints a boxed warning at the first start.
  assert.deepEqual(Object.keys(npm).filter((name) => npm[name]!.scripts), []);
});

Deno.test("the reference renderer's telemetry is replaced by a package that is there anyway", () => {
  const { npm }: Lock = JSON.parse(Deno.readTextFileSync("deno.lock"));
  assert.deepEqual(Object.keys(npm).filter((name) => name.startsWith("@scarf/")), []);
  const { overrides } = JSON.parse(Deno.readTextFileSync("package.json"));
  const { imports } = JSON.parse(Deno.readTextFileSync("deno.json"));
  assert.equal(overrides["@scarf/scarf"], imports["fflate"]);
});
