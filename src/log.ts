/** Writes each event as a line of JSON, which never contains a key, a query or an excerpt. */

import { writeText } from "./terminal.ts";

type LogLevel = "debug" | "info" | "warn" | "error";

/** Levels of log lines, in ascending order. */
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

type Fields = Record<string, string | number | boolean | null | undefined>;

/** Log with one function per level. */
export type Log = Record<LogLevel, (message: string, fields?: Fields) => void>;

/** Creates a log that passes lines of `level` and above to `write`, by default standard error. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => writeText("stderr", line),
): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => (message: string, fields: Fields = {}) => {
    if (LOG_LEVELS.indexOf(name) < threshold) return;
    write(
      JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields }) + "\n",
    );
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** Returns the message of an error's root cause for an operator, without a full stop. */
export function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.replace(/\.$/, "");
}

/** Returns the units of an operation for a log; no fields if it was not charged. */
export function unitFields(
  units?: { request_units: number; delivered_units: number; fresh_evidence_units: number },
): Fields {
  if (units === undefined) return {};
  const { request_units, delivered_units, fresh_evidence_units } = units;
  return { request_units, delivered_units, fresh_evidence_units };
}

/**
 * Returns the class, code and message of an error's root cause, without the parameters of a query.
 * Use it only for errors that no text of a caller can have caused.
 */
export function errorFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  if (error.cause instanceof Error) return errorFields(error.cause);
  const code = (error as { code?: unknown }).code;
  return {
    error: error.name,
    code: typeof code === "string" ? code : undefined,
    reason: error.message.slice(0, 300),
  };
}

/**
 * Returns the class, code and source position of an error's root cause, for errors that a caller's
 * text may have caused. The message is left out, because parsers and databases quote the text that
 * they reject.
 */
export function defectFields(error: unknown): Fields {
  if (!(error instanceof Error)) return { error: typeof error };
  if (error.cause instanceof Error) return defectFields(error.cause);
  const { code } = errorFields(error);
  return { error: error.name, code, at: placeOf(error) };
}

/** Pattern of a stack frame in the source of this service. */
const FRAME = /^ +at .*\b(src\/[a-z0-9_/]+\.ts:[0-9]+:[0-9]+)\)?$/;

/** Returns the innermost stack frame in the source of the service; undefined if there is none. */
function placeOf({ stack = "", message }: Error): string | undefined {
  // The stack begins with the message, which may contain a text in the form of a frame.
  const start = stack.indexOf(message);
  if (start < 0) return undefined;
  const frames = stack.slice(start + message.length).split("\n");
  return frames.map((line) => FRAME.exec(line)?.[1]).find((place) => place !== undefined);
}
