/**
 * Computes the permissions of one run from its command, arguments and settings, which deno.json
 * cannot know. Tasks such as `start` call this program once for each flag. Tasks whose permissions
 * depend on their arguments, such as `ingest` and `backup`, let it start the command (`run`).
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { SETTING_NAMES } from "../config.ts";
import { hostAddress } from "../contract/host_address.ts";
import { placeOf, readDestination } from "../db/address.ts";
import { privateSocketPath } from "../db/private_socket.ts";
import { UsageError } from "../failures.ts";
import { writeLines } from "../terminal.ts";
import { ASK_OPTIONS, INGEST_OPTIONS } from "./command_options.ts";
import { serviceAddress } from "./service_address.ts";

/** Commands whose permissions depend on settings or arguments. */
export type TaskName =
  | ("start" | "work" | "admin" | "ingest" | "quality")
  | ("backup" | "restore" | "move" | "doctor" | "ask");

/** Resources that one run may reach. Paths are absolute or relative to the current directory. */
export interface Access {
  read: string[];
  write: string[];
  /** `host:port` and `unix:/path`, or `"all"` for the whole network. */
  net: string[] | "all";
}

/** Variables of the environment, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that the database driver reads. */
const DRIVER_VARIABLES = ["LOGNAME", "PG*", "USER", "USERNAME"];

/**
 * Names of the variables that a serving process may read: all settings, headers of operators' own
 * feeds, and those of the database driver. All other variables appear as not set.
 */
export const ENVIRONMENT: readonly string[] = [
  ...SETTING_NAMES.toSorted(),
  "FEED_*",
  ...DRIVER_VARIABLES,
];

/** Settings that let a process poll sources, whose hosts cannot be listed in advance. */
const SOURCE_SETTINGS = ["FETCH_CONTACT", "FETCH_OPEN_ADDRESSES", "SAM_API_KEY"];

/** Settings that contain the key of a model. */
const MODEL_KEYS = ["EMBEDDINGS_API_KEY", "PLANNER_API_KEY"];

/** Variables that contain keys of sources. */
const KEYS = ["FEED_*", "SAM_API_KEY"];

/** Variables by which a command reaches the database. */
const DATABASE_VARIABLES = ["DATABASE_URL", "DATA_DIR", ...DRIVER_VARIABLES];

/** Variables by which `ask` finds a service and a key. */
const ASK_VARIABLES = ["BASE_PATH", "CE_API_KEY", "DATA_DIR", "HOST", "LOG_LEVEL", "PORT"];

/**
 * Returns the names of the variables that a run may read. Only `start` and `work` read the keys of
 * models. The keys of sources are for commands that poll sources, and for `admin` and `doctor`,
 * which only check whether they are set.
 */
export function variablesOf(command: TaskName, args: string[]): readonly string[] {
  if (command === "start" || command === "work") return ENVIRONMENT;
  if (isClient(command, args)) return ASK_VARIABLES;
  if (command === "ask") return [...DATABASE_VARIABLES, "LOG_LEVEL"];
  if (command === "admin") return [...DATABASE_VARIABLES, "LOG_LEVEL", ...KEYS];
  // `doctor` checks all settings except the keys of models, which it does not use.
  if (command === "doctor") return ENVIRONMENT.filter((name) => !MODEL_KEYS.includes(name));
  const { dry, fetches } = filesOf(command, args);
  return [...dry ? [] : DATABASE_VARIABLES, ...fetches ? SOURCE_SETTINGS : [], "LOG_LEVEL"];
}

/** Returns whether a run reaches a service, and no database. */
function isClient(command: TaskName, args: string[]): boolean {
  return command === "ask" && !args.includes("--explain");
}

/**
 * Directories: packages (embedded database, SQL of the queue), scripts of migrations, and modules of
 * the index worker.
 */
const [PACKAGES, SCRIPTS, MODULES] = ["node_modules", "sql", "src"] as const;

/** Returns all flags of a run, which depend on its command, arguments and environment. */
export function flagsOf(command: TaskName, args: string[], environment: Environment): string[] {
  const reach = reachOf(command, args, environment);
  return [
    // Suppresses the line for each package that is installed.
    "--quiet",
    "--node-modules-dir=auto",
    "--no-prompt",
    `--allow-env=${variablesOf(command, args)}`,
    "--ignore-env",
    // Required for the umask, which has no separate permission. main.ts revokes it at once.
    ...isClient(command, args) ? [] : ["--allow-sys"],
    flagOf("read", reach),
    flagOf("write", reach),
    flagOf("net", reach),
  ];
}

/**
 * Returns one flag. An empty list becomes a denial, because `--allow-…` without a value allows
 * everything.
 * @throws UsageError for a path with a comma, which a flag cannot contain
 */
export function flagOf(kind: keyof Access, reach: Access): string {
  const list = reach[kind];
  if (list === "all") return `--allow-${kind}`;
  if (list.length === 0) return `--deny-${kind}`;
  const invalid = list.find((path) => path.includes(","));
  if (invalid !== undefined) throw new UsageError(`A path must not contain a comma: ${invalid}`);
  return `--allow-${kind}=${list.join()}`;
}

