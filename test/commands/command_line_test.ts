/** What a command does before it does anything: help, versions, and a look at its directory. */
import assert from "node:assert/strict";
import { runCommand } from "../support/command.ts";
import { readDemoKey, withDataDir } from "../support/data_dir.ts";
import { startService } from "../support/service.ts";

Deno.test("a mistyped DATA_DIR makes no database, and --create makes one without a demo", async () => {
  await withDataDir(async (directory) => {
    const DATA_DIR = `${directory}/mistyped`;
    const file = `${directory}/records.ndjson`;
    await Deno.writeTextFile(file, "");
    for (const args of [["admin", "plan", "list"], ["ingest", file], ["work"]]) {
      const { code, stdout, stderr } = await runCommand(args, { DATA_DIR });
      assert.deepEqual([code, stdout], [1, ""]);
      assert.match(stderr, /There is no database in \S+mistyped\. Is DATA_DIR right\?/);
      await assert.rejects(Deno.stat(DATA_DIR), Deno.errors.NotFound);
    }
    const made = await runCommand(["admin", "account", "list", "--create"], { DATA_DIR });
    assert.deepEqual([made.code, made.stdout], [0, '{"accounts":[]}\n'], made.stderr);
    const backup = `${directory}/backup`;
    const written = await runCommand(["backup", backup], { DATA_DIR });
    assert.deepEqual([written.code, written.stderr], [0, ""]);
    const restored = await runCommand(["restore", backup], { DATA_DIR: `${directory}/new` });
    assert.deepEqual([restored.code, restored.stderr], [0, ""]);
    assert.deepEqual(JSON.parse(restored.stdout).differences, []);
    // The first start of a service, though not of the directory.
    await using service = await startService({ env: { DATA_DIR } });
    await assert.rejects(readDemoKey(DATA_DIR), Deno.errors.NotFound);
    const accounts = await runCommand(["admin", "account", "list"], { DATA_DIR });
    assert.equal(accounts.stdout, '{"accounts":[]}\n', accounts.stderr);
    await service.stop();
  });
});

Deno.test("help and version need no settings", async () => {
  const wrong = { PORT: "eighty" };
  for (const args of [["--help"], ["start", "--help"], ["admin", "--help"], ["ingest", "--help"]]) {
    const { code, stdout, stderr } = await runCommand(args, args[0] === "admin" ? {} : wrong);
    assert.deepEqual([code, stderr], [0, ""], args.join(" "));
    assert.ok(stdout.includes(args[0] === "--help" ? "admin key create" : args[0]!));
  }
  const { code, stdout } = await runCommand(["version"], wrong);
  assert.equal(code, 0);
  assert.deepEqual(Object.keys(JSON.parse(stdout)), ["version", "deno", "migration"]);
});
