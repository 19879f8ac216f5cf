/** A stream whose first bytes have been read. Disposing of this object closes the stream. */
interface Sniffed extends AsyncDisposable {
  /** First bytes of the stream as text, without a byte order mark. */
  start: string;
  /** The whole stream, first bytes included. It can be read once. */
  replayed: AsyncIterable<Uint8Array>;
}

const SNIFFED_BYTES = 4_096;

/** Reads the first bytes of a file, from which its format can be recognized. */
export async function sniff(stream: AsyncIterable<Uint8Array>): Promise<Sniffed> {
  const rest = stream[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  for (let bytes = 0; bytes < SNIFFED_BYTES;) {
    const { done, value } = await rest.next();
    if (done) break;
    // The chunk is copied, because the stream may reuse its memory.
    seen.push(value.slice());
    bytes += value.length;
  }
  return {
    start: startOf(seen),
    replayed: replayOf(seen, rest),
    // The stream itself is closed here. Closing `replayed` would not close it if `replayed` was
    // never read.
    async [Symbol.asyncDispose]() {
      await rest.return?.();
    },
  };
}

function startOf(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("");
}

async function* replayOf(seen: Uint8Array[], rest: AsyncIterator<Uint8Array>) {
  yield* seen.splice(0);
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
