/** Searches the logs of all processes of a world for secrets. */

/** Pattern of the words that this suite puts into queries, names, excerpts and request keys. */
const MARKED_WORD = "zq[a-z]{3,}";

/** Pattern of an API key, or of a word of a query, an excerpt or a request key. */
const SECRET = new RegExp(`\\bce_[0-9A-Za-z]{20,}|${MARKED_WORD}`, "i");

const LINES_KEPT = 60;
const LEAKS_KEPT = 20;

export class LogScanner {
  readonly #last = new Map<string, string[]>();
  readonly #counts = new Map<string, number>();
  /** Lines that contain a secret; at most the first 20. */
  readonly leaks: string[] = [];
  /** Number of lines read. */
  lines = 0;

  add(process: string, line: string): void {
    this.lines++;
    if (SECRET.test(line) && this.leaks.length < LEAKS_KEPT) this.leaks.push(`${process}: ${line}`);
    const kept = this.#last.get(process) ?? [];
    this.#last.set(process, kept);
    kept.push(line);
    if (kept.length > LINES_KEPT) kept.shift();
    const message = /"message":"([^"]+)"/.exec(line)?.[1];
    if (message) this.#counts.set(message, (this.#counts.get(message) ?? 0) + 1);
  }

  /** Returns the last lines of a process. */
  last(process: string): string {
    return (this.#last.get(process) ?? []).join("\n");
  }

  /** Returns the number of lines with each message, the most frequent message first. */
  messages(): [message: string, lines: number][] {
    return [...this.#counts].sort(([, a], [, b]) => b - a);
  }
}
