/**
 * Runs the commands, requests and Python programs of the documentation pages. NOT_RUN lists the
 * commands that are not run here, with the reasons.
 */
import assert from "node:assert/strict";
import { ask } from "../../src/commands/ask.ts";
import { readSettings } from "../../src/config.ts";
import type { Database } from "../../src/db/connect.ts";
import { mergeCompanies } from "../../src/ingest/record/company_merges.ts";
import { runAdmin } from "../support/admin.ts";
import { withApp } from "../support/app.ts";
import { serveApp } from "../support/client_program.ts";
import { type DatabaseCase, embeddedTest } from "../support/database.ts";
import { NOT_RUN } from "../support/documented_commands.ts";
import { runDocumentedIngest } from "../support/documented_files.ts";
import { record, sourceRecord } from "../support/factories.ts";
import { findCurl, findPython } from "../support/interpreters.ts";
import { askingWorld, blocksOf, commandsOf, PAGES, wordsOf } from "../support/markdown.ts";
import { createWorld } from "../support/world.ts";

const ADDRESS = "http://127.0.0.1:8080";
const KEY_FILE = "data/demo_key";

/** Page whose commands test/commands/first_day_test.ts runs. */
const FIRST_DAY = "docs/first_day.md";

/** Environment in which the commands of the pages run. */
interface Environment {
  db: Database;
  /** Address of the service. */
  url: string;
  key: string;
  /** Variables that the commands of a page have set. */
  variables: Record<string, string>;
}

/**
 * Starts a service whose companies, accounts and merges have the ids that the pages use. Then runs
 * `use`.
 */
async function withEnvironment(
  { db, sql }: DatabaseCase,
  use: (environment: Environment) => Promise<void>,
): Promise<void> {
  const world = await createWorld(sql);
  // No query of the pages matches these companies.
  const text = "Moves its office.";
  const evidence = [{ ...sourceRecord().evidence[0]!, excerpt: text }];
  const about = { observed_fact: text, why_it_may_matter: text, evidence };
  const names = Array.from({ length: 30 }, (_, n) => `Company ${n}`);
  const recorded = await record(sql, names.map((name) => ({ company: { name }, ...about })));
  const ids = recorded.map(({ company_id }) => company_id).slice(-8);
  for (let n = 0; n < ids.length; n += 2) {
    await mergeCompanies(sql, { kept: ids[n]!, merged: ids[n + 1]!, reason: "test" });
  }
  await withApp(db, async ({ app }) => {
    await using served = serveApp(app);
    const url = new URL(served.url).origin;
    await use({ db, url, key: world.keys.entitled, variables: {} });
  }, { workers: 1 });
}

if (findCurl() === undefined) {
  Deno.test({ name: "the requests of the pages run by curl", ignore: true, fn() {} });
}

embeddedTest("every command of the pages is run, or is listed with a reason", async (t) => {
  const curl = findCurl();
  const used = new Set<RegExp>();
  let ran = 0;
  await withEnvironment(t, async (environment) => {
    for (const page of PAGES.filter((page) => page !== FIRST_DAY)) {
      environment.variables = { CE_API_KEY: environment.key };
      for (const command of commandsOf(page)) {
        const listed = NOT_RUN.find(([pattern]) => pattern.test(command));
        if (listed !== undefined) {
          used.add(listed[0]);
          continue;
        }
        if (curl === undefined && command.startsWith("curl ")) continue;
        await runCommand(command, { page, ...environment }, curl);
        ran++;
      }
    }
  });
  assert.ok(ran > 30, `${ran} commands`);
  assert.deepEqual(NOT_RUN.filter(([pattern]) => !used.has(pattern)), []);
});

