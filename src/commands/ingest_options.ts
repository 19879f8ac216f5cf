/** Options of `ingest`, as `parseArgs` of node:util takes them. */
export const INGEST_OPTIONS = {
  format: { type: "string" },
  fetch: { type: "boolean" },
  company: { type: "string" },
  domain: { type: "string" },
} as const;
