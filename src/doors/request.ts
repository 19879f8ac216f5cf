/** Reads a Request for both doors (HTTP and MCP): its caller, its request key and its JSON body. */
import { hashKey, isWellFormedKey } from "../accounts/credential.ts";
import type { FieldFault } from "../contract/faults.ts";
import { checkMembers } from "../contract/json_members.ts";
import { IDEMPOTENCY_KEY } from "../contract/request_key.ts";
import { Failure } from "../failures.ts";
import type { ChargedUnits } from "../metrics.ts";
import type { Caller } from "../operations/action.ts";

/** State of a request that Hono passes on between the functions of a door. */
export interface DoorEnvironment {
  Bindings: {
    /** True if the request came by HTTP/1.1, which requires a Host header. */
    requires_host: boolean;
  };
  Variables: {
    request_id: string;
    /**
     * Route in the notation of the route table. It is logged, because a path is a caller's text.
     */
    route?: string;
    /** Name of the called MCP tool. */
    tool?: string;
    /** Caller of the request; absent if it has no well-formed key. */
    caller?: Caller;
    /** Code of the failure in the answer. */
    code?: string;
    /** Units that the request was charged. */
    charged?: ChargedUnits;
  };
}

/**
 * Reads the caller's key.
 * @throws Failure invalid_api_key if there is no bearer key, or a malformed one
 */
export function readCaller(headers: Headers): Caller {
  const authorization = headers.get("authorization");
  const [, key] = /^bearer +(\S+) *$/i.exec(authorization ?? "") ?? [];
  if (key === undefined) {
    throw new Failure("invalid_api_key", {
      message: authorization === null ? NO_AUTHORIZATION : NO_BEARER,
    });
  }
  if (!isWellFormedKey(key)) throw new Failure("invalid_api_key", { message: NO_KEY });
  return { key_hash: hashKey(key) };
}

const HEADER = "Send the header Authorization: Bearer ce_…";
const NO_AUTHORIZATION = `The request has no API key. ${HEADER}`;
const NO_BEARER = `The Authorization header is not "Bearer" and one key. ${HEADER}`;
const NO_KEY = "The text after Bearer is no API key: a letter is missing or wrong, or it is " +
  "another service's. Keys begin with ce_.";

/** Pattern of a string in a structured field (RFC 9651). A backslash escapes a quote or itself. */
const STRUCTURED_STRING = /^"((?:[^"\\]|\\["\\])*)"$/;

/**
 * Reads the Idempotency-Key header. The IETF draft of the header writes the key as a structured
 * string, so `"k"` names the same key as `k`. A server joins two headers of the same name by a
 * comma and a space. A key with a comma before a space is therefore a fault, because it may be two
 * keys.
 */
export function readHeaderKey(headers: Headers): { key: string | null; faults: FieldFault[] } {
  const key = headers.get(IDEMPOTENCY_KEY);
  if (!key?.includes(", ")) {
    const quoted = STRUCTURED_STRING.exec(key ?? "")?.[1];
    return { key: quoted?.replace(/\\(.)/g, "$1") ?? key, faults: [] };
  }
  const sentence = "exactly one header is required, without a comma before a space";
  return { key: null, faults: [{ path: [IDEMPOTENCY_KEY], sentence }] };
}

/** Max number of bytes in a body. The largest valid request has a tenth of this size. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Number of first reads of a body that may return chunks of any size. A read costs about 40 µs and
 * a read buffer, so all of these reads cost up to 3 ms and 2 MB.
 */
export const FREE_READS = 64;

/** Min average number of bytes per read after FREE_READS. This is less than half a TCP segment. */
export const MIN_READ_BYTES = 512;

/**
 * Milliseconds within which a body must arrive. The largest valid request then needs 2.6 KB/s,
 * which a phone on a bad network reaches.
 */
export const BODY_MILLISECONDS = 10_000;

/** First size of the buffer of a body. Most bodies are shorter. */
const FIRST_BYTES = 4_096;

/** Max nesting depth. Valid requests have a depth of three. The number is chosen far above that. */
export const MAX_DEPTH = 32;

/**
 * Max number of members of an object, because a refusal names the unknown ones. Valid requests have
 * about ten. The number is chosen far above that.
 */
const MAX_MEMBERS = 1_000;

/** Decoder of UTF-8, which keeps no state between two texts. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Matches a parameter of a media type that names another charset than JSON has (RFC 8259, 8.1). */
const OTHER_CHARSET = /;\s*charset\s*=\s*"?(?!(?:utf-?8|us-ascii)\b)[^\s;",]/i;

