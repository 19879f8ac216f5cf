/** `openapi`: prints the machine-readable contract, which /openapi.json serves too. */
import { printContract } from "../http/openapi.ts";
import { UsageError } from "./command.ts";

/** Usage of `openapi`. */
export const OPENAPI_USAGE = "openapi";

/** Prints the contract. @throws UsageError for any argument */
export function openapi(args: string[], print: (text: string) => void): number {
  if (args.length > 0) throw new UsageError(OPENAPI_USAGE);
  print(printContract());
  return 0;
}
