import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { privateSocketPath } from "../../src/db/private_socket.ts";
import { createLog } from "../../src/log.ts";
import { linesOf } from "../support/client_program.ts";
import { withDataDir } from "../support/data_dir.ts";
import { silent } from "../support/operations.ts";
import { checkedTest } from "../support/web.ts";

function run(mode: string, data_dir: string) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--no-prompt", "--allow-read", "--allow-write", "--allow-net", "--allow-env=PG*"],
      ...["test/support/database_process.ts", mode, data_dir],
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const lines = linesOf(child.stdout);
  return {
    child,
    nextLine: async () => (await lines.next()).value as string | undefined,
    /** Kills the process. Returns the rest of the lines that it has printed. */
    async kill() {
      child.kill("SIGKILL");
      const rest = await Array.fromAsync(lines);
      await child.status;
      return rest;
    },
  };
}

const open = (data_dir: string) => connect({ data_dir, borrow: false, log: silent });

const names = (directory: string) =>
  [...Deno.readDirSync(directory)].map(({ name }) => name).sort();

/** Registers a test with the path of a data directory that does not exist yet. */
function directoryTest(
  name: string,
  body: (data_dir: string) => Promise<void>,
  ignore = false,
): void {
  checkedTest(name, () => withDataDir((parent) => body(`${parent}/data`)), ignore);
}

directoryTest("connect() refuses a data directory in use, until it is closed", async (data_dir) => {
  const db = await open(data_dir);
  await db.sql`create table kept (n integer)`;
  await db.sql`insert into kept values (7)`;
  const refusal = `The data directory ${data_dir} is in use by process ${Deno.pid}.`;
  await assert.rejects(open(data_dir), { message: refusal });
  const rival = run("serve", data_dir);
  assert.equal(await rival.nextLine(), refusal);
  assert.equal((await rival.child.status).code, 1);
  await db.close();
  assert.deepEqual(names(data_dir), ["lock", "pglite"]);

  const again = await open(data_dir);
  assert.deepEqual([...await again.sql`select n from kept`], [{ n: 7 }]);
  await again.close();
});

directoryTest(
  "SIGKILL loses no acknowledged row, and the directory is free at once",
  async (data_dir) => {
    let last = 0;
    for (const min of [1, 40]) {
      const writer = run("write", data_dir);
      while (Number(await writer.nextLine()) < min);
      last = Number((await writer.kill()).at(-1) ?? min);
      assert.ok(Deno.lstatSync(privateSocketPath(data_dir)).isSocket);
      const db = await open(data_dir);
      const [row] = await db.sql`select count(*) as count, max(n) as max from written`;
      // One more row may have been written, whose number was not printed yet.
      assert.ok(row!.count === last || row!.count === last + 1, `${row!.count} of ${last}`);
      assert.equal(row!.max, row!.count);
      await db.sql`drop table written`;
      await db.close();
    }
  },
);

directoryTest(
  "connect() creates the database again if its creation was interrupted",
  async (data_dir) => {
    Deno.mkdirSync(`${data_dir}/pglite`, { recursive: true });
    Deno.writeTextFileSync(`${data_dir}/pglite/PG_VERSION`, "18\n");
    Deno.writeTextFileSync(`${data_dir}/pglite.creating`, "");
    const db = await open(data_dir);
    assert.deepEqual([...await db.sql`select 1 as one`], [{ one: 1 }]);
    await db.close();
    assert.deepEqual(names(data_dir), ["lock", "pglite"]);
  },
);

directoryTest("other processes use the database through the private socket", async (data_dir) => {
  const db = await open(data_dir);
  await db.sql`create table counted (n integer)`;
  await db.sql`insert into counted values (0)`;
  assert.equal(Deno.lstatSync(privateSocketPath(data_dir)).mode! & 0o777, 0o600);

  const processes = Array.from({ length: 2 }, () => run("transact", data_dir));
  for (let i = 0; i < 20; i++) {
    await db.sql.begin(async (tx) => {
      const [row] = await tx`select n from counted for update`;
      await tx`update counted set n = ${row!.n + 1}`;
    });
  }
  for (const { child, nextLine } of processes) {
    assert.equal(await nextLine(), "done");
    assert.equal((await child.status).code, 0);
  }
  assert.deepEqual([...await db.sql`select n from counted`], [{ n: 60 }]);
  await db.close();
});

