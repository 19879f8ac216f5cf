import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { readAddress } from "../../src/db/address.ts";
import { databaseTest, serverTest } from "../support/database.ts";
import { silent } from "../support/operations.ts";
import { startProxy } from "../support/proxy.ts";

const UNAVAILABLE = { name: "Failure", code: "unavailable" };

/** Opens a small second pool. The time-out of its statements is two seconds. */
const impatient = (database_url: string, max_connections = 1) =>
  connect({
    database_url,
    data_dir: "",
    log: silent,
    max_connections,
    statement_timeout_seconds: 2,
  });

/** Returns the seconds until a promise is settled. */
async function secondsOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work.catch(() => {});
  return (performance.now() - start) / 1000;
}

serverTest(
  "a statement that runs too long fails as unavailable, and the pool can still be used",
  async ({ url }) => {
    const db = await impatient(url);
    await assert.rejects(db.sql`select pg_sleep(5)`, UNAVAILABLE);
    assert.deepEqual([...await db.sql`select 1 as one`], [{ one: 1 }]);
    await db.close();
  },
);

serverTest(
  "a statement that waits for a lock fails as unavailable before its time-out",
  async (t) => {
    const { sql, url } = t;
    await sql`create table hot (id integer)`;
    const db = await connect({ database_url: url, data_dir: "", log: silent });
    await sql.begin(async (tx) => {
      await tx`lock table hot`;
      const waiting = db.sql`select * from hot`;
      const seconds = await secondsOf(waiting);
      assert.ok(seconds > 2 && seconds < 9, `${seconds} s`);
      await assert.rejects(waiting, UNAVAILABLE);
    });
    await db.close();
  },
);

databaseTest("a defect that mentions connections is not unavailable", async ({ sql }) => {
  const value = {
    toPostgres() {
      throw new Error("a client without a connection, or a timeout");
    },
  };
  await assert.rejects(async () => await sql`select ${value as never}::text`, {
    name: "Error",
    message: "a client without a connection, or a timeout",
  });
});

serverTest("a statement on an exhausted pool fails as unavailable by the deadline", async (t) => {
  const { sql, url } = t;
  const db = await connect({ database_url: url, data_dir: "", log: silent, max_connections: 1 });
  const [{ pid }] = await db.sql<[{ pid: number }]>`select pg_backend_pid() as pid`;
  const slow = db.sql`select pg_sleep(9)`;
  void slow.catch(() => {});
  const waiting = db.sql`select 1`;
  const seconds = await secondsOf(waiting);
  assert.ok(seconds > 2 && seconds < 8.9, `${seconds} s`);
  await assert.rejects(waiting, UNAVAILABLE);
  await sql`select pg_cancel_backend(${pid})`;
  await assert.rejects(slow, UNAVAILABLE);
  assert.deepEqual([...await db.sql`select 1 as one`], [{ one: 1 }]);
  await db.close();
});

serverTest("a half-open connection fails its statement by the deadline", async (t) => {
  const proxy = startProxy(t.url);
  const db = await impatient(proxy.url, 2);
  const both = () => [db.sql`select pg_sleep(0.05)`, db.sql`select pg_sleep(0.05)`];
  await Promise.all(both());
  proxy.fallSilent();
  const statements = both();
  for (const statement of statements) void statement.catch(() => {});
  for (const statement of statements) {
    assert.ok(await secondsOf(statement) < 8);
    await assert.rejects(statement, UNAVAILABLE);
  }
  assert.deepEqual([...await db.sql`select 1 as one`], [{ one: 1 }]);
  await db.close();
  await proxy.close();
});

