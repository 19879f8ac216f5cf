/** Runs the example program of docs/polling.md in a process. */
import assert from "node:assert/strict";

/** A run of the program. It is killed at the end of the block. */
export class DocumentedLoop implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #output: ReadableStreamDefaultReader<string>;
  #unread = "";

  private constructor(child: Deno.ChildProcess) {
    this.#child = child;
    this.#output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Runs the program of the page unchanged. It stores its state in the directory. */
  static async start(dir: string, env: Record<string, string>): Promise<DocumentedLoop> {
    const page = await Deno.readTextFile("docs/polling.md");
    const [, program] = page.match(/^```ts\n(.*?)^```$/ms)!;
    await Deno.writeTextFile(`${dir}/poll.ts`, program!);
    const child = new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--no-config",
        "--no-prompt",
        "--allow-net",
        "--allow-env",
        `--allow-read=${dir}`,
        `--allow-write=${dir}`,
        `${dir}/poll.ts`,
      ],
      env: { ...env, STATE_FILE: `${dir}/poll.json`, PAUSE_SECONDS: "0.05" },
      stdin: "null",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    return new DocumentedLoop(child);
  }

  /** Returns the ids of the next observations that the program prints. */
  async read(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      const end = this.#unread.indexOf("\n");
      if (end >= 0) {
        ids.push(JSON.parse(this.#unread.slice(0, end)).id);
        this.#unread = this.#unread.slice(end + 1);
        continue;
      }
      const { value, done } = await this.#output.read();
      assert.ok(!done, `the program ended after ${ids.length} observations`);
      this.#unread += value;
    }
    return ids;
  }

  /**
   * Kills the program. Returns the ids that it has printed and that read() has not returned. After
   * a restart, the program prints again only those of a page whose position it had not stored.
   */
  async kill(): Promise<number[]> {
    this.#child.kill("SIGKILL");
    for (;;) {
      const { value, done } = await this.#output.read();
      if (done) break;
      this.#unread += value;
    }
    await this.#child.status;
    const lines = this.#unread.split("\n");
    // The last line may be incomplete. The program stores its position only after it has printed a
    // whole page.
    return lines.slice(0, -1).map((line) => JSON.parse(line).id);
  }

  async [Symbol.asyncDispose]() {
    await this.kill();
  }
}
