/** Reads the body of a request, with limits on bytes, number of reads and time. */
import { Failure } from "../failures.ts";

/** Max number of bytes in a body. The largest valid request has a tenth of it. */
export const MAX_BODY_BYTES = 256 * 1024;

/**
 * Number of reads of any size. A read costs about 40 µs and a read buffer, so a body of 1-byte
 * chunks costs 3 ms and 2 MB.
 */
export const FREE_READS = 64;

/** Min average number of bytes of each further read: less than half a TCP segment. */
export const MIN_READ_BYTES = 512;

/**
 * Milliseconds until a body must have arrived. The largest valid request then needs 2.6 KB/s, which
 * a phone on a bad network reaches.
 */
export const BODY_MILLISECONDS = 10_000;

/** Number of bytes of the first buffer, which holds nearly every request. */
const FIRST_BYTES = 4_096;

/**
 * Reads a body into one growing buffer. The rest of a refused body is left unread, because
 * cancelling the stream would make the server decode it, which blocks for seconds. An answer to an
 * unread body closes the connection anyway.
 * @throws Failure payload_too_large or request_timeout
 */
export async function readBody(
  request: Request,
  { milliseconds = BODY_MILLISECONDS }: { milliseconds?: number } = {},
): Promise<Uint8Array> {
  // The server reads no more bytes than declared.
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
  return new Failure("payload_too_large");
}
