/** `admin source`: shows and changes the sources, their terms and their schedules. */
import { HEADER_VARIABLE } from "../config.ts";
import type { Sql } from "../db/connect.ts";
import { DEMO_SOURCES } from "../demo/demo.ts";
import { UsageError } from "../failures.ts";
import { addOwnFeed, findOwnFeed, removeOwnFeed } from "../ingest/refresh/own_feed.ts";
import {
  listSources,
  registerSource,
  runFeedNow,
  scheduleFeed,
  setSourceTerms,
  type SourceReport,
  type SourceTerms,
  unscheduleFeed,
} from "../ingest/refresh/schedule.ts";
import { createKeyOf } from "../ingest/refresh/source_key.ts";
import { SOURCES } from "../ingest/sources/sources.ts";
import type { Source } from "../ingest/sources/kit/source.ts";
import { setSource } from "../ingest/record/withdraw.ts";
import {
  type AdminArguments,
  type AdminCommand,
  integer,
  requireFound,
} from "./admin_arguments.ts";
import { answerText } from "./answer_text.ts";
import { readCompany } from "./company_arguments.ts";
import { hasSource, readMapping } from "./ingest_arguments.ts";

/** Range of an interval in seconds. An interval of ten years stands for never. */
const SECONDS_RANGE = [60, 315_360_000] as const;

/** Commands about sources, by their names. */
export const SOURCE_COMMANDS: Record<string, AdminCommand> = {
  "source list": {
    summary:
      "Lists the sources: licences, terms, schedules, last runs and failures. As a table, it " +
      "leaves out sources that are not in use, unless --all is given.",
    options: { all: "" },
    run: async (sql, { values }, { settings, draws, print }) => {
      const keyOf = createKeyOf(settings);
      const sources = await listSources(sql, { sources: SOURCES, keyOf });
      if (!draws) return { sources };
      const shown = values.all === undefined ? sources.filter(isInUse) : sources;
      const unused = sources.length - shown.length;
      print(answerText({ sources: sourceRows(shown) }));
      if (unused > 0) print(`${unused} further sources are not in use; --all shows them.`);
    },
  },
  "source add": {
    summary: "Adds a feed of your own, or replaces it. `source schedule` then polls it.",
    words: ["NAME"],
    required: { address: "URL", mapping: "FILE" },
    options: { "full-listing": "", "header-from-env": "NAME" },
    run: add,
  },
  "source remove": {
    summary: "Removes a feed of your own, and its schedule. Its observations remain.",
    words: ["NAME"],
    run: async (sql, { words: [name] }) =>
      requireFound(await removeOwnFeed(sql, name!), `feed ${name} of your own`),
  },
  "source set": {
    summary: "Changes the terms of a source. `--permitted false` hides all of its observations.",
    words: ["NAME"],
    options: {
      "permitted": "true|false",
      "address": "URL|none",
      "hostname-interval": "SECONDS|none",
      "asked-in-searches": "true|false",
    },
    run: set,
  },
  "source schedule": {
    summary: "Polls a source on a schedule, by default at the source's own interval.",
    words: ["NAME", "[TARGET]"],
    options: { every: "SECONDS", company: "NAME", domain: "HOSTNAME" },
    run: async (sql, { words: [name, target], values }) => {
      const source = await getSource(sql, name!);
      if (values.company !== undefined && !SOURCES.has(name!)) {
        throw new UsageError("--company: the mapping of a feed of your own names the company");
      }
      return await scheduleFeed(sql, source, {
        target,
        interval_seconds: values.every === undefined
          ? undefined
          : integer(values, "every", SECONDS_RANGE),
        company: readCompany(values),
      });
    },
  },
  "source unschedule": {
    summary: "Ends a schedule. The observations of the source remain.",
    words: ["NAME", "[TARGET]"],
    run: async (sql, { words: [source = "", target] }) =>
      requireFound(await unscheduleFeed(sql, { source, target }), feedOf(source, target)),
  },
  "source run": {
    summary: "Makes a schedule due now. `--believe-gone true` accepts that most records are gone.",
    words: ["NAME", "[TARGET]"],
    options: { "believe-gone": "true|false" },
    run: async (sql, { words: [source = "", target], values }) => {
      const believeGone = flag(values, "believe-gone") ?? false;
      const due = await runFeedNow(sql, { source, target }, believeGone);
      return requireFound(due, feedOf(source, target));
    },
  },
};

/**
 * Changes a source, and returns the changes. If --permitted is set, the answer has the permission
 * and the number of the source's observations.
 */
