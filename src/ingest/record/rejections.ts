/** Reports on rejected records. */
import type { Rejection } from "./pipeline.ts";
import { escapeControls } from "../../contract/control_characters.ts";
import { unlessMissing } from "../../db/exists.ts";
import { cutAtWord } from "../text/clean_text.ts";

/** Max number of reported characters of a rejected record that is a text. */
const SHOWN_CHARACTERS = 10_000;

/** A destination of reports on rejected records. */
export interface Rejections extends Disposable {
  /** File of the reports; absent if they are printed. */
  readonly path?: string;
  /** Removes the reports of an earlier run. */
  reset(): Promise<void>;
  add(rejection: Rejection): void;
}

const encoder = new TextEncoder();

/** Prints each rejection as a line of JSON. */
export function sayRejections(say: (line: string) => void): Rejections {
  return {
    reset: () => Promise.resolve(),
    add: (rejection) => say(JSON.stringify(bounded(rejection))),
    [Symbol.dispose]() {},
  };
}

/**
 * A file of NDJSON with objects `{line, reason, record}`. It is created at the first rejection.
 * Control characters are escaped, because operators print such files. If the file cannot be
 * written, the rejections are printed.
 */
export class RejectionFile implements Rejections {
  #file: Deno.FsFile | undefined;

  constructor(public path: string | undefined, readonly say: (line: string) => void) {}

  async reset() {
    await unlessMissing(Deno.remove(this.path!)).catch((error) => this.#printInstead(error));
  }

  add(rejection: Rejection) {
    try {
      if (this.path === undefined) return sayRejections(this.say).add(rejection);
      this.#file ??= Deno.openSync(this.path, { write: true, create: true, truncate: true });
      let bytes = encoder.encode(escapeControls(JSON.stringify(bounded(rejection))) + "\n");
      while (bytes.length > 0) bytes = bytes.subarray(this.#file.writeSync(bytes));
    } catch (error) {
      this.#printInstead(error);
      this.add(rejection);
    }
  }

  #printInstead(error: unknown) {
    const hint = /^\/(?:dev|proc)\//.test(this.path!) ? "; name a pipe - instead" : "";
    this.say(
      `rejected records are printed, because ${this.path} cannot be written: ` +
        `${(error as Error).message}${hint}`,
    );
    this.path = undefined;
  }

  [Symbol.dispose]() {
    this.#file?.close();
  }
}

function bounded({ line, reason, record }: Rejection): Rejection {
  return {
    line,
    reason,
    record: typeof record === "string" ? cutAtWord(record, SHOWN_CHARACTERS) : record,
  };
}
