/** Reports on rejected records. */
import type { Rejection } from "./pipeline.ts";
import { escapeControls } from "../../contract/control_characters.ts";
import { unlessMissing } from "../../db/exists.ts";
import { cutAtWord } from "../text/clean_text.ts";

/** Max number of reported characters of a rejected record that is a text. */
const SHOWN_CHARACTERS = 10_000;

/** A destination of reports on rejected records. */
export interface Rejections extends Disposable {
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
    const path = this.path!;
    // A directory cannot be opened, but could be removed.
    const removed = Deno.open(path, { write: true }).then((file) => file.close())
      .then(() => Deno.remove(path));
    await unlessMissing(removed).catch((error) => this.#printInstead(error));
  }

  add(rejection: Rejection) {
    if (this.path === undefined) return sayRejections(this.say).add(rejection);
    try {
      this.#file ??= Deno.openSync(this.path, { write: true, create: true, truncate: true });
      let bytes = encoder.encode(escapeControls(JSON.stringify(bounded(rejection))) + "\n");
      while (bytes.length > 0) bytes = bytes.subarray(this.#file.writeSync(bytes));
    } catch (error) {
      this.#printInstead(error);
      this.add(rejection);
    }
  }

  #printInstead(error: unknown) {
    const why = /^\/(?:dev|proc)\//.test(this.path!)
      ? "no file can be made there; name a pipe - instead"
      : (error as Error).message;
    this.say(`rejected records are printed, because ${this.path} cannot be written: ${why}`);
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
