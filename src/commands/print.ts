/** Commands that only print: `openapi` and `version`. */
import { VERSION } from "../contract/version.ts";
import { readSchema } from "../db/scripts.ts";
import { printContract } from "../http/openapi.ts";
import { UsageError } from "./command.ts";

/** Usage of `version`. */
export const VERSION_USAGE = "version";

/**
 * Prints the versions of the program and its runtime, and its last migration.
 * @throws UsageError for any argument
 */
export function version(args: string[], print: (line: string) => void): number {
  if (args.length > 0) throw new UsageError(VERSION_USAGE);
  print(JSON.stringify({
    version: VERSION,
    deno: Deno.version.deno,
    migration: readSchema().tables.at(-1)!.name,
  }));
  return 0;
}

/** Usage of `openapi`. */
export const OPENAPI_USAGE = "openapi";

/** Prints the contract. @throws UsageError for any argument */
export function openapi(args: string[], print: (text: string) => void): number {
  if (args.length > 0) throw new UsageError(OPENAPI_USAGE);
  print(printContract());
  return 0;
}
