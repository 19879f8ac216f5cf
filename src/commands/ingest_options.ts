/** Options of `ingest` and `quality` for `parseArgs` of node:util. */
export const INGEST_OPTIONS = {
  format: { type: "string" },
  fetch: { type: "boolean" },
  company: { type: "string" },
  domain: { type: "string" },
  "dry-run": { type: "boolean" },
  json: { type: "boolean" },
  create: { type: "boolean" },
  help: { type: "boolean" },
} as const;