serverTest("statements fail at once while the server is down, and recover soon", async (t) => {
  const proxy = startProxy(t.url);
  const { url } = proxy;
  const db = await connect({ database_url: url, data_dir: "", log: silent, max_connections: 4 });
  await Promise.all(Array.from({ length: 4 }, () => db.sql`select pg_sleep(0.05)`));
  proxy.cut();
  const waits: number[] = [];
  for (let i = 0; i < 20; i++) {
    const statement = db.sql`select 1`;
    waits.push(await secondsOf(statement));
    await assert.rejects(statement, UNAVAILABLE);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // No statement has waited for a deadline, the shortest of which is three seconds. A busy
  // machine may delay some statements, but not most.
  assert.ok(Math.max(...waits) < 2.9 && waits.sort((a, b) => a - b)[14]! < 1, `${waits}`);
  await proxy.restore();
  const back = performance.now();
  while (await db.sql`select 1`.then(() => false, () => true)) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(performance.now() - back < 5000);
  await db.close();
  await proxy.close();
});

serverTest("a statement or transaction whose backend is killed fails as unavailable", async (t) => {
  const db = await connect({ database_url: t.url, data_dir: "", log: silent, max_connections: 2 });
  const killAll = () =>
    t.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
    `;
  let killing = true;
  const killer = (async () => {
    while (killing) {
      await killAll().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  await assert.rejects(db.sql`select pg_sleep(5)`, UNAVAILABLE);
  await assert.rejects(db.sql.begin((tx) => tx`select pg_sleep(5)`), UNAVAILABLE);
  killing = false;
  await killer;
  assert.deepEqual([...await db.sql`select 1 as one`], [{ one: 1 }]);
  await db.close();
});

serverTest("a transaction whose backend dies between statements commits nothing", async (t) => {
  const db = await connect({ database_url: t.url, data_dir: "", log: silent, max_connections: 1 });
  await t.sql`create table halves (n integer)`;
  const finished = Promise.withResolvers<unknown>();
  const transaction = db.sql.begin(async (tx) => {
    await tx`insert into halves values (1)`;
    const [row] = await tx`select pg_backend_pid() as pid`;
    await t.sql`select pg_terminate_backend(${row!.pid})`;
    await new Promise((resolve) => setTimeout(resolve, 100));
    // If the pool did not refuse this statement, the driver would run it on a new connection,
    // and commit it.
    const second = tx`insert into halves values (2)`;
    finished.resolve(second.then(() => "ran", (error) => error.code));
    await second;
  });
  await assert.rejects(transaction, UNAVAILABLE);
  assert.equal(await finished.promise, "unavailable");
  assert.deepEqual([...await db.sql`select * from halves`], []);
  await db.close();
});

databaseTest("statements in a row leave the process its turns", async ({ sql }) => {
  let hasTurned = false;
  setTimeout(() => hasTurned = true);
  for (let n = 0; !hasTurned && n < 10_000; n++) await sql`select 1`;
  assert.ok(hasTurned);
});

databaseTest("a fragment becomes part of a statement, and is not sent itself", async ({ sql }) => {
  const condition = sql`n > ${2} and n < ${5}`;
  const rows = await sql`
    select n from generate_series(1, 9) as n where ${condition} order by n
  `;
  assert.deepEqual([...rows], [{ n: 3 }, { n: 4 }]);
});

databaseTest("a closed pool refuses statements and transactions", async ({ db, sql }) => {
  await db.close();
  await assert.rejects(sql`select 1`, UNAVAILABLE);
  await assert.rejects(sql.begin((tx) => tx`select 1`), UNAVAILABLE);
});

Deno.test("connect() names the setting, the address and the reason if there is no server", async () => {
  // No process listens on port 1.
  const cases: [address: string, host: string, url_setting?: string][] = [
    ["postgres://user:secret@127.0.0.1:1/db", "127.0.0.1:1"],
    ["postgres://user:secret@127.0.0.1:1/db", "127.0.0.1:1", "--to"],
  ];
  for (const [database_url, host, url_setting] of cases) {
    await assert.rejects(
      connect({ database_url, url_setting, data_dir: "", log: silent }),
      ({ message, cause }: Error) => {
        const setting = url_setting ?? "DATABASE_URL";
        assert.equal(message, `Cannot connect to the database at ${host}. Is ${setting} correct?`);
        assert.match((cause as Error).message, /^connect ECONNREFUSED/);
        assert.doesNotMatch(`${cause}`, /secret/);
        return true;
      },
    );
  }
});

Deno.test("readAddress() reads the forms that hosted databases give", () => {
  const cases: [address: string, expected: object][] = [
    ["postgres://me:pw@db.example:6000/name", {
      host: "db.example",
      port: 6000,
      user: "me",
      password: "pw",
      database: "name",
    }],
    ["postgresql://db.example/name?sslmode=require", {
      host: "db.example",
      port: 5432,
      database: "name",
      ssl: { rejectUnauthorized: false },
    }],
    ["postgres://me:p%40w@[::1]:6000/My%20Db", {
      host: "::1",
      port: 6000,
      user: "me",
      password: "p@w",
      database: "My Db",
    }],
    ["postgres://me:pw@db.example/name?sslmode=require&channel_binding=require", {
      host: "db.example",
      port: 5432,
      user: "me",
      password: "pw",
      database: "name",
      ssl: { rejectUnauthorized: false },
    }],
    ["postgresql:///name?host=/var/run/postgresql", {
      host: "/var/run/postgresql",
      port: 5432,
      database: "name",
    }],
    ["postgres://me@/name?host=%2Ftmp&port=6000&application_name=x", {
      host: "/tmp",
      port: 6000,
      user: "me",
      database: "name",
    }],
    ["postgres://me:pw@%2Fvar%2Frun/name", {
      host: "/var/run",
      port: 5432,
      user: "me",
      password: "pw",
      database: "name",
    }],
  ];
  for (const [address, expected] of cases) {
    assert.deepEqual(readAddress(address), expected, address);
  }
});

Deno.test("readAddress() refuses what it cannot reach, and shows no password", () => {
  const cases: [address: string, message: RegExp][] = [
    ["mysql://me:secret@host/name", /must start with postgres:\/\//],
    ["postgres://me:sec@ret@host/name", /must be written %40/],
    ["postgres://me:secret@one,two/name", /several hosts/],
    ["postgres://me:secret@one:1,two:2/name", /several hosts/],
    ["postgres://me:secret@host:port/name", /cannot be read/],
    ["postgres://me:secret@host/name?sslmode=verify-full&sslrootcert=/none", /certificate file/],
  ];
  for (const [address, message] of cases) {
    assert.throws(() => readAddress(address), (error: Error) => {
      assert.match(error.message, message, address);
      assert.doesNotMatch(`${error.message} ${error.cause}`, /secret|sec|ret@/, address);
      return true;
    });
  }
});
