/** `ask`: searches companies through a running service, and prints the answer as a table. */
import {
  ConnectionError,
  EvidenceClient,
  type FoundCompany,
  ServiceError,
} from "../../client/client.ts";
import type { Settings } from "../config.ts";
import { escapeControls } from "../contract/control_characters.ts";
import { query } from "../contract/search.ts";
import { unlessMissing } from "../db/exists.ts";
import { UsageError } from "../failures.ts";
import { integer } from "./admin_arguments.ts";
import { parseWords } from "./command.ts";
import { ASK_OPTIONS } from "./command_options.ts";
import { demoKeyPath } from "./demo.ts";
import { serviceAddress } from "./service_address.ts";
import { drawColumns } from "./text_columns.ts";

/** Usage of `ask`. */
export const ASK_USAGE = "ask [--limit N] [--json] [--url ADDRESS] [--key KEY] QUESTION…";

/** Usage of `ask --explain`. */
export const EXPLAIN_USAGE = "ask --explain [--limit N] [--json] QUESTION…";

/**
 * Max number of attempts per request, because a person waits for the answer. The number is chosen.
 */
const ATTEMPTS = 3;

/** Context of `ask`. */
export interface AskContext {
  settings: Pick<Settings, "BASE_PATH" | "DATA_DIR" | "HOST" | "PORT">;
  /** Value of CE_API_KEY in the environment. */
  key: string | undefined;
  /** Number of characters per line of the terminal; absent if standard output is no terminal. */
  columns: number | undefined;
  /** Writes a result. */
  print(text: string): void;
  /** Writes a message that is not part of the result. */
  say(text: string): void;
}

/**
 * Runs one search. Returns the exit code.
 * @throws UsageError; Error if there is no key, no service, or no answer
 */
export async function ask(args: string[], context: AskContext): Promise<number> {
  const { question, limit, json, url, key } = await readArguments(args, context);
  const client = new EvidenceClient({ url, key, attempts: ATTEMPTS });
  const result = await client.searchCompanies({ query: question, limit })
    .catch((error) => {
      throw withAdvice(error, url);
    });
  if (json) {
    context.print(JSON.stringify(result));
    return 0;
  }
  const { companies, usage, request_allowance } = result;
  if (companies.length > 0) context.print(drawCompanies(companies, context.columns));
  const none = companies.length === 0 ? "No company was found. " : "";
  const delivered = usage.delivered_units;
  const charged = `${delivered} ${delivered === 1 ? "company" : "companies"}`;
  const left = `Left in this window: ${request_allowance.window_remaining} requests.`;
  // A service can answer any text in place of a figure.
  context.say(
    escapeControls(`${none}Charged: ${usage.request_units} request and ${charged}. ${left}`),
  );
  return 0;
}

async function readArguments(args: string[], { settings, key }: AskContext) {
  const { values: { limit, ...values }, positionals } = parseWords(args, ASK_OPTIONS, ASK_USAGE);
  const question = questionIn(positionals, ASK_USAGE);
  const url = values.url ?? serviceAddress(settings.HOST, settings.PORT) + settings.BASE_PATH;
  const isWeb = /^https?:$/.test(URL.parse(url)?.protocol ?? "");
  if (!isWeb) throw new UsageError("--url: an http or https address is required");
  return {
    question,
    limit: limit === undefined ? undefined : integer({ limit }, "limit"),
    json: values.json ?? false,
    url,
    key: values.key ?? key ?? await readDemoKey(settings.DATA_DIR),
  };
}

/** Returns the question of a command line. @throws UsageError unless a search accepts it */
export function questionIn(words: string[], usage: string): string {
  const { data, error } = query.safeParse(words.join(" "));
  if (error === undefined) return data;
  throw new UsageError(`QUESTION: ${error.issues[0]!.message}, please\n${usage}`);
}

async function readDemoKey(data_dir: string): Promise<string> {
  const key = await unlessMissing(Deno.readTextFile(demoKeyPath(data_dir)));
  if (key !== undefined) return key.trim();
  throw new Error(
    `There is no demo key in ${data_dir}. Start a service with \`deno task start\`, which ` +
      "creates one, or pass a key by --key or CE_API_KEY.",
  );
}

/** Returns the error with a message that tells the user what to do. */
function withAdvice(error: unknown, url: string): unknown {
  if (error instanceof ConnectionError) {
    const remedy =
      "Start one with `deno task start` in another terminal, set PORT to that of the service, or " +
      "pass an address by --url.";
    return new Error(`No service answers at ${url}. ${remedy}`);
  }
  if (error instanceof ServiceError) {
    return new Error(`${error.code}: ${error.message} ${url} has answered.`);
  }
  return error;
}

/** Formats each observation as a row, with its links below the fact. */
function drawCompanies(companies: readonly FoundCompany[], columns: number | undefined): string {
  const rows = companies.flatMap(({ name, observations }) =>
    observations.map(({ occurred_at, observed_at, observed_fact, evidence }, place) => [
      place === 0 ? name : "",
      (occurred_at ?? observed_at).slice(0, 10),
      [observed_fact, ...new Set(evidence.map(({ source_uri }) => source_uri))],
    ])
  );
  return drawColumns({ head: ["COMPANY", "DATE", "FACT AND LINKS"], rows, width: columns });
}
