/** Finds the files that a run may read and write in the arguments of its command. */
import { parseArgs } from "node:util";
import { INGEST_OPTIONS } from "./command_options.ts";
import type { TaskName } from "./permissions.ts";

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
export function filesOf(command: TaskName, args: string[]): Files {
  const [file] = args;
  if (command === "backup" && file !== undefined) {
    const files = [file, `${file}.partial`];
    return { read: files, write: files, fetches: false, dry: false };
  }
  if (command === "restore" && file !== undefined) {
    return { read: [file], write: [], fetches: false, dry: false };
  }
  if (command === "admin" && args[0] === "source" && args[1] === "add") {
    const options = { mapping: { type: "string" } } as const;
    const { mapping } = parseArgs({ args, options, strict: false, allowPositionals: true }).values;
    const read = typeof mapping === "string" ? [mapping] : [];
    return { read, write: [], fetches: false, dry: false };
  }
  if (command !== "ingest" && command !== "quality") {
    return { read: [], write: [], fetches: false, dry: false };
  }
  const { values, positionals } = parseArgs({
    args,
    options: INGEST_OPTIONS,
    allowPositionals: true,
    strict: false,
  });
  const dry = command === "quality" || Boolean(values["dry-run"]);
  const mapping = typeof values.mapping === "string" ? [values.mapping] : [];
  if (typeof values["mapping-for"] === "string") {
    return { read: [values["mapping-for"]], write: [], fetches: false, dry: true };
  }
  if (values.fetch) return { read: [], write: [], fetches: true, dry };
  const isAddress = (word: string) => /^https?:\/\//i.test(word);
  const read = positionals.filter((word) => word !== "" && word !== "-" && !isAddress(word));
  const write = dry ? [] : read.map((path) => `${path}.rejected.ndjson`);
  return { read: [...mapping, ...read], write, fetches: positionals.some(isAddress), dry };
}
