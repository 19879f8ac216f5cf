/** The first steps of every command: help, versions, settings and the data directory. */
import assert from "node:assert/strict";
import { runCommand } from "../support/command.ts";
import { readDemoKey, withDataDir } from "../support/data_dir.ts";
import { serverTest } from "../support/database.ts";
import { startService } from "../support/service.ts";

Deno.test("a mistyped DATA_DIR creates no database, but --create creates one without a demo", async () => {
  await withDataDir(async (directory) => {
    const DATA_DIR = `${directory}/mistyped`;
    const file = `${directory}/records.ndjson`;
    await Deno.writeTextFile(file, "");
    for (const args of [["admin", "plan", "list"], ["ingest", file], ["work"]]) {
      const { code, stdout, stderr } = await runCommand(args, { DATA_DIR });
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /There is no database in \S+mistyped\. Is DATA_DIR correct\?/);
      await assert.rejects(Deno.stat(DATA_DIR), Deno.errors.NotFound);
    }
    const made = await runCommand(["admin", "account", "list", "--create"], { DATA_DIR });
    assert.deepEqual([made.code, made.stdout], [0, '{"accounts":[]}\n'], made.stderr);
    // This first start of a service creates no demo, because the directory has a database already.
    await using service = await startService({ env: { DATA_DIR } });
    await assert.rejects(readDemoKey(DATA_DIR), Deno.errors.NotFound);
    const accounts = await runCommand(["admin", "account", "list"], { DATA_DIR });
    assert.equal(accounts.stdout, '{"accounts":[]}\n', accounts.stderr);
    await service.stop();
  });
});

Deno.test("help and version need no settings", async () => {
  const wrong = { PORT: "eighty" };
  const words = [[], ["admin", "key"], ["admin", "key", "list"]];
  for (const args of words.map((words) => [...words, "--help"])) {
    const { code, stdout, stderr } = await runCommand(args, wrong);
    assert.deepEqual([code, stderr], [0, ""], args.join(" "));
    assert.ok(stdout.includes(args[0] === "--help" ? "admin key create" : args[0]!));
  }
  const asked = await runCommand(["backup", "--help"], wrong);
  assert.match(asked.stdout, /^backup FILE\nWrites the embedded database to a new file/);
  const { code, stdout } = await runCommand(["version"], wrong);
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(JSON.parse(stdout)), ["version", "deno", "migration"]);
});

Deno.test("a mistyped command is named, and exits with the code of wrong usage", async () => {
  const cases: [string[], RegExp][] = [
    [["acount"], /^there is no command acount\nstart\n/],
    [["admin", "acount", "list"], /^there is no command admin acount list\nadmin customer add/],
    [["admin", "acount", "--help"], /^there is no command admin acount\nadmin customer add/],
    [["start", "now"], /"reason":"start takes no arguments: now\\nstart\\n/],
    [["openapi", "--yaml"], /^openapi takes no arguments: --yaml\n/],
    [["admin"], /^admin customer add/],
    [["ask", "x", "--limit", "-5"], /^--limit: a whole number of 1 to \d+ is required/],
    [["ingest"], /ingest/],
  ];
  for (const [args, expected] of cases) {
    const { code, stdout, stderr } = await runCommand(args, {});
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, expected);
  }
});

serverTest("a port in use is named, with its setting", async ({ url: DATABASE_URL }) => {
  using taken = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const PORT = `${(taken.addr as Deno.NetAddr).port}`;
  await withDataDir(async (directory) => {
    const DATA_DIR = `${directory}/data`;
    const cases: Record<string, Record<string, string>> = {
      PORT: { PORT, DATA_DIR },
      METRICS_PORT: { PORT: "0", METRICS_PORT: PORT, DATABASE_URL },
    };
    for (const [setting, env] of Object.entries(cases)) {
      const { code, stderr } = await runCommand(["start"], env);
      assert.equal(code, 1, stderr);
      const reason = `Cannot listen at 127.0.0.1:${PORT}. Is ${setting} right? (Address already`;
      assert.ok(stderr.includes(reason), stderr);
    }
    // PORT is checked before anything is built.
    await assert.rejects(Deno.stat(DATA_DIR), Deno.errors.NotFound);
  });
});

Deno.test("doctor prints a finding, or JSON, even if a setting is invalid", async () => {
  const { code, stdout, stderr } = await runCommand(["doctor", "--json"], { DATABASE_URL: "x" });
  assert.deepEqual([code, stderr], [1, ""]);
  const { findings: [finding], faults } = JSON.parse(stdout);
  assert.equal(faults, 1);
  assert.deepEqual([finding.check, finding.level], ["settings", "fault"]);
  assert.match(finding.message, /^setting DATABASE_URL: an address such as postgres:\/\//);
  const text = await runCommand(["doctor"], { PORT: "x" });
  assert.match(text.stdout, /^fault +settings +setting PORT: .*\n +Change the setting/);
});
