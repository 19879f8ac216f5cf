/** Permissions of the tasks of deno.json: read, write, net and run. */
import assert from "node:assert/strict";
import {
  type Access,
  ENVIRONMENT,
  flagOf,
  flagsOf,
  reachOf,
  type TaskName,
  variablesOf,
} from "../src/commands/permissions.ts";

const COMMANDS: Record<string, string> = Object.fromEntries(
  Object.entries(
    JSON.parse(Deno.readTextFileSync("deno.json")).tasks as Record<string, {
      command: string;
    }>,
  ).map(([name, { command }]) => [name, command]),
);

/** Variables that contain headers of operators' own feeds. */
const HEADERS = "FEED_*";

/** Variables that the database driver reads in addition to the settings. */
const OF_THE_DRIVER = ["LOGNAME", "PG*", "USER", "USERNAME"];

/**
 * Permissions without a list of paths or addresses, and the only tasks that may have them. A
 * process needs `sys` to set its umask, and gives it up at once. The compiled binary has to work
 * with any directory and address. Benches listen on sockets in temporary directories, and a socket
 * cannot be allowed by its directory.
 */
const WITHOUT_LIST: Record<string, string[]> = {
  sys: ["start", "dev", "work", "doctor", "compile"],
  net: ["bench", "compile"],
  read: ["compile"],
  write: ["compile"],
};

