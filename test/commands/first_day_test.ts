/**
 * Runs every command of docs/first_day.md in its order, on an empty PostgreSQL server and with a
 * feed on loopback. CHECKS asserts the effect of the commands.
 */
import assert from "node:assert/strict";
import { runCommand } from "../support/command.ts";
import { postSearch, withDataDir } from "../support/data_dir.ts";
import { startClusterProcess } from "../faults/cluster_process.ts";
import { findBinaries } from "../support/cluster.ts";
import { blocksOf, commandsOf, wordsOf } from "../support/markdown.ts";
import { type Publisher, startPublisher } from "../support/publisher.ts";
import { type Service, startService } from "../support/service.ts";
import { eventually } from "../support/waiting.ts";

const PAGE = "docs/first_day.md";
/** Value of the header of the feed, which only the publisher may see. */
const SECRET = "Bearer secret";
const [HARBOUR, NORTHERN] = ["Harbour Tools", "Northern Parts"] as const;

/** Tenders of the feed. A page has two of them. */
const TENDERS = Array.from({ length: 5 }, (_, n) => ({
  number: `T-${n + 1}`,
  buyer: { name: `Ville ${"ABCDE"[n]}` },
  title: `Roof repair of hall ${n + 1}`,
  published: new Date(Date.now() - n * 86_400_000).toISOString(),
}));

/** Answers with a page of tenders, only to requests with the header. */
function answerPage(request: Request): Response {
  if (request.headers.get("authorization") !== SECRET) return new Response(null, { status: 401 });
  const page = Number(new URL(request.url).searchParams.get("page") ?? 1);
  return Response.json({
    tenders: TENDERS.slice(2 * page - 2, 2 * page),
    links: { next: page < 3 ? `?page=${page + 1}` : null },
  });
}

/** State of the day. */
class Day implements AsyncDisposable {
  /** Settings that the page exports, and those that a test needs. */
  readonly env: Record<string, string>;
  readonly keys = new Map<string, string[]>();
  /** Units that the answers to the customers stated, by customer. */
  readonly charged = new Map<string, { request_units: number; delivered_units: number }>();
  /** Outputs of all commands, and logs of stopped services. */
  readonly outputs: string[] = [];
  service?: Service;
  #requests = 0;

  constructor(
    readonly directory: string,
    readonly publisher: Publisher,
    readonly servers: { first: string; other: string },
  ) {
    const { host } = new URL(publisher.address);
    this.env = { DATA_DIR: `${directory}/data`, FETCH_OPEN_ADDRESSES: host, PORT: "0" };
  }

  /** Returns a command of the page with the addresses, days and files of the test. */
  adapted(command: string): string {
    const month = new Date().toISOString().slice(0, "2026-11".length);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, "2026-11-27".length);
    return command
      .replaceAll("postgres@127.0.0.1/", `postgres@${new URL(this.servers.first).host}/`)
      .replaceAll("postgres@other.example/", `postgres@${new URL(this.servers.other).host}/`)
      .replaceAll("https://data.example", this.publisher.address)
      .replaceAll("2026-12-31", tomorrow)
      .replaceAll("2026-11", month)
      .replaceAll(/\b(tenders\.json|november\.csv|restored\.csv|evidence\.dump)/g, this.path("$1"))
      .replaceAll("ce_…", this.keys.get(HARBOUR)?.[0] ?? "");
  }

  path(file: string): string {
    return `${this.directory}/${file}`;
  }

  /** Runs a command of the page. Returns its output. */
  async run(command: string): Promise<string> {
    const [whole, file] = / > (\S+)$/.exec(command) ?? [""];
    const words = wordsOf(command.slice(0, command.length - whole.length), {
      variables: this.env,
      files: {},
    });
    const env = { ...this.env };
    while (/^\w+=/.test(words[0]!)) Object.assign(env, assignmentOf(words.shift()!));
    const [program, ...args] = words;
    if (program === "export") Object.assign(this.env, assignmentOf(args[0]!));
    else if (program !== "deno") await runTool(program!, args);
    else if (args[1] === "start") await this.start();
    else {
      const { code, stdout, stderr } = await runCommand(args.slice(1), env);
      this.outputs.push(stdout, stderr);
      assert.equal(code, 0, `${command}\n${stderr}${stdout}`);
      if (file !== undefined) await Deno.writeTextFile(file, stdout);
      return stdout;
    }
    return "";
  }

  async start(): Promise<void> {
    await this.stop();
    this.service = await startService({ env: { ...this.env, PORT: "0" } });
    this.env.PORT = new URL(this.service.url).port;
  }

  async stop(): Promise<void> {
    await this.service?.stop();
    this.outputs.push(this.service?.stderr ?? "");
  }

  /** Searches as a customer. Returns the status, and the names of the companies, sorted. */
  async search(customer: string, key = this.keys.get(customer)![0]!) {
    const request_key = `request ${++this.#requests}`;
    const { status, body } = await postSearch(this.service!, {
      key,
      request_key,
      query: "roof repair",
    });
    const { request_units = 0, delivered_units = 0 } = body.usage ?? {};
    const sum = this.charged.get(customer) ?? { request_units: 0, delivered_units: 0 };
    sum.request_units += request_units;
    sum.delivered_units += delivered_units;
    this.charged.set(customer, sum);
    const found = (body.companies ?? []).map(({ name }: { name: string }) => name);
    return { status, found: found.sort() as string[] };
  }

  /** Waits until a search finds companies of these letters. */
  async untilFound(letters: string): Promise<void> {
    const expected = [...letters].map((letter) => `Ville ${letter}`).join();
    await eventually(`a search finds ${expected}`, async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      return (await this.search(NORTHERN)).found.join() === expected;
    });
  }

  /** Waits for the end of the feed's run. Returns its schedule. */
  async untilRefreshed(requests: number) {
    await eventually(
      `the feed has got ${requests} requests`,
      () => Promise.resolve(this.publisher.asked.length === requests),
    );
    for (;;) {
      const { sources } = JSON.parse(await this.run("deno task admin source list"));
      const { feeds: [feed] } = sources.find(({ name }: { name: string }) =>
        name === "region-tenders"
      );
      if (!feed.running && feed.last_outcome !== null) return feed;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service?.[Symbol.asyncDispose]();
  }
}

