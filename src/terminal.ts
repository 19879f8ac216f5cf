/** Writes texts to standard output and standard error, which are often terminals. */
import { escapeControls } from "./contract/control_characters.ts";

const encoder = new TextEncoder();

/**
 * Writes lines completely. A text of a record or an answer can contain characters that command a
 * terminal, such as escape sequences or marks of direction. Each of them is written in the form of
 * JSON (\u001b), so JSON keeps its meaning. Only line breaks within `lines` are written as they
 * are. A write to a pipe may accept only a part of a long line.
 */
export function writeLines(stream: "stdout" | "stderr", lines: string): void {
  writeText(stream, `${lines}\n`);
}

/** Writes a question without a line break after it, in the manner of writeLines(). */
export function writeText(stream: "stdout" | "stderr", text: string): void {
  const printable = text.split("\n").map(escapeControls).join("\n");
  let bytes = encoder.encode(printable);
  while (bytes.length > 0) bytes = bytes.subarray(Deno[stream].writeSync(bytes));
}
