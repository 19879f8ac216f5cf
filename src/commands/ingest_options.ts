/** Options of `ingest` and `quality`, as `parseArgs` of node:util takes them. */
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
