/** Version of the HTTP API (specification 9). The MCP server reports the same one. */
export const API_VERSION = "1.0.0";

/** Version of the program (CHANGELOG.md). */
export const VERSION = "0.1.0";
