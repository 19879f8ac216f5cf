/** JSON that is written once and used in many answers. */

/**
 * The JSON text of a value. It may stand in for that value wherever an answer is written: `writeJson`
 * copies the text, and `JSON.stringify` writes the same.
 */
export class JsonText {
  constructor(readonly text: string) {}

  /** Returns the value itself, for programs that write the answer by `JSON.stringify`. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}

/** Returns the text as a value of the type that it stands in for. */
export function standingFor<Value>(text: string): Value {
  return new JsonText(text) as Value;
}

/** Returns what `JSON.stringify` returns for plain data, without writing any `JsonText` again. */
export function writeJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (Array.isArray(value)) return `[${value.map(writeMember).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  let members = "";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    members += `${members === "" ? "" : ","}${JSON.stringify(name)}:${writeJson(member)}`;
  }
  return `{${members}}`;
}

/** A list has a place for what cannot be written. */
function writeMember(member: unknown): string {
  return member === undefined ? "null" : writeJson(member);
}
