/** Options of commands for `parseArgs`. permissions.ts reads them too. */

/** Options of `ask`. */
export const ASK_OPTIONS = {
  limit: { type: "string" },
  json: { type: "boolean" },
  url: { type: "string" },
  key: { type: "string" },
  explain: { type: "boolean" },
} as const;

/** Options of `ingest` and `quality`. */
export const INGEST_OPTIONS = {
  format: { type: "string" },
  mapping: { type: "string" },
  "mapping-for": { type: "string" },
  fetch: { type: "boolean" },
  company: { type: "string" },
  domain: { type: "string" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
  create: { type: "boolean" },
  help: { type: "boolean" },
} as const;
