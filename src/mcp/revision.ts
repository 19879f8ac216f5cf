/**
 * Determines the protocol revision of a message. Requests of revision 2026-07-28 name it in their
 * `_meta`, and repeat parts of the request in headers (Model Context Protocol 2026-07-28,
 * transports). Messages of older revisions name their revision in a header or not at all.
 */
import {
  classifyInboundRequest,
  type JSONRPCMessage,
  type JSONRPCRequest,
  type MessageClassification,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  SUPPORTED_PROTOCOL_VERSIONS,
  UnsupportedProtocolVersionError,
} from "@modelcontextprotocol/server";

/** Latest supported revision of the protocol. It has no handshake. */
export const MODERN_VERSION = "2026-07-28";

/**
 * Supported revisions: the latest one, then those of the SDK. The SDK calls the latest one modern,
 * and the others legacy.
 */
const VERSIONS = [MODERN_VERSION, ...SUPPORTED_PROTOCOL_VERSIONS];

/** Error code for a request whose headers are missing or differ from its body. */
const HEADER_MISMATCH = -32020;

/** Revision of a message. Undefined for revision 2025-11-25 and older ones. */
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
  const classification = classify(message, version, headers.get("mcp-method"));
  if (classification !== undefined && isRequest(message)) requireHeaders(message, headers);
  return classification;
}

/**
 * Returns whether a message is a request. The message is known to be valid, so a look at two
 * members is enough. The SDK's own check of the whole message takes longer.
 */
export function isRequest(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && "id" in message;
}

const MODERN: MessageClassification = { era: "modern", revision: MODERN_VERSION };

/** Returns the SDK's classification of a message. */
function classify(
  message: JSONRPCMessage,
  version: string | null,
  mcpMethod: string | null,
): Revision {
  const outcome = classifyInboundRequest({
    httpMethod: "POST",
    protocolVersionHeader: version ?? undefined,
    mcpMethodHeader: mcpMethod ?? undefined,
    body: message,
  });
  if (outcome.kind === "reject") {
    throw new ProtocolError(outcome.code, outcome.message, outcome.data);
  }
  if (outcome.kind === "legacy") return undefined;
  const { revision } = outcome.classification;
  // Older revisions are not named in `_meta`, so only the modern one can be named instead.
  if (revision !== MODERN_VERSION) {
    const requested = revision ?? "unknown";
    throw new UnsupportedProtocolVersionError({ supported: [MODERN_VERSION], requested });
  }
  return MODERN;
}

function namesRevision(message: JSONRPCMessage): boolean {
  const { params } = message as { params?: { _meta?: Record<string, unknown> } };
  return params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined;
}

/**
 * Requires the headers by which intermediaries route requests, and compares Mcp-Name with the body.
 * The SDK compares the other headers.
 */
function requireHeaders({ method, params }: JSONRPCRequest, headers: Headers): void {
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

/**
 * Decodes a header. A text with characters that a header cannot contain is sent as base64 of its
 * UTF-8: "=?base64?…?=". Returns undefined if the base64 or the UTF-8 is invalid.
 */
function decoded(header: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(header) ?? [];
  if (base64 === undefined) return header;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(
      Uint8Array.fromBase64(base64, { lastChunkHandling: "strict" }),
    );
  } catch {
    return undefined;
  }
}

function mismatch(message: string): ProtocolError {
  return new ProtocolError(HEADER_MISMATCH, `Header mismatch: ${message}`);
}
