/**
 * How long does the first start take on a machine that has only Node?
 *
 * The arguments are commits, by default `HEAD` and PEER_COMMIT, an old version. In each round, each
 * commit is cloned into a new folder and started there by `npx --yes deno@2.9.6 task start`. The
 * home directory is empty, and thus also the caches of npm and of Deno. The packages come from the
 * registry every time. The time ends when the service listens. COLD_START_ROUNDS is the number of
 * rounds, 3 by default.
 *
 * Commits take turns, because the time depends on the load of the machine. The CPU time of all
 * processes of a start depends on that load less.
 */
import { formatNumber, markdownTable, medianOf } from "./floors.ts";
import { say } from "./child.ts";
import { treeCpuSeconds } from "./load/cpu_time.ts";
import { PEER_COMMIT } from "./load/peer.ts";

const ROUNDS = Number(Deno.env.get("COLD_START_ROUNDS") ?? 3);

/** Command of a first start in README.md. */
const COMMAND = ["npx", "--yes", "deno@2.9.6", "task", "start"];

/** Pattern of the line that a listening service prints, in every version. */
const LISTENING = /listening on http:\/\//;

/** Seconds until the service must listen, many times the seconds that a busy machine needs. */
const START_SECONDS = 300;

interface ColdStart {
  /** Seconds from the command to the line with the address of the service. */
  seconds: number;
  /** Seconds of CPU time of all processes until that line; NaN if the system does not report it. */
  cpu: number;
  /** Number of lines on stdout and stderr until then. */
  lines: number;
}

const commits = Deno.args.length > 0 ? Deno.args : ["HEAD", PEER_COMMIT];
const starts: ColdStart[][] = commits.map(() => []);
const repository = await gitOutput("rev-parse", "--show-toplevel");
// Folders are removed at the end, because Linux creates files slowly after it has deleted many.
const folder = await Deno.makeTempDir({ prefix: "ce-cold-" });
try {
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [index, commit] of commits.entries()) {
      const start = await measure(commit, `${folder}/${round}-${index}`);
      starts[index]!.push(start);
      say(`round ${round}, ${commit}: ${describe(start)}`);
    }
  }
} finally {
  await Deno.remove(folder, { recursive: true });
}
say("");
say(markdownTable(
  ["commit", "seconds", "ratio to the last", "CPU seconds", "ratio to the last", "lines"],
  commits.map((commit, index) => {
    const column = (name: keyof ColdStart) => medianOf(starts[index]!.map((start) => start[name]));
    const ratio = (name: keyof ColdStart) =>
      medianOf(starts[index]!.map((start, round) => start[name] / starts.at(-1)![round]![name]));
    return [
      commit,
      formatNumber(column("seconds")),
      formatNumber(ratio("seconds")),
      formatNumber(column("cpu")),
      formatNumber(ratio("cpu")),
      String(column("lines")),
    ];
  }),
));

function describe({ seconds, cpu, lines }: ColdStart): string {
  return `${formatNumber(seconds)} s, ${formatNumber(cpu)} s of CPU time, ${lines} lines`;
}

/** Clones a commit into a new folder below `folder`, and starts it. */
async function measure(commit: string, folder: string): Promise<ColdStart> {
  const id = await gitOutput("rev-parse", commit);
  const clone = `${folder}/clone`;
  const home = `${folder}/home`;
  await gitOutput("clone", "--quiet", "--no-checkout", repository, clone);
  await gitOutput("-C", clone, "checkout", "--quiet", id);
  await Deno.mkdir(home);
  return await startIn(clone, home);
}

/** Starts the service in a clone, waits until it listens, and stops it. */
async function startIn(clone: string, home: string): Promise<ColdStart> {
  const cpuBefore = await treeCpuSeconds() ?? NaN;
  const began = performance.now();
  const child = new Deno.Command(COMMAND[0]!, {
    args: COMMAND.slice(1),
    cwd: clone,
    env: { ...environment(), HOME: home, PORT: "0" },
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // Starts a process group, because npx does not pass signals on.
    detached: true,
  }).spawn();
  const listening = Promise.withResolvers<void>();
  const printed = ["", ""];
  const reading = Promise.all([child.stdout, child.stderr].map(async (stream, index) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      printed[index] += text;
      if (LISTENING.test(printed[index]!)) listening.resolve();
    }
  })).then(() =>
    listening.reject(new Error(`the service ended before it listened:\n${printed.join("")}`))
  );
  const timer = setTimeout(
    () => listening.reject(new Error(`the service does not listen:\n${printed.join("")}`)),
    START_SECONDS * 1000,
  );
  try {
    await listening.promise;
    const seconds = (performance.now() - began) / 1000;
    const cpu = (await treeCpuSeconds() ?? NaN) - cpuBefore;
    return { seconds, cpu, lines: printed.join("").trimEnd().split("\n").length };
  } finally {
    clearTimeout(timer);
    await new Deno.Command("kill", { args: ["-TERM", "--", `-${child.pid}`] }).output();
    await child.status;
    await reading;
  }
}

/** Returns this process's variables without those that name a cache or configure the service. */
function environment(): Record<string, string> {
  const kept =
    /^(PATH|LANG|NO_PROXY|HTTPS?_PROXY|NPM_CONFIG_REGISTRY|NODE_EXTRA_CA_CERTS|SSL_CERT_.*)$/i;
  return Object.fromEntries(
    Object.entries(Deno.env.toObject()).filter(([name]) => kept.test(name)),
  );
}

async function gitOutput(...args: string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("git", { args }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}