/**
 * Reads a JSON body.
 * @throws Failure unsupported_media_type, payload_too_large or request_timeout; unavailable if the
 * connection ends before the body does
 * @throws SyntaxError with a sentence for the caller
 */
export async function readJson(request: Request): Promise<unknown> {
  const { headers } = request;
  const type = headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type) || OTHER_CHARSET.test(type)) {
    throw new Failure("unsupported_media_type");
  }
  if (!/^(identity)?$/i.test(headers.get("content-encoding") ?? "")) {
    throw new Failure("unsupported_media_type", {
      message: "Content-Encoding: the body must be sent without an encoding.",
    });
  }
  const bytes = await readBody(request).catch((error) => {
    // Any error other than a Failure means that the client has closed the connection.
    throw error instanceof Failure ? error : new Failure("unavailable", {}, { cause: error });
  });
  return readStrictJson(bytes);
}

/**
 * Reads a body into one growing buffer. The rest of a refused body is left unread, because
 * cancelling the stream would make the server decode it, which blocks for seconds. The answer to an
 * unread body asks the client to close the connection.
 * @throws Failure payload_too_large or request_timeout
 */
export async function readBody(
  request: Request,
  { milliseconds = BODY_MILLISECONDS }: { milliseconds?: number } = {},
): Promise<Uint8Array> {
  // The server reads no more bytes than declared, and refuses a length that is no number.
  if (Number(request.headers.get("content-length")) > MAX_BODY_BYTES) throw tooLarge();
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    // This rejects the pending read. A race of promises would cost more than reading.
    reader.releaseLock();
  }, milliseconds);
  try {
    return await readBounded(reader);
  } catch (error) {
    throw isLate ? new Failure("request_timeout") : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Copies chunks into one buffer, because each chunk is a view that keeps a whole read buffer alive.
 */
async function readBounded(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  let buffer = new Uint8Array(FIRST_BYTES);
  let length = 0;
  for (let reads = 0; reads < FREE_READS + length / MIN_READ_BYTES; reads++) {
    const { done, value } = await reader.read();
    if (done) return buffer.subarray(0, length);
    if (length + value.byteLength > MAX_BODY_BYTES) throw tooLarge();
    buffer = withRoom(buffer, length + value.byteLength);
    buffer.set(value, length);
    length += value.byteLength;
  }
  throw new Failure("payload_too_large", { message: "The body arrives in too many small parts." });
}

/** Returns the buffer, or a larger one with its content if it is shorter than `length`. */
function withRoom(buffer: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= buffer.byteLength) return buffer;
  return new Uint8Array(buffer.buffer.transfer(Math.min(2 * length, MAX_BODY_BYTES)));
}

function tooLarge(): Failure {
  return new Failure("payload_too_large", {
    message: `The body has more than ${MAX_BODY_BYTES} bytes.`,
  });
}

/**
 * Parses a JSON text in UTF-8 within MAX_DEPTH and MAX_MEMBERS. Refuses an object with two
 * members of the same name, because some parsers read the first one and others the last one.
 * @throws SyntaxError with a sentence for the caller
 */
export function readStrictJson(bytes: Uint8Array): unknown {
  let text: string;
  let value: unknown;
  try {
    text = UTF8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw new SyntaxError(bytes.length > 0 ? "not valid JSON in UTF-8" : "empty, JSON is required");
  }
  checkMembers(text, { depth: MAX_DEPTH, members: MAX_MEMBERS });
  return value;
}
