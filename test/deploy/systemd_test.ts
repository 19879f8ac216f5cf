/** Tests that the systemd unit of deploy/ names existing files, and that its exposure is low. */
import assert from "node:assert/strict";
import { readSettings, SETTING_NAMES } from "../../src/config.ts";
import { findSystemdAnalyze } from "../support/systemd.ts";

const FILE = "deploy/company-evidence.service";
const TEXT = Deno.readTextFileSync(FILE);

/** Max seconds of a stop, as documented in docs/growth.md. */
const STOP_SECONDS = 15;
/** Max exposure that systemd may find, in tenths, where 0 is the best and 100 is the worst. */
const EXPOSURE_MAX = 15;

/** Directives that restrict the unit. */
const CLOSED: Record<string, string> = {
  CapabilityBoundingSet: "",
  KillMode: "mixed",
  NoNewPrivileges: "yes",
  PrivateDevices: "yes",
  PrivateTmp: "yes",
  ProtectHome: "yes",
  ProtectSystem: "strict",
  RestrictAddressFamilies: "AF_INET AF_INET6 AF_UNIX",
  StateDirectoryMode: "0700",
  UMask: "0077",
};

/** Reads the values of each directive, which may be repeated. */
function readUnit(): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const line of TEXT.split("\n").filter((text) => !/^(#|\[|$)/.test(text))) {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line)!;
    values.set(name!, [...values.get(name!) ?? [], value!]);
  }
  return values;
}

Deno.test("the unit runs the task as a user without rights, in separate directories", () => {
  const unit = readUnit();
  for (const [name, value] of Object.entries(CLOSED)) {
    assert.deepEqual(unit.get(name), [value], name);
  }
  const [program, ...args] = unit.get("ExecStart")![0]!.split(" ");
  assert.deepEqual([program, ...args], ["/usr/local/bin/deno", "task", "start"]);
  assert.ok(JSON.parse(Deno.readTextFileSync("deno.json")).tasks[args[1]!]);
  assert.deepEqual([unit.get("User"), unit.get("Group")], [["company-evidence"], [
    "company-evidence",
  ]]);
  assert.ok(Number(unit.get("TimeoutStopSec")) > STOP_SECONDS);
  const environment = Object.fromEntries(
    unit.get("Environment")!.map((pair) => pair.split("=") as [string, string]),
  );
  for (const name of Object.keys(environment)) {
    assert.ok(SETTING_NAMES.includes(name) || name.startsWith("DENO_"), name);
  }
  assert.equal(readSettings(environment).DATA_DIR, `/var/lib/${unit.get("StateDirectory")}`);
  assert.equal(environment.DENO_DIR, `/var/cache/${unit.get("CacheDirectory")}`);
  // MemoryDenyWriteExecute would forbid V8 to compile JavaScript to machine code.
  assert.ok(!unit.has("MemoryDenyWriteExecute"));
  const [manual] = unit.get("Documentation")!;
  const root = `file://${unit.get("WorkingDirectory")}/`;
  assert.ok(manual!.startsWith(root) && Deno.statSync(manual!.slice(root.length)));
});

const analyze = findSystemdAnalyze();

/** Runs a check of systemd on the text of a unit. Returns its exit code and output. */
async function check(text: string, args: string[]): Promise<{ code: number; printed: string }> {
  const directory = Deno.makeTempDirSync({ prefix: "ce-unit-" });
  try {
    const file = `${directory}/company-evidence.service`;
    // The check requires a program that exists.
    Deno.writeTextFileSync(file, text.replace("/usr/local/bin/deno", "/usr/bin/env"));
    const { code, stdout, stderr } = await new Deno.Command(analyze!, { args: [...args, file] })
      .output();
    const decoder = new TextDecoder();
    return { code, printed: decoder.decode(stdout) + decoder.decode(stderr) };
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

Deno.test({
  name: "systemd-analyze verify finds no fault in the unit",
  ignore: analyze === undefined,
  async fn() {
    const args = ["verify", "--man=no", "--recursive-errors=no"];
    assert.deepEqual(await check(TEXT, args), { code: 0, printed: "" });
    const { printed } = await check(TEXT.replace("ProtectSystem=", "ProtectSistem="), args);
    assert.match(printed, /ProtectSistem/);
  },
});

Deno.test({
  name: "systemd-analyze security finds little exposure",
  ignore: analyze === undefined,
  async fn() {
    const args = ["security", "--offline=yes", "--no-pager", `--threshold=${EXPOSURE_MAX}`];
    const { code, printed } = await check(TEXT, args);
    assert.equal(code, 0, printed);
    assert.notEqual((await check(TEXT.replace("User=company-evidence", ""), args)).code, 0);
  },
});
