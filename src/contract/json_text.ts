/** Writes parts of answers as JSON once, and reuses them in many answers. */

/**
 * Placeholder of each `JsonText` while the JSON around it is written. It is random, so that no text
 * of a caller contains it.
 */
const PLACE = crypto.randomUUID();
/** The placeholder as JSON, and as JSON within a JSON string. */
const PLACE_IN_JSON = JSON.stringify(PLACE);
const PLACE_IN_STRING = quote(PLACE_IN_JSON);

const UTF8 = new TextEncoder();
const UTF8_DECODER = new TextDecoder();

/**
 * Buffer for the JSON of a frame and of the frames in it. It grows to twice the length of the
 * longest one, and never shrinks.
 */
let scratch = new Uint8Array(64 * 1024);

/** `JsonText`s in the value that framed() is writing, in order; undefined at any other time. */
let pieces: JsonText[] | undefined;

type Bytes = Uint8Array<ArrayBuffer>;

/** JSON with placeholders, and what replaces them, in order: texts in UTF-8, and other frames. */
export interface Frame {
  json: string;
  /** The placeholder as `json` contains it. */
  place: string;
  contents: readonly (Bytes | Frame)[];
}

/**
 * The JSON text of a value. It may replace that value in any answer: `encodeJson` copies the text,
 * and `JSON.stringify` writes the same.
 */
export class JsonText {
  readonly #json: string | Frame;
  #bytes: Bytes | undefined;
  #quotedBytes: Bytes | undefined;

  /** @param json the text, or a frame that becomes the text */
  constructor(json: string | Frame) {
    this.#json = json;
  }

  get text(): string {
    return typeof this.#json === "string" ? this.#json : UTF8_DECODER.decode(filled(this.#json));
  }

  /** The frame of a text, or otherwise the text in UTF-8, which is encoded once. */
  get content(): Bytes | Frame {
    if (typeof this.#json !== "string") return this.#json;
    return this.#bytes ??= UTF8.encode(this.#json);
  }

  /** The text in UTF-8 as the content of a JSON string. */
  get quotedBytes(): Bytes {
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
export function standingFor<Value>(json: string | Frame): Value {
  return new JsonText(json) as Value;
}

/**
 * Returns the same as `JSON.stringify` in UTF-8, but copies each `JsonText`. The JSON around the
 * texts is written natively, which takes a quarter of the time of a loop over the members of the
 * value. No long string is created, because the server would keep it until the next answer on the
 * connection.
 */
export function encodeJson(value: unknown): Bytes {
  const { json, texts } = framed(value);
  if (texts.length === 0) return UTF8.encode(json);
  return filled({ json, place: PLACE_IN_JSON, contents: texts.map(({ content }) => content) });
}

/**
 * Returns a value's JSON, and a JSON string whose content is the same JSON. Each `JsonText` is
 * quoted only once.
 */
export function framesOfBoth(value: unknown): { json: Frame; string: Frame } {
  const { json, texts } = framed(value);
  return {
    json: { json, place: PLACE_IN_JSON, contents: texts.map(({ content }) => content) },
    string: {
      json: JSON.stringify(json),
      place: PLACE_IN_STRING,
      contents: texts.map(({ quotedBytes }) => quotedBytes),
    },
  };
}

/** Returns a text as the content of a JSON string, without the quotation marks around it. */
function quote(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Max number of bytes in UTF-8 per UTF-16 code unit. */
const UTF8_BYTES_MAX = 3;

/** Returns the text of a frame in UTF-8. */
function filled(frame: Frame): Bytes {
  const { bytes, units } = sizeOf(frame);
  // This is usually enough: the length of the placeholders is left for characters beyond ASCII.
  const whole = new Uint8Array(bytes + units);
  const end = fill(whole, 0, frame);
  if (end !== undefined) return whole.subarray(0, end);
  const longer = new Uint8Array(bytes + UTF8_BYTES_MAX * units);
  return longer.subarray(0, fill(longer, 0, frame));
}

/** Returns the bytes of the texts in a frame, and the UTF-16 code units of the JSON around them. */
function sizeOf({ json, contents }: Frame): { bytes: number; units: number } {
  let [bytes, units] = [0, json.length];
  for (const content of contents) {
    if (content instanceof Uint8Array) {
      bytes += content.length;
    } else {
      const inner = sizeOf(content);
      bytes += inner.bytes;
      units += inner.units;
    }
  }
  return { bytes, units };
}

/**
 * Writes a frame at an offset. JSON in ASCII is encoded once into the scratch buffer and copied from
 * there, which is faster than encoding each part between two placeholders.
 * @param used number of bytes at the start of the scratch buffer that outer frames still need
 * @returns the offset of the end; undefined if the frame does not fit
 */
function fill(
  whole: Bytes,
  at: number,
  { json, place, contents }: Frame,
  used = 0,
): number | undefined {
  const usedAfter = used + json.length;
  if (scratch.length < usedAfter) {
    scratch = new Uint8Array(scratch.buffer.transfer(2 * usedAfter));
  }
  const { read, written } = UTF8.encodeInto(json, scratch.subarray(used, usedAfter));
  const isAscii = read === written && read === json.length;
  let from = 0;
  for (let n = 0; n <= contents.length; n++) {
    const to = n < contents.length ? json.indexOf(place, from) : json.length;
    if (to < 0) throw new Error("the JSON has fewer placeholders than contents");
    if (isAscii) {
      if (at + to - from > whole.length) return;
      whole.set(scratch.subarray(used + from, used + to), at);
      at += to - from;
    } else {
      const part = UTF8.encodeInto(json.slice(from, to), whole.subarray(at));
      if (part.read < to - from) return;
      at += part.written;
    }
    from = to + place.length;
    const content = contents[n];
    if (content instanceof Uint8Array) {
      if (at + content.length > whole.length) return;
      whole.set(content, at);
      at += content.length;
    } else if (content !== undefined) {
      const end = fill(whole, at, content, usedAfter);
      if (end === undefined) return;
      at = end;
    }
  }
  return at;
}

/** Returns the JSON of a value with placeholders, and the texts that replace them. */
function framed(value: unknown): { json: string; texts: JsonText[] } {
  const texts: JsonText[] = [];
  pieces = texts;
  try {
    return { json: JSON.stringify(value), texts };
  } finally {
    pieces = undefined;
  }
}