/** Returns the resources that a run may reach. An empty setting counts as not set. */
export function reachOf(command: TaskName, args: string[], environment: Environment): Access {
  const settings: Environment = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ""),
  );
  const { DATA_DIR: data_dir = "./data", DATABASE_URL, HOST = "127.0.0.1", PORT = 8080 } = settings;
  const { url = serviceAddress(HOST, PORT), to } = textsIn(args);
  if (isClient(command, args)) {
    return { read: [PACKAGES, `${data_dir}/demo_key`], write: [], net: hostAndPort(url) };
  }
  const files = filesOf(command, args);
  if (files.dry) {
    return { read: [PACKAGES, ...files.read], write: [], net: files.fetches ? "all" : [] };
  }
  const serving = command === "start" || command === "work";
  const servers = [DATABASE_URL, command === "move" ? to : undefined]
    .map(databaseServer);
  const sockets = servers.flatMap((server) => server.sockets);
  const embedded = DATABASE_URL === undefined;
  // A serving process saves the index in DATA_DIR, whatever database it has.
  const written = [...serving || embedded ? [data_dir] : [], ...sockets];
  if (embedded) sockets.unshift(privateSocketPath(data_dir));
  const modules = serving || command === "ask" ? [MODULES] : [];
  const certificates = servers.flatMap((server) => server.files);
  const all = files.fetches || serving && SOURCE_SETTINGS.some((name) => name in settings);
  return {
    read: [PACKAGES, SCRIPTS, ...modules, ...written, ...certificates, ...files.read],
    write: [...written, ...files.write],
    net: all ? "all" : [
      ...command === "start" || command === "doctor"
        ? hostAndPort(`http://${hostAddress(HOST, PORT)}`)
        : [],
      ...serving || command === "doctor" ? metricsAddresses(settings) : [],
      ...sockets.map((path) => `unix:${resolve(path)}`),
      ...servers.flatMap((server) => server.addresses),
      ...serving ? [settings.PLANNER_URL, settings.EMBEDDINGS_URL].flatMap(hostAndPort) : [],
      ...serving || command === "doctor"
        ? (settings.SEARCH_URL ?? "").split(",").flatMap(hostAndPort)
        : [],
    ],
  };
}

/**
 * Returns the host and port of a URL in the form of a permission. An invalid URL gives no
 * permission, because the command itself refuses it.
 */
function hostAndPort(text: string | undefined): string[] {
  const url = URL.parse(text ?? "");
  if (url === null) return [];
  return [`${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`];
}

function metricsAddresses({ METRICS_HOST = "127.0.0.1", METRICS_PORT }: Environment): string[] {
  if (METRICS_PORT === undefined) return [];
  return hostAndPort(`http://${hostAddress(METRICS_HOST, METRICS_PORT)}`);
}

/** Reads an address as the driver does. An invalid address gives no permission. */
function databaseServer(database_url: string | undefined) {
  const server = { addresses: [] as string[], sockets: [] as string[], files: [] as string[] };
  if (database_url === undefined) return server;
  try {
    const { files, ...destination } = readDestination(database_url);
    (destination.host.startsWith("/") ? server.sockets : server.addresses)
      .push(placeOf(destination));
    // The driver reads certificates and keys of TLS.
    return { ...server, files };
  } catch {
    return server;
  }
}

/** Runs the command and forwards signals to it. Returns its exit code. */
async function run(command: TaskName, args: string[]): Promise<number> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...flagsOf(command, args, Deno.env.toObject()), "main.ts", command, ...args],
  }).spawn();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => child.kill(signal));
  }
  return (await child.status).code;
}

/** Files that a command reads and writes because of its arguments, and the mode of the run. */
interface Files {
  read: string[];
  write: string[];
  /** True if the run fetches a source or an address. */
  fetches: boolean;
  /** True if the run only reports, so that it writes nothing and needs no database. */
  dry: boolean;
}

/** Returns the files and the mode of a run. */
function filesOf(command: TaskName, args: string[]): Files {
  const { values, positionals } = parse(args);
  const { mapping, "mapping-for": mappingFor } = textsIn(args);
  const files: Files = { read: [], write: [], fetches: false, dry: false };
  const [first] = args;
  const mappings = mapping === undefined ? [] : [mapping];
  switch (command) {
    case "backup": {
      const paths = first === undefined ? [] : [first, `${first}.partial`];
      return { ...files, read: paths, write: paths };
    }
    case "restore":
      return { ...files, read: first === undefined ? [] : [first] };
    case "admin":
      return { ...files, read: mappings };
    case "ingest":
    case "quality": {
      const dry = command === "quality" || Boolean(values["dry-run"]);
      if (mappingFor !== undefined) return { ...files, read: [mappingFor], dry: true };
      if (values.fetch) return { ...files, fetches: true, dry };
      const isAddress = (word: string) => /^https?:\/\//i.test(word);
      const read = positionals.filter((word) => word !== "" && word !== "-" && !isAddress(word));
      return {
        read: [...mappings, ...read],
        write: dry ? [] : read.map((path) => `${path}.rejected.ndjson`),
        fetches: positionals.some(isAddress),
        dry,
      };
    }
    default:
      return files;
  }
}

/** Options of all commands. The command itself refuses those of another command. */
const OPTIONS = { ...ASK_OPTIONS, ...INGEST_OPTIONS, to: { type: "string" } } as const;

function parse(args: string[]) {
  return parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true });
}

/** Returns the options that have a text. */
function textsIn(args: string[]): Partial<Record<keyof typeof OPTIONS, string>> {
  return Object.fromEntries(
    Object.entries(parse(args).values).filter(([, value]) => typeof value === "string"),
  );
}

if (import.meta.main) {
  type What = keyof Access | "run";
  const [what, command, ...args] = Deno.args as [What, TaskName, ...string[]];
  try {
    if (what === "run") Deno.exit(await run(command, args));
    const environment = Deno.env.toObject();
    const flag = flagOf(what, reachOf(command, args, environment));
    Deno.stdout.writeSync(new TextEncoder().encode(flag));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    writeLines("stderr", error.message);
    Deno.exit(2);
  }
}
