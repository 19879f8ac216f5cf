/** Commands print texts from outside without characters that command a terminal. */
import assert from "node:assert/strict";
import { runCommand } from "../support/command.ts";
import { withDataDir } from "../support/data_dir.ts";
import { serverTest } from "../support/database.ts";
import { record, sourceRecord } from "../support/factories.ts";

/** Clears the screen, moves up a line, sets a title (C0, C1), and turns the direction of text. */
const HOSTILE =
  "\u001b[2J\u001b[1A\u009b31m\u009d0;x\u0007\u007f\u202egnp\u2066\u200f\ufeff\u{e0001}\rx";
/** HOSTILE as it is printed. */
const ESCAPED = String.raw`\u001b[2J\u001b[1A\u009b31m\u009d0;x\u0007\u007f\u202egnp\u2066` +
  String.raw`\u200f\ufeff\udb40\udc01\u000dx`;
/** A text that tries to look like a line of a command. */
const FORGED = `${HOSTILE}\nrejected 0: all is well`;

/** Fails if an output has a character that commands a terminal. Returns the whole output. */
function printable({ stdout, stderr }: { stdout: string; stderr: string }): string {
  const output = stdout + stderr;
  assert.deepEqual(output.match(/[^\n\P{Cc}]|[\p{Cf}\p{Zl}\p{Zp}]/gu), null, output);
  assert.doesNotMatch(output, /^rejected 0: all is well/m);
  return output;
}

serverTest(
  "scenario 54: quality and ingest print hostile records in a harmless form",
  async (t) => {
    const env = { DATABASE_URL: t.url };
    await withDataDir(async (directory) => {
      const file = `${directory}/${HOSTILE.replace("/", "")}.ndjson`;
      const lines = [
        sourceRecord(),
        { ...sourceRecord(), [FORGED]: 1 },
        sourceRecord({ external_id: FORGED }),
        sourceRecord({ company: { name: `N/A ${HOSTILE}` } }),
        HOSTILE,
      ];
      await Deno.writeTextFile(file, lines.map((line) => JSON.stringify(line)).join("\n") + "\n");
      const missing = `${directory}/missing${HOSTILE}`;
      for (const args of [["--dry-run", file], ["--dry-run", "--json", file], [file]]) {
        const result = await runCommand(["ingest", ...args, missing], env);
        assert.equal(result.code, 1);
        const output = printable(result);
        assert.ok(output.includes(ESCAPED), output);
        assert.ok(output.includes(String.raw`\u000arejected 0`), output);
      }
      const rejected = await Deno.readTextFile(`${file}.rejected.ndjson`);
      printable({ stdout: rejected, stderr: "" });
      const [unknown] = rejected.split("\n");
      assert.ok(JSON.parse(unknown!).reason.includes(FORGED), unknown);
      const again = `${file}.rejected.ndjson`;
      const reported = await runCommand(["quality", "--dry-run", again], env);
      printable(reported);
      assert.equal(reported.code, 1);
    });
  },
);

serverTest(
  "scenario 54: admin prints hostile names of the database in a harmless form",
  async (t) => {
    const { sql, url: DATABASE_URL } = t;
    const [shownCompany] = await record(sql, [{}]);
    await sql`update companies set name = ${FORGED}`;
    await sql`update sources set name = ${FORGED}`;
    await sql`update company_names set normalized_name = ${FORGED}`;
    const shown = await runCommand(["admin", "company", "show", `${shownCompany!.company_id}`], {
      DATABASE_URL,
    });
    assert.equal(shown.code, 0, shown.stderr);
    printable(shown);
    assert.equal(JSON.parse(shown.stdout).name, FORGED);
    const commands = [
      ["admin", "source", "list"],
      ["admin", "source", "list", "--json"],
      ["admin", "company", "show", HOSTILE],
      ["admin", HOSTILE],
      ["admin", "key", "revoke", HOSTILE, "--yes"],
      ["ingest", "--format", HOSTILE, "records.ndjson"],
      ["doctor", HOSTILE],
      [HOSTILE],
    ];
    for (const args of commands) printable(await runCommand(args, { DATABASE_URL }));
    for (const setting of ["PORT", "LOG_LEVEL"]) {
      const refused = await runCommand(["start"], { DATABASE_URL, [setting]: HOSTILE });
      assert.equal(refused.code, 1);
      printable(refused);
    }
  },
);

Deno.test("scenario 54: ask prints hostile answers in a harmless form", async () => {
  const observation = {
    occurred_at: null,
    observed_at: HOSTILE,
    observed_fact: FORGED,
    evidence: [{ source_uri: `https://news.example/${HOSTILE}` }],
  };
  const answer = {
    companies: [{ name: FORGED, observations: [observation] }],
    usage: { request_units: HOSTILE, delivered_units: FORGED },
    request_allowance: { window_remaining: FORGED },
  };
  const refusal = { error: { code: FORGED, message: FORGED } };
  let refuses = false;
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => refuses ? Response.json(refusal, { status: 400 }) : Response.json(answer),
  );
  const url = `http://127.0.0.1:${server.addr.port}`;
  const ask = (...args: string[]) => runCommand(["ask", "--key", "k", "--url", url, ...args], {});
  const table = await ask("pumps");
  assert.equal(table.code, 0, table.stderr);
  printable(table);
  const json = await ask("--json", "pumps");
  printable(json);
  assert.deepEqual(JSON.parse(json.stdout), answer);
  refuses = true;
  const refused = await ask("pumps");
  assert.equal(refused.code, 1);
  assert.ok(printable(refused).includes(ESCAPED), refused.stderr);
});
