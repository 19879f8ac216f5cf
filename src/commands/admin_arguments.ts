/** Reads the words and options of `admin` commands, and writes their usage. */
import { normalizeInstant } from "../contract/instant.ts";
import type { Sql } from "../db/connect.ts";
import { UsageError } from "../failures.ts";
import { type CommandContext, parseWords } from "./command.ts";

/** One command of `admin`. */
export interface AdminCommand {
  /** One sentence for `--help`. */
  summary: string;
  /**
   * Names of the words that follow the command's name. A word in brackets is optional. A word whose
   * name ends in "ID" is a whole number.
   */
  words?: readonly string[];
  /** Required options, each with the description of its value. */
  required?: Options;
  /** Optional options, each with the description of its value; empty for a flag. */
  options?: Options;
  /**
   * Describes the irreversible effect. The operator is asked before such a command runs.
   * @throws UsageError if the arguments name no target
   */
  irreversible?(args: AdminArguments): string;
  /**
   * Runs the command. Returns the answer, which is printed as JSON or as a table; undefined if the
   * command has printed its result itself.
   */
  run(sql: Sql, args: AdminArguments, context: AdminContext): Promise<unknown>;
}

/** Context of a command of `admin`. */
export interface AdminContext extends CommandContext {
  /** Prints a line of a result. */
  print(line: string): void;
  /** True if the result is for a reader at a terminal; false if it is for a program. */
  draws: boolean;
  /** Sets the exit code to 1. */
  fail(): void;
}

/** Names of options, each with the description of its value. */
export type Options = Readonly<Record<string, string>>;

/** Words and options of the command line. The value of a flag is `"true"`. */
export interface AdminArguments {
  words: string[];
  /** Values of the words whose names end in "ID". */
  ids: number[];
  values: Record<string, string | undefined>;
}

/** Options of every command. With `--json`, the answer at a terminal is JSON as well. */
const COMMON: Options = { help: "", create: "", json: "" };

/**
 * Reads the words and options of a command.
 * @throws UsageError, with `usage`, for any other words and options
 */
export function readArguments(
  args: string[],
  command: AdminCommand,
  usage: string,
): AdminArguments {
  const options = { ...COMMON, ...command.required, ...optionsOf(command) };
  const types = Object.entries(options).map(([name, value]) => [
    name,
    { type: value === "" ? "boolean" as const : "string" as const },
  ]);
  const parsed = parseWords(args, Object.fromEntries(types), usage);
  const { positionals: words } = parsed;
  const values = Object.fromEntries(
    Object.entries(parsed.values).map(([name, value]) => [name, String(value)]),
  );
  if (values.help) return { words, values, ids: [] };
  const fault = faultOf(command, words, values);
  if (fault !== undefined) throw new UsageError(`${fault}\n${usage}`);
  const ids = (command.words ?? []).flatMap((name, place) =>
    name.endsWith("ID") ? [integer({ [name]: words[place] }, name)] : []
  );
  return { words, values, ids };
}

function faultOf(
  { required = {}, words: names = [] }: AdminCommand,
  words: string[],
  values: AdminArguments["values"],
): string | undefined {
  if (words.length > names.length) return `not expected here: ${words[names.length]}`;
  const missing = names[words.length];
  if (missing !== undefined && !missing.startsWith("[")) return `a ${missing} is required`;
  const empty = Object.keys({ ...required, ...values }).find((name) => !values[name]);
  return empty && `--${empty}: a value is required`;
}

function optionsOf({ options = {}, irreversible }: AdminCommand): Options {
  return irreversible === undefined ? options : { ...options, yes: "" };
}

/** Max number of characters per line of a usage. */
const USAGE_WIDTH = 96;

/** Writes the usage of a command, in several lines if it is long. */
export function usageOf(name: string, command: AdminCommand): string {
  const { words = [], required = {} } = command;
  const parts = [
    ...words,
    ...Object.entries(required).map(([option, value]) => `--${option} ${value}`),
    ...Object.entries(optionsOf(command)).map(([option, value]) =>
      `[--${option}${value === "" ? "" : ` ${value}`}]`
    ),
  ];
  const lines = [`admin ${name}`];
  for (const part of parts) {
    const longer = `${lines.at(-1)} ${part}`;
    if (longer.length <= USAGE_WIDTH) lines[lines.length - 1] = longer;
    else lines.push(`    ${part}`);
  }
  return lines.join("\n");
}

/** Writes the text of `--help` for a command. */
export function helpOf(name: string, command: AdminCommand): string {
  const question = command.irreversible === undefined
    ? ""
    : "\nAsks for confirmation first; --yes confirms.";
  return `${usageOf(name, command)}\n${command.summary}${question}`;
}

/** Returns the value as a whole number within a range, by default from 1. @throws UsageError */
export function integer(
  values: AdminArguments["values"],
  name: string,
  [min, max]: readonly [min: number, max: number] = [1, Number.MAX_SAFE_INTEGER],
): number {
  const value = values[name] ?? "";
  const number = Number(value);
  if (!/^[0-9]{1,16}$/.test(value) || number < min || number > max) {
    throw new UsageError(`${optionOf(name)}: a whole number of ${min} to ${max} is required`);
  }
  return number;
}

/**
 * Returns the value of an option that is a day; undefined if the option is absent.
 * @throws UsageError
 */
export function day(values: AdminArguments["values"], name: string): string | undefined {
  const value = values[name];
  if (value === undefined || normalizeInstant(`${value}T00:00Z`) !== undefined) return value;
  throw new UsageError(`${optionOf(name)}: a day such as 2026-11-30 is required`);
}

/** Returns the name of a word or option as it is written on the command line. */
function optionOf(name: string): string {
  return /^[A-Z]/.test(name) ? name : `--${name}`;
}

/** Returns the answer of a command. @throws Error that names the object that does not exist */
export function requireFound<T>(answer: T | null | undefined, what: string): T {
  if (answer === null || answer === undefined) throw new Error(`there is no ${what}`);
  return answer;
}