function assignmentOf(word: string): Record<string, string> {
  const [, name, value] = /^(\w+)=(.*)$/.exec(word)!;
  return { [name!]: value! };
}

async function runTool(program: string, args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(`${findBinaries()}/${program}`, { args })
    .output();
  assert.ok(success, `${program}: ${new TextDecoder().decode(stderr)}`);
}

/** Assertions after the commands that begin with these words. */
const CHECKS: Record<string, (day: Day, output: string) => Promise<void>> = {
  "deno task admin customer add": (day, output) => {
    const { name, key } = JSON.parse(output);
    day.keys.set(name, [key]);
    return Promise.resolve();
  },
  "deno task admin source schedule": async (day) => {
    const feed = await day.untilRefreshed(3);
    assert.deepEqual([feed.last_outcome, feed.last_error], ["complete", null]);
    assert.deepEqual([feed.counts.recorded, feed.counts.gone], [5, 0]);
    assert.equal(Date.parse(feed.due_at) - Date.parse(feed.last_succeeded_at), 3_600_000);
    await day.untilFound("ABCDE");
  },
  "CE_API_KEY=ce_… deno task ask": (day, output) => {
    for (const { buyer } of TENDERS) assert.ok(output.includes(buyer.name), output);
    assert.match(day.outputs.at(-1)!, /Charged: 1 request and 5 companies\./);
    day.charged.set(HARBOUR, { request_units: 1, delivered_units: 5 });
    return Promise.resolve();
  },
  "deno task admin key rotate": async (day, output) => {
    const { key } = JSON.parse(output);
    const [old] = day.keys.get(HARBOUR)!;
    for (const one of [old, key]) assert.equal((await day.search(HARBOUR, one)).status, 200);
    day.keys.set(HARBOUR, [key]);
  },
  "deno task admin customer suspend": async (day) => {
    assert.equal((await day.search(NORTHERN)).status, 402);
    assert.equal((await day.search(HARBOUR)).status, 200);
  },
  "deno task admin customer resume": async (day) => {
    assert.equal((await day.search(NORTHERN)).status, 200);
  },
  "deno task admin withdraw": (day) => day.untilFound("ACDE"),
  "deno task admin source run": async (day) => {
    const feed = await day.untilRefreshed(6);
    assert.deepEqual([feed.last_outcome, feed.counts.gone], ["complete", 0]);
    await day.untilFound("ACDE");
  },
  "deno task admin usage verify": (_day, output) => {
    assert.deepEqual(JSON.parse(output).differences, []);
    return Promise.resolve();
  },
  "deno task admin usage report": (day, output) => {
    const { usage } = JSON.parse(output) as { usage: Record<string, unknown>[] };
    for (const [customer, { request_units, delivered_units }] of day.charged) {
      const row = usage.find(({ account }) => account === customer)!;
      assert.deepEqual([row.request_units, row.delivered_units], [request_units, delivered_units]);
    }
    return Promise.resolve();
  },
  "deno task admin usage export": (day, output) => {
    const [head, ...rows] = output.trim().split("\n").map((line) => line.split(","));
    const column = (row: string[], name: string) => row[head!.indexOf(name)]!;
    for (const [customer, charged] of day.charged) {
      const ofCustomer = rows.filter((row) => column(row, "account") === customer);
      for (const unit of ["request_units", "delivered_units"] as const) {
        const sum = ofCustomer.reduce((total, row) => total + Number(column(row, unit)), 0);
        assert.equal(sum, charged[unit], `${customer}: ${unit}`);
      }
    }
    return Promise.resolve();
  },
};

Deno.test({
  name: "every command of an operator's first day works [postgres]",
  ignore: findBinaries() === undefined,
  fn: () =>
    withDataDir(async (directory) => {
      await using first = await startClusterProcess();
      await using other = await startClusterProcess();
      await using publisher = startPublisher(answerPage);
      await using day = new Day(directory, publisher, { first: first.url, other: other.url });
      const [mapping] = blocksOf(PAGE, "json");
      await Deno.writeTextFile(day.path("tenders.json"), mapping!);
      const checked = new Set<string>();
      for (const command of commandsOf(PAGE)) {
        const output = await day.run(day.adapted(command));
        for (const [start, check] of Object.entries(CHECKS)) {
          if (!command.startsWith(start)) continue;
          checked.add(start);
          await check(day, output);
        }
      }
      assert.deepEqual([...checked].sort(), Object.keys(CHECKS).sort());
      const [exported, restored] = ["november.csv", "restored.csv"]
        .map((file) => Deno.readTextFileSync(day.path(file)));
      assert.equal(restored, exported);
      // The restored service knows the keys, the takedown and the feed.
      assert.ok(new URL(day.env.DATABASE_URL!).host === new URL(other.url).host);
      await day.untilFound("ACDE");
      assert.equal((await day.search(HARBOUR)).status, 200);
      assert.equal((await day.untilRefreshed(6)).interval_seconds, 3_600);
      await day.stop();
      const said = day.outputs.join("\n");
      assert.ok(said.includes("FEED_REGION") && !said.includes(SECRET));
    }),
});
