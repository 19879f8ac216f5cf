/** Options of `ask`, which the command and its permissions read alike. */
export const ASK_OPTIONS = {
  limit: { type: "string" },
  json: { type: "boolean" },
  url: { type: "string" },
  key: { type: "string" },
} as const;
