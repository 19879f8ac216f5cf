/** Writes parts of answers as JSON once, and reuses them in many answers. */

/**
 * Placeholder of each `JsonText` while the JSON around it is written. It is random, so that no text
 * of a caller contains it.
 */
const PLACE = crypto.randomUUID();

const UTF8 = new TextEncoder();

/** `JsonText`s in the value that framed() is writing, in order; undefined at any other time. */
let pieces: JsonText[] | undefined;

/**
 * The JSON text of a value. It may replace that value in any answer: `writeJson` copies the text,
 * and `JSON.stringify` writes the same.
 */
export class JsonText {
  #bytes: Uint8Array<ArrayBuffer> | undefined;

  constructor(readonly text: string) {}

  /** The text in UTF-8. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes ??= UTF8.encode(this.text);
  }

  /** Returns the placeholder while framed() runs, and the value itself at any other time. */
  toJSON(): unknown {
    if (pieces === undefined) return JSON.parse(this.text);
    pieces.push(this);
    return PLACE;
  }
}

/** Returns a `JsonText`, typed as the value that it replaces in an answer. */
export function standingFor<Value>(text: string): Value {
  return new JsonText(text) as Value;
}

/**
 * Returns the same as `JSON.stringify`, but copies each `JsonText`. The JSON around the texts is
 * written natively, which takes a quarter of the time of a loop over the members of the value.
 */
export function writeJson(value: unknown): string {
  const { frame, texts } = framed(value);
  return frame.flatMap((part, place) => [part, texts[place]?.text]).join("");
}

/**
 * Returns the result of `writeJson` in UTF-8. Each `JsonText` is encoded only once. No long text is
 * created, because the server would keep it until the next answer on the connection.
 */
export function encodeJson(value: unknown): Uint8Array<ArrayBuffer> {
  const { frame, texts } = framed(value);
  if (texts.length === 0) return UTF8.encode(frame[0]);
  const room = texts.reduce((sum, { bytes }) => sum + bytes.length, 0) +
    frame.reduce((sum, part) => sum + UTF8_BYTES_MAX * part.length, 0);
  const answer = new Uint8Array(room);
  let end = 0;
  for (const [place, part] of frame.entries()) {
    end += UTF8.encodeInto(part, answer.subarray(end)).written;
    const bytes = texts[place]?.bytes;
    if (bytes === undefined) break;
    answer.set(bytes, end);
    end += bytes.length;
  }
  return answer.subarray(0, end);
}

/** Max number of bytes in UTF-8 per UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

/** Returns the texts in a value, and the parts of the JSON around them. */
function framed(value: unknown): { frame: [string, ...string[]]; texts: JsonText[] } {
  const texts: JsonText[] = [];
  pieces = texts;
  try {
    const written = JSON.stringify(value);
    const frame = texts.length === 0 ? [written] : written.split(`"${PLACE}"`);
    return { frame: frame as [string, ...string[]], texts };
  } finally {
    pieces = undefined;
  }
}
