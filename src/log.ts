/** One JSON line on stderr for each event; never a key, a query or an excerpt. */

export type LogLevel = "debug" | "info" | "warn" | "error";

export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

type Fields = Record<string, string | number | boolean | null | undefined>;

export type Log = Record<LogLevel, (message: string, fields?: Fields) => void>;

const encoder = new TextEncoder();

/** Lines at `level` and above go to `write`, by default standard error. */
export function createLog(
  level: LogLevel,
  write: (line: string) => void = (line) => void Deno.stderr.writeSync(encoder.encode(line)),
): Log {
  const least = LOG_LEVELS.indexOf(level);
  const at = (name: LogLevel) => (message: string, fields: Fields = {}) => {
    if (LOG_LEVELS.indexOf(name) < least) return;
    write(
      JSON.stringify({ time: new Date().toISOString(), level: name, message, ...fields }) + "\n",
    );
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/**
 * What may be logged of an error: class, code and message of what caused it in the end, never the
 * parameters of a query.
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