directoryTest(
  "a process that is killed inside a transaction blocks no statement",
  async (data_dir) => {
    const db = await open(data_dir);
    await db.sql`create table counted (n integer)`;
    await db.sql`insert into counted values (0)`;
    const victim = run("hang", data_dir);
    assert.equal(await victim.nextLine(), "open");
    const waiting = db.sql`select n from counted`;
    void waiting.catch(() => {});
    await victim.kill();
    assert.deepEqual([...await waiting], [{ n: 0 }]);
    await db.close();
  },
);

directoryTest(
  "connect() borrows a database, and closing it does not affect the holder",
  async (data_dir) => {
    const holder = await open(data_dir);
    const borrowed = await connect({ data_dir, borrow: true, log: silent });
    assert.deepEqual([holder.kind, borrowed.kind], ["embedded", "borrowed"]);
    await borrowed.sql`create table shared (n integer)`;
    await borrowed.close();
    assert.deepEqual([...await holder.sql`select * from shared`], []);
    const late = await connect({ data_dir, borrow: true, log: silent });
    await holder.close();
    await assert.rejects(late.sql`select 1`, { code: "unavailable" });
    await late.close();
  },
);

directoryTest("psql works through the private socket", async (data_dir) => {
  const db = await open(data_dir);
  await db.sql`create table shown (n integer)`;
  const psql = async (...commands: string[]) => {
    const { stdout, stderr } = await new Deno.Command("psql", {
      args: [
        ...["-X", "-A", "-t", "-h", Deno.realPathSync(data_dir), "-U", "postgres"],
        ...commands.flatMap((command) => ["-c", command]),
      ],
    }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  assert.equal(
    await psql("insert into shown values (1), (2)", "select sum(n) from shown"),
    "INSERT 0 2\n3\n",
  );
  assert.match(await psql("\\d shown"), /n\|integer/);
  assert.match(await psql("copy shown from stdin"), /does not support COPY FROM STDIN/);
  assert.equal(await psql("copy shown to stdout"), "1\n2\n");
  assert.deepEqual([...await db.sql`select count(*) from shown`], [{ count: 2 }]);
  // The role, the statements and the cursors of a session end with it.
  await psql("create role stranger", "set role stranger");
  assert.equal(await psql("select current_user"), "postgres\n");
  for (let n = 0; n < 2; n++) {
    assert.equal(await psql("prepare one as select 1", "execute one"), "PREPARE\n1\n");
    assert.equal(
      await psql("declare all_shown cursor with hold for table shown"),
      "DECLARE CURSOR\n",
    );
  }
  assert.deepEqual([...await db.sql`select count(*) from shown`], [{ count: 2 }]);
  await db.close();
}, !hasPsql());

directoryTest(
  "a data directory with a path too long for a socket works, but cannot be borrowed",
  async (parent) => {
    const data_dir = `${parent}/${"x".repeat(100)}`;
    const warnings: string[] = [];
    const log = createLog("warn", (line) => warnings.push(JSON.parse(line).message));
    const db = await connect({ data_dir, borrow: false, log });
    assert.deepEqual(warnings, ["no private socket: other commands cannot use this database"]);
    await assert.rejects(connect({ data_dir, borrow: true, log: silent }), {
      message: `The data directory ${data_dir} is in use by process ${Deno.pid}, and its private ` +
        "socket does not answer.",
    });
    await db.close();
  },
);

function hasPsql(): boolean {
  try {
    return new Deno.Command("psql", { args: ["--version"], stdout: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