async function runCommand(
  command: string,
  { page, db, url, key, variables }: Environment & { page: string },
  curl: string | undefined,
): Promise<void> {
  const at = `${page}: ${command}`;
  const zipped = /^zcat (\S+) \| /.exec(command);
  const words = wordsOf(
    command.slice(zipped?.[0].length ?? 0).replace(/ > \S+$/, "").replaceAll(ADDRESS, url),
    { variables, files: { [KEY_FILE]: key, [`PATH_OF_THE_CHECKOUT/${KEY_FILE}`]: key } },
  );
  const assignment = /^(\w+)=(.*)$/;
  while (assignment.test(words[0]!)) words.shift();
  // Pages for machines without Deno run Deno by npx.
  if (words[0] === "npx") words.splice(0, 3, "deno");
  const [program, ...args] = words;
  if (program === "export") {
    const [, name, value] = assignment.exec(args[0]!)!;
    variables[name!] = value!;
  } else if (program === "curl") await request(curl!, args, at);
  else if (program === "deno" && args[0] === "task") {
    await runTask(args.slice(1), { db, url, key, at, zipped: zipped?.[1] });
  } else assert.fail(`neither run nor listed: ${at}`);
}

/** Sends a request by curl itself, because curl interprets brackets in an address. */
async function request(curl: string, args: string[], at: string): Promise<void> {
  const { success, stdout } = await new Deno.Command(curl, {
    args: [...args, "-w", "\n%{http_code}"],
  }).output();
  const text = new TextDecoder().decode(stdout);
  assert.ok(success, at);
  assert.match(text, /\n20[02]$/, `${at}\n${text}`);
}

async function runTask(
  [task, ...args]: string[],
  { db, url, key, at, zipped }: Pick<Environment, "db" | "url" | "key"> & {
    at: string;
    /** File that the command unpacks to standard input. */
    zipped?: string;
  },
): Promise<void> {
  const { tasks } = JSON.parse(Deno.readTextFileSync("deno.json"));
  assert.ok(tasks[task!], `there is no such task: ${at}`);
  if (task === "ask") {
    const settings = readSettings({ PORT: new URL(url).port });
    const printed: string[] = [];
    const print = (text: string) => printed.push(text);
    const context = { settings, key, columns: 80, print, say: print };
    assert.equal(await ask(args, context), 0, at);
    assert.match(printed.join("\n"), /Charged: 1 request/, at);
  } else if (task === "admin") {
    const { exit_code, text } = await runAdmin(db, args);
    assert.equal(exit_code, 0, `${at}\n${text}`);
  } else if (task === "ingest") await runDocumentedIngest(args, { db, zipped });
  else if (task === "quality") await runDocumentedIngest(["--dry-run", ...args], { db });
  else assert.fail(`neither run nor listed: ${at}`);
}

/** Pages with a program in Python, and the pattern of the last line that it prints. */
const PYTHON: Record<string, RegExp> = {
  "README.md": /^(North|South|East) - \S/,
  "docs/api.md": /^\d+ (North|South|East) \S/,
};

const IN_PYTHON = "the Python programs of the pages run with only the standard library";
const python = findPython();
if (python === undefined) Deno.test({ name: IN_PYTHON, ignore: true, fn() {} });
else {
  embeddedTest(IN_PYTHON, (t) =>
    withEnvironment(t, async ({ url, key }) => {
      const pages = PAGES.filter((page) => blocksOf(page, "py").length > 0);
      assert.deepEqual(pages.sort(), Object.keys(PYTHON).sort());
      const directory = await Deno.makeTempDir({ prefix: "ce-python-" });
      try {
        await Deno.mkdir(`${directory}/data`);
        await Deno.writeTextFile(`${directory}/${KEY_FILE}`, `${key}\n`);
        for (const [page, last] of Object.entries(PYTHON)) {
          const [program] = blocksOf(page, "py");
          const source = askingWorld(program!).replaceAll(ADDRESS, url);
          // With -I, Python ignores its environment variables and the user's packages.
          const { success, stdout, stderr } = await new Deno.Command(python, {
            args: ["-I", "-c", source],
            cwd: directory,
            env: { CE_API_KEY: key, SERVICE_URL: url },
          }).output();
          assert.ok(success, `${page}: ${new TextDecoder().decode(stderr)}`);
          const lines = new TextDecoder().decode(stdout).trim().split("\n");
          assert.equal(lines.length, 3, lines.join("\n"));
          assert.match(lines.at(-1)!, last);
        }
      } finally {
        await Deno.remove(directory, { recursive: true });
      }
    }));
}
