/** The tasks of deno.json with their permissions, on a directory that any user may list. */
import assert from "node:assert/strict";
import { serverTest } from "./support/database.ts";
import { createCaller, record } from "./support/factories.ts";
import { type Service, startService, WORKING } from "./support/service.ts";
import { eventually } from "./support/waiting.ts";

const RECORD = {
  source: "acme-feed",
  external_id: "a-17",
  company: { name: "Northwind Foods", domains: ["northwind.example"] },
  kind: "facility_expansion",
  observed_fact: "A freezer warehouse opens.",
  why_it_may_matter: "It needs racks.",
  demand_class: "proxy",
  country: "CA",
  confidence: 0.8,
  occurred_at: "2026-03-01T00:00:00Z",
  observed_at: "2026-03-02T09:00:00Z",
  expires_at: null,
  categories: ["31-33"],
  evidence: [{
    source_uri: "https://northwind.example/news",
    excerpt: "A freezer warehouse opens.",
    occurred_at: "2026-03-01T00:00:00Z",
    observed_at: "2026-03-02T09:00:00Z",
  }],
};

const COUNTS = {
  read: 2,
  recorded: 1,
  revised: 0,
  unchanged: 0,
  rejected: 1,
  left_out: 0,
  excerpts_cut: 0,
  doubtful: 0,
};

async function withDirectory(body: (directory: string) => Promise<void>): Promise<void> {
  const directory = Deno.makeTempDirSync({ prefix: "ce task " });
  Deno.chmodSync(directory, 0o755);
  try {
    await body(directory);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

async function runTask(args: string[], env: Record<string, string>, input?: string) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    env,
    stdin: input === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  if (input !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
  }
  const { code, stdout, stderr } = await child.output();
  const text = new TextDecoder();
  return { code, stdout: text.decode(stdout), stderr: text.decode(stderr) };
}

/**
 * Ingests a valid and an invalid record with the task. Returns the path of the rejected records.
 */
async function ingestFile(directory: string, env: Record<string, string>): Promise<string> {
  const file = `${directory}/new records.ndjson`;
  Deno.writeTextFileSync(file, `${JSON.stringify(RECORD)}\n{}\n`);
  const { code, stdout, stderr } = await runTask(["ingest", file], env);
  assert.deepEqual([code, stdout && JSON.parse(stdout)], [1, COUNTS], stderr);
  return `${file}.rejected.ndjson`;
}

function isPrivate(path: string): boolean {
  const { mode, isDirectory } = Deno.lstatSync(path);
  return (mode! & 0o077) === 0 && (!isDirectory ||
    [...Deno.readDirSync(path)].every(({ name }) => isPrivate(`${path}/${name}`)));
}

async function status({ url }: Service, path: string, key: string): Promise<number> {
  const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
  await response.body?.cancel();
  return response.status;
}

/**
 * Checks that a first start prints the file of the key, its address and the page to try next, in at
 * most 15 lines with those of the runtime.
 */
function assertFirstLines({ stderr, url }: Service, DATA_DIR: string): void {
  const lines = stderr.trimEnd().split("\n");
  assert.ok(lines.length <= 15, stderr);
  // On a slow machine, a line every ten seconds tells the progress of the build.
  const messages = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line))
    .filter(({ message }) => message !== "building the index");
  assert.deepEqual(messages.map(({ message }) => message), [
    "creating the database",
    "recording the demo data",
    "demo data is in; its key is in a file",
    `listening on ${url}`,
  ]);
  assert.deepEqual([messages[2].file, messages[3].try], [`${DATA_DIR}/demo_key`, `${url}/`]);
}

Deno.test("start, ingest and admin work on an embedded database, and keep it private", () =>
  withDirectory(async (directory) => {
    const DATA_DIR = `${directory}/data`;
    Deno.mkdirSync(DATA_DIR);
    Deno.chmodSync(DATA_DIR, 0o755);
    await using service = await startService({ env: { DATA_DIR }, task: true });
    assertFirstLines(service, DATA_DIR);
    const key = Deno.readTextFileSync(`${DATA_DIR}/demo_key`).trim();
    assert.equal(await status(service, "/api/usage", key), 200);
    assert.equal(await status(service, "/docs", key), 200);
    // Both commands reach the database of the service through its socket.
    const rejected = await ingestFile(directory, { DATA_DIR });
    const verified = await runTask(["admin", "usage", "verify"], { DATA_DIR });
    assert.equal(verified.code, 0, verified.stderr);
    assert.ok(isPrivate(DATA_DIR));
    assert.ok(isPrivate(rejected));
    assert.ok(!service.stderr.includes("NotCapable"), service.stderr);
    await service.stop();
    // Without the service, a command opens the database itself.
    const input = JSON.stringify(RECORD);
    const again = await runTask(["ingest", "-"], { DATA_DIR }, input);
    assert.equal(JSON.parse(again.stdout).unchanged, 1, again.stderr);
    assert.ok(isPrivate(DATA_DIR));
  }));

serverTest(
  "start, work, ingest and admin work on a server",
  ({ sql, url: DATABASE_URL }) =>
    withDirectory(async (directory) => {
      const env = { DATABASE_URL, DATA_DIR: `${directory}/data` };
      const { key } = await createCaller(sql);
      await record(sql, [{ observed_fact: "A cold store." }]);
      await sql`
        insert into sources (name, permitted, asked_in_searches) values ('gleif', true, true)
        on conflict (name) do update set permitted = true, asked_in_searches = true
      `;
      await using service = await startService({ env, task: true });
      await using worker = await startService({
        env: { ...env, FETCH_CONTACT: "office@op.example" },
        args: ["work"],
        ready: WORKING,
        task: true,
      });
      assert.equal(await status(service, "/api/usage", key), 200);
      assert.ok(isPrivate(await ingestFile(directory, env)));
      const verified = await runTask(["admin", "usage", "verify"], env);
      assert.equal(verified.code, 0, verified.stderr);
      // Only the worker may connect to sources.
      const warning = "sources are set up, but this process has no permission to reach them";
      await eventually("a warning", () => Promise.resolve(service.stderr.includes(warning)));
      assert.ok(!worker.stderr.includes(warning));
      await worker.stop();
      await service.stop();
      for (const { stderr } of [service, worker]) assert.ok(!stderr.includes("NotCapable"), stderr);
    }),
);

Deno.test("the task openapi needs no permission", async () => {
  const { code, stdout, stderr } = await runTask(["openapi"], {});
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(JSON.parse(stdout).openapi, "3.1.0");
});

Deno.test("the task quality reports on files without a database", () =>
  withDirectory(async (directory) => {
    const file = `${directory}/new records.ndjson`;
    Deno.writeTextFileSync(file, `${JSON.stringify(RECORD)}\n{}\n`);
    const DATABASE_URL = "postgres://nobody@127.0.0.1:9/none";
    const { code, stdout, stderr } = await runTask(["quality", "--json", file], { DATABASE_URL });
    assert.equal(code, 1, stderr);
    const { read, accepted, rejected } = JSON.parse(stdout);
    assert.deepEqual([read, accepted, rejected, stderr], [2, 1, 1, ""]);
    assert.deepEqual([...Deno.readDirSync(directory)].map(({ name }) => name), [
      "new records.ndjson",
    ]);
    const refused = await runTask(["quality", "a,b"], {});
    assert.equal(refused.stderr, "A path must not contain a comma: a,b\n");
  }));
