import { PGlite } from "@electric-sql/pglite";
import assert from "node:assert/strict";
import { examine } from "../../src/commands/doctor.ts";
import { readSettings } from "../../src/config.ts";
import { connect } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { silent } from "../support/operations.ts";
import { eventually } from "../support/waiting.ts";

const REMEDY =
  "Keep the directory, set DATA_DIR to a new one, and restore the latest backup into " +
  "it: `deno task restore FILE`.";

/** Ways in which a power cut or a careless hand leaves the files. */
const DAMAGES: Record<string, (directory: string) => void> = {
  "an overwritten control file": (directory) =>
    Deno.writeFileSync(`${directory}/global/pg_control`, new Uint8Array(8192)),
  "no control file": (directory) => Deno.removeSync(`${directory}/global/pg_control`),
  "a log that was cut": (directory) => {
    for (const { name, isFile } of [...Deno.readDirSync(`${directory}/pg_wal`)]) {
      if (isFile) Deno.truncateSync(`${directory}/pg_wal/${name}`, 0);
    }
  },
  "files of another version": (directory) =>
    Deno.writeTextFileSync(`${directory}/PG_VERSION`, "12\n"),
  // PGlite reports a full disk as it does damaged files.
  "a full disk": (directory) => {
    DAMAGES["no control file"]!(directory);
    Deno.writeFile = noSpace;
  },
};
const { writeFile } = Deno;
const noSpace = () => Promise.reject(new Error("No space left on device (os error 28)"));

Deno.test("a database that a full disk has ended opens again as soon as there is space", async () => {
  const data_dir = Deno.makeTempDirSync({ prefix: "ce-damaged-" });
  let lines = "";
  const db = await connect({ data_dir, log: createLog("warn", (line) => lines += line) });
  const { execProtocolRawSync } = PGlite.prototype;
  PGlite.prototype.execProtocolRawSync = () => assert.fail("Aborted");
  Deno.writeFile = noSpace;
  await assert.rejects(db.sql`select 1`);
  Object.assign(PGlite.prototype, { execProtocolRawSync });
  await eventually("down", () => Promise.resolve(/stays down.*No space left/.test(lines)));
  Deno.writeFile = writeFile;
  await eventually("open", () => Promise.resolve(lines.includes("is open again")));
  assert.equal((await db.sql`select 1`).length, 1);
  await db.close();
  Deno.removeSync(data_dir, { recursive: true });
});

/** Returns a function that restores the files that damages change. */
function keepFiles(directory: string): () => void {
  const segments = [...Deno.readDirSync(`${directory}/pg_wal`)].filter(({ isFile }) => isFile);
  const names = ["PG_VERSION", "global/pg_control"]
    .concat(segments.map(({ name }) => `pg_wal/${name}`));
  const files = names.map((name) =>
    [`${directory}/${name}`, Deno.readFileSync(`${directory}/${name}`)] as const
  );
  return () => files.forEach(([path, bytes]) => Deno.writeFileSync(path, bytes));
}

Deno.test("connect() and doctor name the fault and the remedy", async () => {
  const DATA_DIR = Deno.makeTempDirSync({ prefix: "ce-damaged-" });
  try {
    const open = () => connect({ data_dir: DATA_DIR, log: silent });
    await (await open()).close();
    const restore = keepFiles(`${DATA_DIR}/pglite`);
    for (const [damage, apply] of Object.entries(DAMAGES)) {
      apply(`${DATA_DIR}/pglite`);
      const [reason, remedy] = damage === "a full disk"
        ? [
          `The embedded database in ${DATA_DIR}/pglite does not start, and 32 MiB that it may need ` +
          "cannot be written: No space left on device (os error 28).",
          "Free space on its disk, or make it writable, and start again. Its files are kept.",
        ]
        : [
          `The files of the embedded database in ${DATA_DIR}/pglite are damaged or missing, so ` +
          "PostgreSQL does not start on them.",
          REMEDY,
        ];
      await assert.rejects(open(), { message: `${reason} ${remedy}` }, damage);
      const settings = readSettings({ DATA_DIR });
      const findings = await examine({ settings, log: silent } as Parameters<typeof examine>[0]);
      const finding = { check: "database", level: "fault", message: reason, remedy };
      assert.deepEqual(findings.at(-1), finding, damage);
      Deno.writeFile = writeFile;
      restore();
    }
    await (await open()).close();
  } finally {
    Deno.writeFile = writeFile;
    Deno.removeSync(DATA_DIR, { recursive: true });
  }
});