async function set(sql: Sql, { words: [name = ""], values }: AdminArguments): Promise<unknown> {
  const permitted = flag(values, "permitted");
  const terms: SourceTerms = {
    address: addressIn(values),
    hostname_interval_seconds: secondsOrNone(values, "hostname-interval"),
    asked_in_searches: flag(values, "asked-in-searches"),
  };
  const hasTerms = Object.values(terms).some((term) => term !== undefined);
  if (!hasTerms && permitted === undefined) {
    throw new UsageError("source set: an option is required");
  }
  if (hasTerms) {
    const source = await getSource(sql, name);
    if (terms.address !== undefined && !SOURCES.has(name)) {
      throw new UsageError(
        "--address: `admin source add` changes the address of a feed of your own",
      );
    }
    await setSourceTerms(sql, source, terms);
  }
  if (SOURCES.has(name)) await registerSource(sql, name);
  const permission = permitted === undefined
    ? { source: name }
    : requireFound(await setSource(sql, name, permitted), `source ${name}`);
  return { ...permission, ...terms };
}

/** Adds or replaces a feed of the operator. */
async function add(sql: Sql, { words: [name = ""], values }: AdminArguments): Promise<unknown> {
  if (hasSource(name)) throw new UsageError(`source add: the program has a source ${name}`);
  const address = webAddress(values.address!);
  if (address === undefined) {
    throw new UsageError("--address: an http or https address without credentials is required");
  }
  const variable = values["header-from-env"];
  if (variable !== undefined && !HEADER_VARIABLE.test(variable)) {
    throw new UsageError("--header-from-env: the name of a variable such as FEED_KEY is required");
  }
  return await addOwnFeed(sql, {
    name,
    address: address.href,
    mapping: await readMapping(values.mapping!),
    full_listing: values["full-listing"] !== undefined,
    header_variable: variable ?? null,
  });
}

/** Returns a source of the program, or a feed of the operator. @throws Error if there is none */
async function getSource(sql: Sql, name: string): Promise<Source> {
  if (DEMO_SOURCES.includes(name)) throw new UsageError("the demo is invented: no address to poll");
  return requireFound(
    await findOwnFeed(sql, name) ?? SOURCES.get(name),
    `source ${name}; known: ${[...SOURCES.keys()].join(", ")}`,
  );
}

function feedOf(source: string, target: string | undefined): string {
  return `schedule of source ${source}${target === undefined ? "" : ` for ${target}`}`;
}

function flag(values: AdminArguments["values"], name: string): boolean | undefined {
  const value = values[name];
  if (value === undefined) return;
  if (value === "true" || value === "false") return value === "true";
  throw new UsageError(`--${name}: true or false is required`);
}

function secondsOrNone(values: AdminArguments["values"], name: string): number | null | undefined {
  if (values[name] === undefined) return;
  return values[name] === "none" ? null : integer(values, name, SECONDS_RANGE);
}

function addressIn({ address }: AdminArguments["values"]): string | null | undefined {
  if (address === undefined || address === "none") return address && null;
  if (webAddress(address)?.search === "") return address.replace(/\/+$/, "");
  throw new UsageError("--address: an http or https address, or none, is required");
}

/** Reads an http or https address without credentials and fragment; undefined for other texts. */
function webAddress(text: string): URL | undefined {
  const url = URL.parse(text);
  const isPlain = url !== null && /^https?:$/.test(url.protocol) &&
    url.username === "" && url.password === "" && url.hash === "";
  return isPlain ? url : undefined;
}

/** Returns whether a source has records or a schedule, or is the operator's own feed. */
function isInUse({ observations, feeds, own_feed }: SourceReport): boolean {
  return observations > 0 || feeds.length > 0 || own_feed !== null;
}

/** Returns a row per schedule, and a row per source without one. */
function sourceRows(sources: readonly SourceReport[]) {
  return sources.flatMap((source) => {
    const feeds = source.feeds.length > 0 ? source.feeds : [undefined];
    return feeds.map((feed) => ({
      source: source.name,
      target: feed?.target,
      permitted: source.permitted,
      configured: source.configured,
      records: source.observations - source.gone,
      newest: source.newest_at,
      last_run: feed?.last_started_at,
      outcome: feed?.running ? "running" : feed?.last_outcome,
      counts: countsText(feed?.counts ?? {}),
      next_run: feed?.due_at,
      failures: feed?.failures,
      last_error: feed?.last_error,
    }));
  });
}

/** Returns the counts that are not zero, such as "40 read, 2 revised". */
function countsText(counts: object): string {
  return Object.entries(counts).filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} ${name.replaceAll("_", " ")}`).join(", ");
}
