/** Reads the bytes that a client of PostgreSQL sends, and finds the statements that it executes. */
import { MessageReader, READY_FOR_QUERY, textAt } from "../../src/db/wire.ts";

/** Follows one connection. It remembers prepared statements by name, as the server does. */
export class StatementReader {
  readonly #reader = new MessageReader();
  readonly #queries = new Map<string, string>();
  #bound = "";
  #started = false;

  /** Returns the queries that these bytes execute. Keeps a copy of an incomplete message. */
  read(bytes: Uint8Array): string[] {
    this.#reader.push(bytes.slice());
    if (!this.#started) this.#started = this.#reader.startup() !== undefined;
    if (!this.#started) return [];
    const executed: string[] = [];
    for (;;) {
      const message = this.#reader.message();
      if (message === undefined) return executed;
      const query = this.#follow(message.type, message.bytes);
      if (query !== undefined) executed.push(query);
    }
  }

  /** Returns the query of an Execute or a simple Query message. */
  #follow(type: string, bytes: Uint8Array): string | undefined {
    if (type === "Q") return textAt(bytes, 5);
    if (type === "E") return this.#bound;
    const first = textAt(bytes, 5);
    const second = () => textAt(bytes, 5 + new TextEncoder().encode(first).length + 1);
    // Parse: statement, query. Bind: portal, statement.
    if (type === "P") this.#queries.set(first, second());
    if (type === "B") this.#bound = this.#queries.get(second()) ?? "";
  }
}

/** Number of bytes of ReadyForQuery, the message that ends every answer of the server. */
export const READY_BYTES = 6;

/** Returns whether an answer is complete: its last bytes are ReadyForQuery. */
export function isEndOfAnswer(tail: Uint8Array): boolean {
  const [type, a, b, c, length] = tail;
  return type === READY_FOR_QUERY && a === 0 && b === 0 && c === 0 && length === 5;
}
