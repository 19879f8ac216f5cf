/** Runs an engine in a separate process. */
import { RUN_OPTIONS } from "../child.ts";
import { TextLineStream } from "../lines.ts";
import type { Effort } from "../measure.ts";
import type { Query } from "../queries.ts";
import type { Hit } from "./engine.ts";
import type { EngineName } from "./peers.ts";
import type { Answers, Requests } from "./served.ts";

const PROGRAM = new URL("served.ts", import.meta.url).href;

/** An engine in a separate process. Only one request at a time may be under way. */
export class RemoteEngine implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #requests: WritableStreamDefaultWriter<string>;
  readonly #answers: ReadableStreamDefaultReader<string>;
  readonly #sent: Promise<void>;

  constructor(readonly name: EngineName) {
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", ...RUN_OPTIONS, PROGRAM, name],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const encoder = new TextEncoderStream();
    this.#sent = encoder.readable.pipeTo(this.#child.stdin);
    this.#requests = encoder.writable.getWriter();
    this.#answers = this.#child.stdout.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream()).getReader();
  }

  /** Fills the engine. Returns null if this machine cannot run the engine. */
  fill(corpus: Requests["fill"]): Promise<Answers["fill"]> {
    return this.#ask("fill", corpus);
  }

  /** Returns the best observations, best first. */
  search(query: Query, limit: number): Promise<Hit[]> {
    return this.#ask("search", { query, limit });
  }

  /** Times queries within the process. Returns milliseconds, ascending. */
  time(queries: readonly Query[], effort: Effort): Promise<number[]> {
    return this.#ask("time", { queries: [...queries], effort });
  }

  async #ask<Name extends keyof Requests>(
    name: Name,
    request: Requests[Name],
  ): Promise<Answers[Name]> {
    await this.#requests.write(JSON.stringify({ do: name, ...request }) + "\n");
    const { value, done } = await this.#answers.read();
    if (done) throw new Error(`${this.name} has ended`);
    return JSON.parse(value);
  }

  /** Ends the process. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#requests.close();
    await this.#sent;
    await this.#answers.cancel();
    await this.#child.status;
  }
}
