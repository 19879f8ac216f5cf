/**
 * The image and the compose file of deploy/. The files that they name exist, and the service has
 * few rights.
 */
import assert from "node:assert/strict";
import { dirname, join, normalize } from "node:path/posix";
import { parse } from "yaml";
import { z } from "zod";
import { flagOf, reachOf } from "../../src/commands/permissions.ts";
import { readSettings, SETTING_NAMES } from "../../src/config.ts";
import { serveHttp } from "../../src/http/server.ts";
import { withApp } from "../support/app.ts";
import { embeddedTest } from "../support/database.ts";
import { silent } from "../support/operations.ts";

interface Instruction {
  name: string;
  text: string;
}

/** Max seconds of a stop, as documented in docs/growth.md. */
const STOP_SECONDS = 15;

const INSTRUCTIONS = readDockerfile(Deno.readTextFileSync("deploy/Dockerfile"));
/** Instructions of the last stage, which is the final image. */
const RUNTIME = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(({ name }) => name === "FROM"));
const ENVIRONMENT = Object.fromEntries(
  textsOf(RUNTIME, "ENV").flatMap((text) => text.split(/\s+/).map((pair) => pair.split("="))),
) as Record<string, string>;

const Compose = z.strictObject({
  name: z.string(),
  services: z.strictObject({
    database: z.object({
      image: z.string(),
      environment: z.record(z.string(), z.string()),
      volumes: z.array(z.string()),
      healthcheck: z.object({ test: z.array(z.string()) }),
      ports: z.undefined().optional(),
    }),
    service: z.object({
      build: z.strictObject({ context: z.string(), dockerfile: z.string() }),
      environment: z.record(z.string(), z.string()),
      ports: z.array(z.string()),
      expose: z.array(z.string()),
      volumes: z.array(z.string()),
      read_only: z.literal(true),
      tmpfs: z.array(z.string()),
      cap_drop: z.array(z.string()),
      security_opt: z.array(z.string()),
      depends_on: z.record(z.string(), z.strictObject({ condition: z.string() })),
      stop_grace_period: z.string(),
      privileged: z.undefined().optional(),
      user: z.undefined().optional(),
    }),
  }),
  volumes: z.record(z.string(), z.null()),
});

function readDockerfile(text: string): Instruction[] {
  const lines = text.split("\n").filter((line) => !/^\s*(#|$)/.test(line)).join("\n");
  return lines.replace(/\\\n/g, " ").split("\n").filter((line) => line !== "").map((line) => {
    const [, name, rest] = /^([A-Z]+)\s+(.*)$/.exec(line)!;
    return { name: name!, text: rest!.replace(/\s+/g, " ").trim() };
  });
}

function textsOf(instructions: Instruction[], name: string): string[] {
  return instructions.filter((one) => one.name === name).map(({ text }) => text);
}

/** Returns the paths of the repository that the image contains. */
function copiedPaths(): string[] {
  return textsOf(INSTRUCTIONS, "COPY").filter((text) => !text.startsWith("--from="))
    .flatMap((text) => text.split(" ").slice(0, -1));
}

function* modulesUnder(directory: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(directory)) {
    if (isDirectory) yield* modulesUnder(`${directory}/${name}`);
    else if (name.endsWith(".ts")) yield `${directory}/${name}`;
  }
}

Deno.test("the image contains every file that the program imports", () => {
  const copied = copiedPaths();
  for (const path of copied) assert.ok(Deno.statSync(path), path);
  const isCopied = (path: string) =>
    copied.some((one) => path === one || path.startsWith(`${one}/`));
  for (const needed of ["deno.json", "deno.lock"]) assert.ok(isCopied(needed));
  for (const module of ["main.ts", ...modulesUnder("src")]) {
    const text = Deno.readTextFileSync(module);
    for (const [, address] of text.matchAll(/^(?:import|export|\}).* from "(\.[^"]+)"/gm)) {
      const path = normalize(join(dirname(module), address!));
      assert.ok(isCopied(path), `${module} imports ${path}`);
    }
  }
  const [build] = textsOf(INSTRUCTIONS, "RUN").filter((text) => text.includes("deno cache"));
  for (const [path] of build!.matchAll(/\S+\.ts/g)) assert.ok(Deno.statSync(path), path);
});

Deno.test("the image comes from Debian and npm, with the runtime of the tests", () => {
  const bases = textsOf(INSTRUCTIONS, "FROM").map((text) => text.split(" ")[0]);
  assert.deepEqual([...new Set(bases)], ["debian:trixie-slim"]);
  assert.deepEqual(textsOf(INSTRUCTIONS, "ARG"), [`DENO_VERSION=${Deno.version.deno}`]);
  assert.deepEqual(textsOf(INSTRUCTIONS, "ADD"), []);
  for (const command of textsOf(INSTRUCTIONS, "RUN")) {
    assert.doesNotMatch(command, /curl|wget|https?:|git /);
    if (command.includes("deno install")) assert.match(command, /deno install --frozen/);
  }
});

