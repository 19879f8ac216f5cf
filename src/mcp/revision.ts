/**
 * Protocol revision of a message. Requests of 2026-07-28 name it in their `_meta` and repeat what
 * they ask for in headers (Model Context Protocol 2026-07-28, transports). Messages of the revisions
 * before name it in a header, if at all.
 */
import {
  classifyInboundRequest,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type MessageClassification,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";

/** Revision without a handshake. */
export const MODERN_VERSION = "2026-07-28";

/** Revisions of both eras. */
const VERSIONS = [MODERN_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Code of a request whose headers differ from its body. */
const HEADER_MISMATCH = -32020;

/** What a message is served as; without it, as one of revision 2025-11-25 or older. */
export type Revision = MessageClassification | undefined;

/**
 * Finds the revision of a message.
 * @throws ProtocolError that is answered with status 400
 */
export function revisionOf(message: JSONRPCMessage, headers: Headers): Revision {
  const version = headers.get("mcp-protocol-version");
  if (!namesRevision(message)) {
    if (version !== null && !VERSIONS.includes(version)) {
      throw new UnsupportedProtocolVersionError({ supported: VERSIONS, requested: version });
    }
    if (version !== MODERN_VERSION) return undefined;
  }
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: version ?? undefined,
    mcpMethodHeader: headers.get("mcp-method") ?? undefined,
    body: message,
  });
  if (outcome.kind === "reject") {
    throw new ProtocolError(outcome.code, outcome.message, outcome.data);
  }
  if (outcome.kind === "legacy") return undefined;
  const { revision } = outcome.classification;
  if (revision !== MODERN_VERSION) {
    const requested = revision ?? "unknown";
    throw new UnsupportedProtocolVersionError({ supported: [MODERN_VERSION], requested });
  }
  if (outcome.messageKind === "request") requireHeaders(outcome.message, headers);
  return outcome.classification;
}

function namesRevision(message: JSONRPCMessage): boolean {
  const { params } = message as { params?: { _meta?: Record<string, unknown> } };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

/** The headers that intermediaries route by must be there and say what the body says. */
function requireHeaders(
  { method, params }: Extract<JSONRPCMessage, { method: string }>,
  headers: Headers,
): void {
  for (const name of ["MCP-Protocol-Version", "Mcp-Method"]) {
    if (headers.get(name) === null) throw mismatch(`the header ${name} is required`);
  }
  const field = method === "tools/call" ? "name" : method.startsWith("tasks/") ? "taskId" : null;
  const value = field === null ? undefined : params?.[field];
  if (typeof value !== "string") return;
  const header = headers.get("mcp-name");
  if (header === null) throw mismatch("the header Mcp-Name is required");
  if (decoded(header) !== value) throw mismatch(`the header Mcp-Name is not params.${field}`);
}

/** Texts that no header can carry as they are come as base64 of their UTF-8. */
function decoded(header: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  if (base64 === undefined) return header;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(base64));
  } catch {
    return undefined;
  }
}

function mismatch(message: string): ProtocolError {
  return new ProtocolError(HEADER_MISMATCH, `Header mismatch: ${message}`);
}

/** Returns the id that an error of a message repeats. */
export function idOf(message: JSONRPCMessage): string | number | null {
  return isJSONRPCRequest(message) ? message.id : null;
}
