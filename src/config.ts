/** Settings from the environment, checked once. */
import { z } from "zod";
import { LOG_LEVELS } from "./log.ts";

const integer = (min: number, max: number) =>
  z.string().regex(/^[0-9]+$/, "a whole number is required").transform(Number)
    .pipe(z.int().min(min).max(max));

/** Origins as browsers write them, separated by commas or white space. */
const origins = z.string().transform((text) => text.split(/[\s,]+/).filter((one) => one !== ""))
  .pipe(z.array(z.string().refine(isOrigin, "an origin such as https://app.example is required")));

function isOrigin(text: string): boolean {
  if (/^https?:/.test(text)) return URL.parse(text)?.origin === text;
  // An origin of a browser extension, for instance.
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#@]+$/.test(text);
}

/** Hosts with their ports, separated by commas or white space. */
const addresses = z.string().transform((text) =>
  text.split(/[\s,]+/).filter((one) => one !== "").map((one) => one.toLowerCase())
).pipe(z.array(
  z.string().regex(
    /^([a-z0-9._-]+|\[[0-9a-f:.]+\]):[0-9]{1,5}$/,
    "a host with its port, such as mirror.internal:8081, is required",
  ),
));

/** Contact of the operator. The User-Agent header contains it as a comment in parentheses. */
const contact = z.string().regex(
  /^[!-'*-[\]-~]+( [!-'*-[\]-~]+)*$/,
  "an e-mail address or a URL is required",
);

/** Base URL of a model's API. */
const endpoint = z.url({ protocol: /^https?$/, error: "an http or https URL is required" })
  .refine((text) => {
    const { username = "", password = "" } = URL.parse(text) ?? {};
    return username + password === "";
  }, "a URL without credentials is required");

const secret = z.string().regex(/^[!-~]+$/, "printable ASCII without spaces is required");

/** Addresses of the nodes of a search cluster, separated by commas. They may contain credentials. */
const nodes = z.string().transform((text) => text.split(",").map((one) => one.trim()))
  .pipe(z.array(z.url({
    protocol: /^https?$/,
    error: "http or https URLs, separated by commas, are required",
  })));

/** A path such as /evidence, which may end with a slash. The root becomes the empty text. */
const basePath = z.string().regex(
  /^(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/,
  "a path such as /evidence, of letters, digits and ._~-, is required",
).transform((path) => path.replace(/\/$/, ""));

/** Max milliseconds that an operator may allow for an acquisition. Leases are longer. */
export const ACQUISITION_MILLISECONDS_MAX = 10_000;

const Settings = z.object({
  PORT: integer(0, 65_535).default(8080),
  HOST: z.string().min(1).default("127.0.0.1"),
  // The database's own reader says what else is wrong. It accepts addresses that are no URL.
  DATABASE_URL: z.string().regex(
    /^postgres(ql)?:\/\//,
    "an address such as postgres://user@host/database is required",
  ).optional(),
  DATA_DIR: z.string().min(1).default("./data"),
  DEMO: z.enum(["auto", "off"]).default("auto"),
  MCP_TOOLS: z.enum(["full", "core"]).default("full"),
  ALLOWED_ORIGINS: origins.default([]),
  BASE_PATH: basePath.default(""),
  WORKERS: integer(0, 64).default(1),
  OPERATION_DEADLINE_SECONDS: integer(1, 86_400).default(900),
  OPERATION_RETENTION_DAYS: integer(1, 3_650).default(30),
  ACQUISITION_RECORDS: integer(0, 1_000).default(50),
  ACQUISITION_MILLISECONDS: integer(1, ACQUISITION_MILLISECONDS_MAX).default(2_000),
  FETCH_CONTACT: contact.optional(),
  FETCH_OPEN_ADDRESSES: addresses.default([]),
  SAM_API_KEY: secret.optional(),
  PLANNER_URL: endpoint.optional(),
  PLANNER_MODEL: z.string().min(1).optional(),
  PLANNER_API_KEY: secret.optional(),
  EMBEDDINGS_URL: endpoint.optional(),
  EMBEDDINGS_MODEL: z.string().min(1).optional(),
  EMBEDDINGS_API_KEY: secret.optional(),
  EMBEDDINGS_QUERY_PREFIX: z.string().max(200).default(""),
  EMBEDDINGS_PASSAGE_PREFIX: z.string().max(200).default(""),
  EMBEDDINGS_CHARACTERS: integer(20, 20_000).default(2_000),
  SEARCH_URL: nodes.optional(),
  SEARCH_SHARDS: integer(1, 1_000).default(2),
  SEARCH_REPLICAS: integer(0, 10).default(1),
  LOG_LEVEL: z.enum(LOG_LEVELS).default("info"),
  METRICS_PORT: integer(0, 65_535).optional(),
  METRICS_HOST: z.string().min(1).default("127.0.0.1"),
}).refine(({ PLANNER_URL, PLANNER_MODEL }) => PLANNER_URL === undefined || PLANNER_MODEL, {
  path: ["PLANNER_MODEL"],
  error: "a model's name is required if PLANNER_URL is set",
}).refine(
  ({ EMBEDDINGS_URL, EMBEDDINGS_MODEL }) => EMBEDDINGS_URL === undefined || EMBEDDINGS_MODEL,
  {
    path: ["EMBEDDINGS_MODEL"],
    error: "a model's name is required if EMBEDDINGS_URL is set",
  },
).refine(({ EMBEDDINGS_URL, SEARCH_URL }) => !EMBEDDINGS_URL || !SEARCH_URL, {
  path: ["EMBEDDINGS_URL"],
  error: "vectors need the index in memory, so SEARCH_URL must not be set",
});

/** Checked settings. An empty setting counts as not set. */
export type Settings = z.infer<typeof Settings> & {
  /** Headers of requests to operators' own feeds, by the names of the variables that hold them. */
  feed_headers: Record<string, Record<string, string>>;
};

/** Pattern of the names of variables that hold a header. */
export const HEADER_VARIABLE = /^FEED_[A-Z0-9_]{1,100}$/;

/** Error of an invalid setting. The message names it and never shows its value. */
export class SettingError extends Error {
  override name = "SettingError";
}

/** Names of all settings. Variables of HEADER_VARIABLE are read too. */
export const SETTING_NAMES: readonly string[] = Object.keys(Settings.shape);

/**
 * Reads and checks the settings.
 * @throws SettingError
 */
export function readSettings(
  environment: Record<string, string | undefined> = Deno.env.toObject(),
): Settings {
  const values = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== ""),
  );
  const parsed = Settings.safeParse(values);
  if (parsed.success) return { ...parsed.data, feed_headers: readHeaders(values) };
  const [issue] = parsed.error.issues;
  throw new SettingError(`setting ${String(issue!.path[0])}: ${issue!.message}`);
}

/** Matches a header line, such as `Authorization: Bearer secret`. */
const HEADER_LINE = /^([!#$%&'*+.^`|~\w-]+): *([!-~](?:[ -~]*[!-~])?)$/;

function readHeaders(values: Record<string, string | undefined>): Settings["feed_headers"] {
  const variables = Object.entries(values).filter(([name]) => HEADER_VARIABLE.test(name));
  return Object.fromEntries(variables.map(([variable, text]) => {
    const [, name, value] = HEADER_LINE.exec(text!) ?? [];
    if (name !== undefined) return [variable, { [name.toLowerCase()]: value! }];
    throw new SettingError(`setting ${variable}: a header such as "Name: value" is required`);
  }));
}
