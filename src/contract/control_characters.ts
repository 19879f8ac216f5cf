/**
 * Characters that change how a terminal shows the text around them: controls, marks of formatting
 * and direction, and line ends.
 */
const CONTROLS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns whether a text contains one of these control characters. */
export function hasControls(text: string): boolean {
  return text.search(CONTROLS) !== -1;
}

/** Returns a text with U+FFFD in place of each control character. */
export function withoutControls(text: string): string {
  return text.replaceAll(CONTROLS, "\uFFFD");
}

/** Escapes control characters in JSON. JSON.stringify escapes only those below U+0020. */
export function escapeControls(json: string): string {
  return json.replaceAll(CONTROLS, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  });
}
