/** Options of `ask`, which both the command and its permissions read. */
export const ASK_OPTIONS = {
  limit: { type: "string" },
  json: { type: "boolean" },
  url: { type: "string" },
  key: { type: "string" },
} as const;
