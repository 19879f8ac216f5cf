/** Implements the part of PostgreSQL's wire protocol 3.0 that the bridge needs as a server. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Codes of first packets that do not request a session. */
export const STARTUP_CODES = { cancel: 80877102, ssl: 80877103, gss: 80877104 } as const;

/** One message of the protocol. Its bytes begin with its type and length. */
export interface Message {
  type: string;
  bytes: Uint8Array;
}

/** Splits a stream of bytes into first packets, which have no type, and messages. */
export class MessageReader {
  #parts: Uint8Array[] = [];
  #size = 0;

  push(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#size += bytes.length;
  }

  /** Returns the code of the next first packet; undefined while it is incomplete. */
  startup(): number | undefined {
    const packet = this.#take({ offset: 0, min: 8, max: 10_000 });
    return packet && viewOf(packet).getUint32(4);
  }

  /** Returns the next message; undefined while it is incomplete. */
  message(): Message | undefined {
    const bytes = this.#take({ offset: 1, min: 4, max: 2 ** 30 });
    return bytes && { type: String.fromCharCode(bytes[0]!), bytes };
  }

  /**
   * Removes and returns the next bytes if they are complete. Their length without the type, a number
   * of 32 bits, is at `offset`. Joins the parts of a large message only once.
   * @throws RangeError if the length is impossible
   */
  #take({ offset, min, max }: { offset: number; min: number; max: number }) {
    if (this.#size < offset + 4) return;
    if (this.#parts[0]!.length < offset + 4) this.#parts = [concat(this.#parts)];
    const length = viewOf(this.#parts[0]!).getUint32(offset);
    if (length < min || length > max) throw new RangeError("A message has an impossible length.");
    const end = offset + length;
    if (this.#size < end) return;
    const joined = concat(this.#parts);
    this.#parts = joined.length === end ? [] : [joined.subarray(end)];
    this.#size -= end;
    return joined.subarray(0, end);
  }
}

/** Types of messages of the server, as numbers. */
export const COPY_IN_RESPONSE = 0x47;
export const READY_FOR_QUERY = 0x5a;

/**
 * Yields the type, as a number, and the bounds of each message. The bytes contain complete
 * messages.
 */
export function* messagesIn(
  bytes: Uint8Array,
): Generator<{ type: number; offset: number; end: number }> {
  const view = viewOf(bytes);
  for (let offset = 0; offset < bytes.length;) {
    const end = offset + 1 + view.getUint32(offset + 1);
    yield { type: bytes[offset]!, offset, end };
    offset = end;
  }
}

/** Returns the zero-terminated text at `offset` of a message, counted from its type byte. */
export function textAt(message: Uint8Array, offset: number): string {
  return decoder.decode(message.subarray(offset, message.indexOf(0, offset)));
}

/** Joins parts. A single part is returned without a copy. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Composes a message of zero-terminated texts, 32-bit numbers and bytes. */
export function compose(type: string, ...fields: (string | number | Uint8Array)[]): Uint8Array {
  const body = fields.map((field) => {
    if (field instanceof Uint8Array) return field;
    return typeof field === "string" ? encoder.encode(field + "\0") : int32(field);
  });
  const length = body.reduce((sum, part) => sum + part.length, 4);
  return concat([encoder.encode(type), int32(length), ...body]);
}

export const SYNC = compose("S");

export const simpleQuery = (text: string): Uint8Array => compose("Q", text);

export const copyFail = (reason: string): Uint8Array => compose("f", reason);

/** Composes the Close of a prepared statement. */
export const closeStatement = (name: string): Uint8Array => compose("C", encoder.encode("S"), name);

/** Composes an ErrorResponse that ends the connection. */
export function fatalError(code: string, message: string): Uint8Array {
  return compose("E", "SFATAL", "VFATAL", `C${code}`, `M${message}`, Uint8Array.of(0));
}

/**
 * Composes ReadyForQuery. The status is I outside of a transaction, T in one, E in a failed one.
 */
export const readyForQuery = (status: string): Uint8Array => compose("Z", encoder.encode(status));

/**
 * Composes the answer to a startup packet: AuthenticationOk, the parameters, BackendKeyData,
 * ReadyForQuery.
 */
export function greeting(parameters: Record<string, string>, process_id: number): Uint8Array {
  return concat([
    compose("R", 0),
    ...Object.entries(parameters).map(([name, value]) => compose("S", name, value)),
    compose("K", process_id, 0),
    readyForQuery("I"),
  ]);
}

/**
 * NegotiateProtocolVersion, the answer to a client that requests a newer minor version. It offers
 * version 3.0, and reports no option as unknown.
 */
export const NEGOTIATE_3_0 = compose("v", 0, 0);

function int32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  viewOf(bytes).setUint32(0, value);
  return bytes;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