Deno.test("only explained tasks have a permission without a list", () => {
  for (const [name, command] of Object.entries(COMMANDS)) {
    assert.doesNotMatch(command, /(^|\s)-[A-Zh]*[ARWNESP]|--allow-all|--permission-set/, name);
    for (const [, kind] of command.matchAll(/--allow-([a-z]+)(?=["\s]|$)/g)) {
      assert.ok(WITHOUT_LIST[kind!]?.includes(name), `${name} has a bare --allow-${kind}`);
    }
    // Without this flag, the task would wait for an answer to a prompt.
    if (/deno (run|bench|compile)/.test(command)) assert.match(command, /--no-prompt/, name);
  }
});

Deno.test("variablesOf() gives a command only the settings that it uses", () => {
  const ofDatabase = ["DATABASE_URL", "DATA_DIR", ...OF_THE_DRIVER];
  const ofSources = ["FETCH_CONTACT", "FETCH_OPEN_ADDRESSES", "SAM_API_KEY"];
  const variables: [TaskName, string[], string[]][] = [
    ["admin", ["usage", "verify"], [...ofDatabase, HEADERS, "SAM_API_KEY"]],
    ["doctor", [], [...ENVIRONMENT].filter((name) => !/^(EMB|PLAN).*KEY$|LOG_LEVEL/.test(name))],
    ["backup", ["file"], ofDatabase],
    ["move", ["--to", "postgres://db/x"], ofDatabase],
    ["ingest", ["file.ndjson"], ofDatabase],
    ["ingest", ["--source=sam", "--fetch"], [...ofDatabase, ...ofSources]],
    ["ingest", ["--dry-run", "file.ndjson"], []],
    ["quality", ["file.ndjson"], []],
    ["ask", ["tenders"], ["BASE_PATH", "CE_API_KEY", "DATA_DIR", "HOST", "PORT"]],
    ["ask", ["--explain", "tenders"], ofDatabase],
    ["quality", ["https://records.example/file.ndjson"], ofSources],
  ];
  for (const [command, args, expected] of variables) {
    const names = [...variablesOf(command, args)].sort();
    assert.deepEqual(names, [...expected, "LOG_LEVEL"].sort(), `${command} ${args}`);
  }
});

Deno.test("the tasks have the flags of flagsOf(), and the binary has all variables", () => {
  const environment = { DATA_DIR: "/d" };
  for (
    const [task, command] of Object.entries({ start: "start", work: "work", doctor: "doctor" })
  ) {
    for (
      const settings of [environment, {
        ...environment,
        SEARCH_URL: "http://user:word@node-1:9200/a, https://node-2",
      }]
    ) {
      const flags = flagsOf(command as TaskName, [], settings);
      assert.deepEqual(flagsIn(COMMANDS[task]!, settings), flags);
    }
  }
  assert.deepEqual(flagsIn(COMMANDS.dev!, environment), [
    "--watch",
    ...flagsOf("start", [], environment),
  ]);
  assert.ok(flagsIn(COMMANDS.compile!, {}).includes(`--allow-env=CE_API_KEY,${ENVIRONMENT}`));
});

Deno.test("a task that imports packages of npm installs them in a clean clone", () => {
  for (const [task, command] of Object.entries(COMMANDS)) {
    for (const run of command!.split("&&").filter((one) => one.includes("deno run "))) {
      if (!/ (main|src\/commands\/permissions)\.ts\b/.test(run)) continue;
      assert.match(run, /deno run .*--node-modules-dir=auto /, task);
    }
  }
});

/** Returns the flags of a task's command after expanding the commands in it. */
function flagsIn(command: string, environment: Record<string, string>): string[] {
  const nested = /\$\(deno task -q permissions (read|write|net) (\w+)\)/g;
  const complete = command.replace(
    nested,
    (_, kind, name) => flagOf(kind as keyof Access, reachOf(name, [], environment)),
  );
  return complete.split(/\s+/).map((word) => word.replaceAll('"', ""))
    .filter((word) => word.startsWith("--"));
}

const cases: [TaskName, string[], Record<string, string>, Access][] = [
  ["start", [], { DATA_DIR: "/d" }, {
    read: ["node_modules", "sql", "src", "/d"],
    write: ["/d"],
    net: ["127.0.0.1:8080", "unix:/d/.s.PGSQL.5432"],
  }],
  ["start", [], {
    HOST: "::1",
    PORT: "80",
    DATA_DIR: "/d",
    DATABASE_URL: "postgres://me:secret@db.example/evidence?sslmode=require",
    PLANNER_URL: "https://plans.example/v1",
    EMBEDDINGS_URL: "http://127.0.0.1:11434/v1",
  }, {
    read: ["node_modules", "sql", "src", "/d"],
    write: ["/d"],
    net: ["[::1]:80", "db.example:5432", "plans.example:443", "127.0.0.1:11434"],
  }],
  ["work", [], { DATA_DIR: "/d", DATABASE_URL: "postgres://a/x", PGPORT: "7" }, {
    read: ["node_modules", "sql", "src", "/d"],
    write: ["/d"],
    net: ["a:5432"],
  }],
  ["work", [], { DATA_DIR: "/d", DATABASE_URL: "postgres://a:1/x", METRICS_PORT: "9464" }, {
    read: ["node_modules", "sql", "src", "/d"],
    write: ["/d"],
    net: ["127.0.0.1:9464", "a:1"],
  }],
  ["doctor", [], {
    DATABASE_URL: "postgres://a/x",
    METRICS_PORT: "9464",
    METRICS_HOST: "::1",
    SEARCH_URL: "http://node-1:9200, https://node-2",
  }, {
    read: ["node_modules", "sql"],
    write: [],
    net: ["127.0.0.1:8080", "[::1]:9464", "a:5432", "node-1:9200", "node-2:443"],
  }],
  ["work", [], { DATA_DIR: "/d", DATABASE_URL: "postgres:///x", FETCH_CONTACT: "me@e.example" }, {
    read: ["node_modules", "sql", "src", "/d"],
    write: ["/d"],
    net: "all",
  }],
  ["admin", [], { DATABASE_URL: "postgresql:///x?host=/run/pg&port=6", SAM_API_KEY: "k" }, {
    read: ["node_modules", "sql", "/run/pg/.s.PGSQL.6"],
    write: ["/run/pg/.s.PGSQL.6"],
    net: ["unix:/run/pg/.s.PGSQL.6"],
  }],
  ["admin", [], { DATABASE_URL: "postgres://me@db/x", DATA_DIR: "/d" }, {
    read: ["node_modules", "sql"],
    write: [],
    net: ["db:5432"],
  }],
  ["admin", [], {
    DATABASE_URL: "postgres://me:secret@db/x?sslmode=verify-full&sslrootcert=/etc/ca.pem" +
      "&sslcert=/etc/me.pem&sslkey=/etc/me.key",
  }, {
    read: ["node_modules", "sql", "/etc/ca.pem", "/etc/me.pem", "/etc/me.key"],
    write: [],
    net: ["db:5432"],
  }],
  ["admin", ["source", "add", "x", "--address", "https://x.example", "--mapping", "/f/m.json"], {
    DATABASE_URL: "postgres://me@db/x",
  }, { read: ["node_modules", "sql", "/f/m.json"], write: [], net: ["db:5432"] }],
  ["ingest", ["--format", "gleif", "/f/a.json"], { DATABASE_URL: "postgres:///x" }, {
    read: ["node_modules", "sql", "/f/a.json"],
    write: ["/f/a.json.rejected.ndjson"],
    net: ["localhost:5432"],
  }],
  ["ingest", ["/f/a", "https://feeds.example/a", "/f/b"], { DATABASE_URL: "postgres:///x" }, {
    read: ["node_modules", "sql", "/f/a", "/f/b"],
    write: ["/f/a.rejected.ndjson", "/f/b.rejected.ndjson"],
    net: "all",
  }],
  ["ingest", ["/f/a", "--dry-run"], { DATABASE_URL: "postgres:///x" }, {
    read: ["node_modules", "/f/a"],
    write: [],
    net: [],
  }],
  ["backup", ["/f/a"], { DATA_DIR: "/d" }, {
    read: ["node_modules", "sql", "/d", "/f/a", "/f/a.partial"],
    write: ["/d", "/f/a", "/f/a.partial"],
    net: ["unix:/d/.s.PGSQL.5432"],
  }],
  ["restore", ["/f/a"], { DATA_DIR: "/d" }, {
    read: ["node_modules", "sql", "/d", "/f/a"],
    write: ["/d"],
    net: ["unix:/d/.s.PGSQL.5432"],
  }],
  ["move", ["--to", "postgres://me@db.example/x"], { DATA_DIR: "/d" }, {
    read: ["node_modules", "sql", "/d"],
    write: ["/d"],
    net: ["unix:/d/.s.PGSQL.5432", "db.example:5432"],
  }],
  ["ask", ["tenders"], { DATA_DIR: "/d", HOST: "0.0.0.0", DATABASE_URL: "postgres://db/x" }, {
    read: ["node_modules", "/d/demo_key"],
    write: [],
    net: ["127.0.0.1:8080"],
  }],
  ["ask", ["tenders", "--explain"], { DATA_DIR: "/d", DATABASE_URL: "postgres://me@db/x" }, {
    read: ["node_modules", "sql", "src"],
    write: [],
    net: ["db:5432"],
  }],
  ["ask", ["tenders", "--url=https://evidence.example/v"], {}, {
    read: ["node_modules", "./data/demo_key"],
    write: [],
    net: ["evidence.example:443"],
  }],
  ["quality", ["/f/a", "/f/b"], { DATA_DIR: "/d" }, {
    read: ["node_modules", "/f/a", "/f/b"],
    write: [],
    net: [],
  }],
  ["quality", ["https://feeds.example/a"], {}, { read: ["node_modules"], write: [], net: "all" }],
  ["ingest", ["-"], { DATABASE_URL: "postgres:///x", FETCH_CONTACT: "me@e.example" }, {
    read: ["node_modules", "sql"],
    write: [],
    net: ["localhost:5432"],
  }],
  ["ingest", ["--format", "gleif", "--fetch", "CA"], { DATABASE_URL: "postgres:///x" }, {
    read: ["node_modules", "sql"],
    write: [],
    net: "all",
  }],
  ["ingest", ["https://feeds.example/a"], { DATABASE_URL: "postgres:///x" }, {
    read: ["node_modules", "sql"],
    write: [],
    net: "all",
  }],
];

Deno.test("reachOf() lists the files and addresses of a run, and allows all addresses only for sources", () => {
  for (const [command, args, environment, reach] of cases) {
    assert.deepEqual(reachOf(command, args, environment), reach, [command, ...args].join(" "));
  }
});

Deno.test("flagOf() denies an empty list, and refuses a path with a comma", () => {
  const reach: Access = { read: ["a", "b c"], write: [], net: "all" };
  assert.equal(flagOf("read", reach), "--allow-read=a,b c");
  assert.equal(flagOf("write", reach), "--deny-write");
  assert.equal(flagOf("net", reach), "--allow-net");
  assert.throws(() => flagOf("read", { ...reach, read: ["/a,b"] }), { message: /comma: \/a,b$/ });
});
