/** Of the HTTP API (specification 9); the MCP server says the same of itself. */
export const API_VERSION = "1.0.0";
