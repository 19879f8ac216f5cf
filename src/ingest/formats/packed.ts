/** Refuses packed and binary files, whose bytes a reader of texts would take for rows. */
import { UnreadableSource } from "../record/entry.ts";

/** First bytes of files in hexadecimal form, with what such a file is. */
const SIGNATURES: readonly (readonly [start: RegExp, what: string])[] = [
  [/^1f8b08/, "compressed with gzip; unpack it first"],
  [/^28b52ffd/, "compressed with zstd; unpack it first"],
  [/^425a683[1-9]314159/, "compressed with bzip2; unpack it first"],
  [/^fd377a585a00/, "compressed with xz; unpack it first"],
  [/^377abcaf271c/, "a 7z archive; unpack it first"],
  [
    /^504b0304/,
    "a ZIP archive or an XLSX workbook; unpack it first, or use a mapping with the format xlsx",
  ],
  [/^d0cf11e0/, "a workbook or document of Office 97; save it as XLSX or CSV first"],
  [/^5041523115/, "a Parquet file; convert it to NDJSON or CSV first"],
  [/^255044462d/, "a PDF document, which cannot be read"],
];

/** Yields the bytes of a text file. @throws UnreadableSource if the file is packed or binary */
export async function* textBytes(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const chunk of stream) {
    if (isFirst && chunk.length > 0) {
      const start = chunk.subarray(0, 8).toHex();
      const what = SIGNATURES.find(([pattern]) => pattern.test(start))?.[1];
      if (what !== undefined) throw new UnreadableSource(`the file is ${what}`);
      isFirst = false;
    }
    yield chunk;
  }
}
