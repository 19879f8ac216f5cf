/** What a command of `admin` is, and how the words and options it was given are read. */
import { parseArgs } from "node:util";
import type { Sql } from "../db/connect.ts";
import { type CommandContext, UsageError } from "./command.ts";

export interface Command {
  /** Each takes a value. */
  options: string[];
  /** How many words follow the command's own; a pair where some may be left out. */
  words: number | readonly [least: number, most: number];
  run(sql: Sql, args: Arguments, context: CommandContext): Promise<Result>;
}

export interface Arguments {
  words: string[];
  values: Record<string, string | undefined>;
}

export interface Result {
  /** Printed as JSON. */
  answer: unknown;
  /** Absent: 0. */
  exit_code?: number;
}

/** @throws UsageError, with `usage`, where they are not what the command takes */
export function readArguments(
  args: string[],
  { options, words }: Pick<Command, "options" | "words">,
  usage: string,
): Arguments {
  const [least, most] = typeof words === "number" ? [words, words] : words;
  try {
    const { positionals, values } = parseArgs({
      args,
      options: Object.fromEntries(options.map((name) => [name, { type: "string" as const }])),
      allowPositionals: true,
    });
    const unexpected = positionals[most];
    if (unexpected !== undefined && most === 0) throw new Error(`not expected here: ${unexpected}`);
    if (unexpected !== undefined || positionals.length < least) {
      throw new Error("a NAME is required");
    }
    const empty = Object.entries(values).find(([, value]) => value === "");
    if (empty) throw new Error(`--${empty[0]}: a value is required`);
    return { words: positionals, values: values as Arguments["values"] };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${usage}`);
  }
}

/** The value of an option, or of a word given under its name. @throws UsageError */
export function required(values: Arguments["values"], name: string): string {
  const value = values[name];
  if (value === undefined || value === "") {
    throw new UsageError(`${optionOf(name)}: a value is required`);
  }
  return value;
}

/** A whole number within its range, by default from 1. @throws UsageError */
export function integer(
  values: Arguments["values"],
  name: string,
  [least, most]: readonly [least: number, most: number] = [1, Number.MAX_SAFE_INTEGER],
): number {
  const value = required(values, name);
  const number = Number(value);
  if (!/^[0-9]{1,16}$/.test(value) || number < least || number > most) {
    throw new UsageError(`${optionOf(name)}: a whole number of ${least} to ${most} is required`);
  }
  return number;
}

/** A word of the command line, or one of its options. */
function optionOf(name: string): string {
  return /^[A-Z]/.test(name) ? name : `--${name}`;
}

/** What a command found; @throws an Error that names what there is none of. */
export function found<T>(answer: T | null | undefined, what: string): T {
  if (answer === null || answer === undefined) throw new Error(`there is no ${what}`);
  return answer;
}
