/** Reads and decodes the body of an answer within a limit. */
import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { HttpReply } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";

interface BodyOptions {
  /** Max bytes of the body, both before and after decoding. */
  bytes: number;
  host: string;
}

/** Streaming decoders, by content coding. */
const DECODERS: Record<string, () => Transform> = {
  "gzip": createGunzip,
  "x-gzip": createGunzip,
  "br": createBrotliDecompress,
  "deflate": createInflate,
};

/**
 * Content codings that are requested. Some hosts send deflate nevertheless, so it is decoded too.
 */
export const ACCEPTED_ENCODINGS = "gzip, br";

/**
 * Returns the decoded body. Decoding stops at the limit, so a compression bomb is never decoded as
 * a whole.
 * @throws FetchFailure too_large or bad_encoding: at once if the headers show it, otherwise while
 * reading
 */
export function readReply(reply: HttpReply, options: BodyOptions): AsyncIterable<Uint8Array> {
  const { bytes, host } = options;
  const encoding = reply.headers["content-encoding"]?.trim().toLowerCase() || "identity";
  const decoder = DECODERS[encoding];
  if (encoding !== "identity" && decoder === undefined) {
    throw new FetchFailure("bad_encoding", `${host}: an encoding that was not asked for`);
  }
  if (Number(reply.headers["content-length"]) > bytes) throw tooLarge(options);
  const sent = bounded(reply.chunks, options);
  return decoder === undefined ? sent : bounded(decode(sent, decoder, host), options);
}

async function* decode(
  sent: AsyncIterable<Uint8Array>,
  createDecoder: () => Transform,
  host: string,
): AsyncGenerator<Uint8Array> {
  // With a callback, pipeline() reports the failure of any stream to the reader of the last stream.
  const decoded = pipeline(Readable.from(sent), createDecoder(), () => {});
  try {
    yield* decoded;
  } catch (error) {
    if (!String((error as { code?: unknown }).code).match(/^(Z_|ERR_)/)) throw error;
    throw new FetchFailure("bad_encoding", `${host}: a body that cannot be decoded`);
  }
}

async function* bounded(
  chunks: AsyncIterable<Uint8Array>,
  options: BodyOptions,
): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > options.bytes) throw tooLarge(options);
    yield chunk;
  }
}

function tooLarge({ host, bytes }: BodyOptions): FetchFailure {
  return new FetchFailure("too_large", `${host}: a body of more than ${bytes} bytes`);
}
