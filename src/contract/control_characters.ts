/**
 * Characters that change how a terminal shows the text around them: controls, marks of formatting and
 * of direction, and ends of lines.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns whether a text has a character that changes how a terminal shows the rest. */
export function hasControls(text: string): boolean {
  return text.search(CONTROLS) !== -1;
}

/** Returns a text with U+FFFD for each character that changes how a terminal shows the rest. */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, "\uFFFD");
}

/**
 * Returns JSON that means the same, and in which such characters are escaped. JSON.stringify itself
 * escapes only those below a space.
 */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