Deno.test("the image runs the task as a user without rights, and declares its port and volume", () => {
  const [user] = textsOf(RUNTIME, "USER");
  const [created] = textsOf(RUNTIME, "RUN");
  assert.match(user!, /^[1-9][0-9]+:[1-9][0-9]+$/);
  const [uid, gid] = user!.split(":");
  assert.match(created!, new RegExp(`useradd .*--uid ${uid} --gid ${gid} `));
  assert.match(created!, new RegExp(`--mode 0700 --owner ${uid} --group ${gid} `));
  for (const name of Object.keys(ENVIRONMENT)) {
    assert.ok(SETTING_NAMES.includes(name) || name.startsWith("DENO_"), name);
  }
  const settings = readSettings(ENVIRONMENT);
  assert.equal(settings.HOST, "0.0.0.0");
  assert.deepEqual(textsOf(RUNTIME, "EXPOSE"), [String(settings.PORT)]);
  assert.deepEqual(textsOf(RUNTIME, "VOLUME"), [settings.DATA_DIR]);
  const command: string[] = JSON.parse(textsOf(RUNTIME, "CMD")[0]!);
  assert.deepEqual(command, ["deno", "task", "start"]);
  assert.ok(JSON.parse(Deno.readTextFileSync("deno.json")).tasks[command[2]!]);
});

embeddedTest(
  "the image's health check requests /healthz, and fails without an answer",
  async (t) => {
    const [text] = textsOf(RUNTIME, "HEALTHCHECK");
    const [program, ...args] = JSON.parse(text!.slice(text!.indexOf("CMD ") + 4)) as string[];
    assert.equal(program, "deno");
    const check = async (port: number) => {
      const env = { PORT: String(port) };
      return (await new Deno.Command(Deno.execPath(), { args, env, stderr: "null" }).output()).code;
    };
    await withApp(t.db, async ({ app }) => {
      const paths: string[] = [];
      const server = serveHttp({
        handler(request, transport) {
          paths.push(new URL(request.url).pathname);
          return app.fetch(request, transport);
        },
        hostname: "127.0.0.1",
        port: 0,
        log: silent,
      });
      const { port } = server.addr;
      assert.equal(await check(port), 0);
      assert.deepEqual(paths, ["/healthz"]);
      await server[Symbol.asyncDispose]();
      assert.equal(await check(port), 1);
    });
  },
);

function readCompose() {
  return Compose.parse(parse(Deno.readTextFileSync("deploy/compose.yaml")));
}

Deno.test("compose runs the image read-only, without capabilities, and on loopback", () => {
  const { service } = readCompose().services;
  const context = normalize(join("deploy", service.build.context));
  assert.equal(normalize(join(context, service.build.dockerfile)), "deploy/Dockerfile");
  assert.ok(Deno.statSync(service.build.dockerfile));
  assert.deepEqual([service.cap_drop, service.tmpfs], [["ALL"], ["/tmp"]]);
  assert.deepEqual(service.security_opt, ["no-new-privileges:true"]);
  assert.deepEqual(service.ports, [`127.0.0.1:8080:${ENVIRONMENT.PORT}`]);
  assert.ok(parseInt(service.stop_grace_period) > STOP_SECONDS);
});

Deno.test("compose gives the service the settings to reach PostgreSQL 17", () => {
  const { services: { database, service }, volumes } = readCompose();
  assert.match(database.image, /^postgres:17\b/);
  for (const name of Object.keys(service.environment)) {
    assert.ok(SETTING_NAMES.includes(name) || name === "PGPASSWORD", name);
  }
  const { DATABASE_URL, METRICS_PORT } = readSettings({ ...ENVIRONMENT, ...service.environment });
  const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_PASSWORD: password } =
    database.environment;
  assert.equal(DATABASE_URL, `postgres://${user}@database/${name}`);
  assert.equal(service.environment.PGPASSWORD, password);
  assert.match(password!, /^\$\{POSTGRES_PASSWORD:\?/);
  const check = ["CMD", "pg_isready", `--username=${user}`, `--dbname=${name}`];
  assert.deepEqual(database.healthcheck.test, check);
  assert.deepEqual(service.depends_on, { database: { condition: "service_healthy" } });
  assert.deepEqual(service.expose, [String(METRICS_PORT)]);
  const net = flagOf("net", reachOf("start", [], { ...ENVIRONMENT, ...service.environment }));
  assert.equal(net, "--allow-net=0.0.0.0:8080,0.0.0.0:9464,database:5432");
  const mounts = [...database.volumes, ...service.volumes].map((text) => text.split(":"));
  assert.deepEqual(mounts.map(([volume]) => volume).sort(), Object.keys(volumes).sort());
  assert.equal(service.volumes[0]!.split(":")[1], ENVIRONMENT.DATA_DIR);
});
