/** Writes parts of answers as JSON once, and reuses them in many answers. */

/**
 * Placeholder of each `JsonText` while the JSON around it is written. It is random, so that no text
 * of a caller contains it.
 */
const PLACE = crypto.randomUUID();

const UTF8 = new TextEncoder();
const UTF8_DECODER = new TextDecoder();

/** `JsonText`s in the value that framed() is writing, in order; undefined at any other time. */
let pieces: JsonText[] | undefined;

/**
 * The JSON text of a value. It may replace that value in any answer: `encodeJson` copies the text,
 * and `JSON.stringify` writes the same.
 */
export class JsonText {
  #text: string | undefined;
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  #quotedBytes: Uint8Array<ArrayBuffer> | undefined;

  /** @param json the text as a string or in UTF-8 */
  constructor(json: string | Uint8Array<ArrayBuffer>) {
    if (typeof json === "string") this.#text = json;
    else this.#bytes = json;
  }

  get text(): string {
    return this.#text ??= UTF8_DECODER.decode(this.#bytes);
  }

  /** The text in UTF-8. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes ??= UTF8.encode(this.#text);
  }

  /** The text in UTF-8 as the content of a JSON string. */
  get quotedBytes(): Uint8Array<ArrayBuffer> {
    return this.#quotedBytes ??= UTF8.encode(quote(this.text));
  }

  /** Returns the placeholder while framed() runs, and the value itself at any other time. */
  toJSON(): unknown {
    if (pieces === undefined) return JSON.parse(this.text);
    pieces.push(this);
    return PLACE;
  }
}

/** Returns a `JsonText`, typed as the value that it replaces in an answer. */
export function standingFor<Value>(json: string | Uint8Array<ArrayBuffer>): Value {
  return new JsonText(json) as Value;
}

/**
 * Returns the same as `JSON.stringify` in UTF-8, but copies each `JsonText`. The JSON around the
 * texts is written natively, which takes a quarter of the time of a loop over the members of the
 * value. No long string is created, because the server would keep it until the next answer on the
 * connection.
 */
export function encodeJson(value: unknown): Uint8Array<ArrayBuffer> {
  const { frame, texts } = framed(value);
  return join(frame, texts.map(({ bytes }) => bytes));
}

/**
 * Returns the result of `encodeJson`, and a JSON string whose content is the same JSON. Each
 * `JsonText` is quoted only once.
 */
export function encodeTwice(
  value: unknown,
): { json: Uint8Array<ArrayBuffer>; string: Uint8Array<ArrayBuffer> } {
  const { frame, texts } = framed(value);
  const quoted = frame.map(quote);
  quoted[0] = `"${quoted[0]}`;
  quoted.push(`${quoted.pop()}"`);
  return {
    json: join(frame, texts.map(({ bytes }) => bytes)),
    string: join(quoted, texts.map(({ quotedBytes }) => quotedBytes)),
  };
}

/** Returns a text as the content of a JSON string, without the quotation marks around it. */
function quote(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Max number of bytes in UTF-8 per UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

/** Returns the parts in UTF-8, with one of the contents after each part but the last. */
function join(parts: string[], contents: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const [only] = parts;
  if (parts.length === 1) return UTF8.encode(only);
  const room = contents.reduce((sum, { length }) => sum + length, 0) +
    parts.reduce((sum, part) => sum + UTF8_BYTES_MAX * part.length, 0);
  const answer = new Uint8Array(room);
  let end = 0;
  for (const [place, part] of parts.entries()) {
    end += UTF8.encodeInto(part, answer.subarray(end)).written;
    const content = contents[place];
    if (content === undefined) break;
    answer.set(content, end);
    end += content.length;
  }
  return answer.subarray(0, end);
}

/** Returns the texts in a value, and the parts of the JSON around them. */
function framed(value: unknown): { frame: string[]; texts: JsonText[] } {
  const texts: JsonText[] = [];
  pieces = texts;
  try {
    const written = JSON.stringify(value);
    return { frame: texts.length === 0 ? [written] : written.split(`"${PLACE}"`), texts };
  } finally {
    pieces = undefined;
  }
}
