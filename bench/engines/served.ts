/**
 * Serves one engine in a separate process. It reads requests as lines of JSON, and answers each
 * with a line. The heap of another engine in the same process would slow ours down, because V8
 * marks and scans the whole heap.
 */
import { TextLineStream } from "../lines.ts";
import { Corpus } from "../corpus.ts";
import { type Effort, heldBytes, timeInTurns } from "../measure.ts";
import type { Query } from "../queries.ts";
import type { Engine, Hit } from "./engine.ts";
import { type EngineName, ENGINES } from "./peers.ts";

/** Requests that a process accepts, by name. */
export interface Requests {
  /** Fills the engine with a generated corpus. */
  fill: { documents: number; words: number };
  search: { query: Query; limit: number };
  /** Times queries in their order. */
  time: { queries: Query[]; effort: Effort };
}

/** Answers to requests, by the name of the request. */
export interface Answers {
  /** Null if this machine cannot run the engine. */
  fill: { seconds: number; bytes: number } | null;
  search: Hit[];
  /** Milliseconds of each query, ascending. */
  time: number[];
}

type Request = { [Name in keyof Requests]: { do: Name } & Requests[Name] }[keyof Requests];

if (import.meta.main) await serve(Deno.args[0] as EngineName);

async function serve(name: EngineName): Promise<void> {
  const engine = await ENGINES[name]();
  try {
    const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream())
      .pipeThrough(new TextLineStream());
    for await (const line of lines) {
      const answer = engine === undefined ? null : await answerTo(JSON.parse(line), engine, name);
      await write(JSON.stringify(answer) + "\n");
    }
  } finally {
    await engine?.close?.();
  }
}

async function answerTo(
  request: Request,
  engine: Engine,
  name: EngineName,
): Promise<Answers[keyof Answers]> {
  if (request.do === "search") return await engine.search(request.query, request.limit);
  if (request.do === "fill") return await fill(engine, new Corpus(request), name);
  const [samples] = await timeInTurns([engine], request.queries, request.effort);
  return samples!;
}

async function fill(engine: Engine, corpus: Corpus, name: EngineName): Promise<Answers["fill"]> {
  // The first read of `stems` creates them, and must precede the measurement. Ours reads no stems.
  if (name !== "ours" && corpus.stems.length === 0) throw new Error("no stems");
  const before = heldBytes();
  const start = performance.now();
  await engine.fill(corpus);
  const seconds = (performance.now() - start) / 1_000;
  const native = await engine.nativeBytes?.() ?? 0;
  return { seconds, bytes: heldBytes() - before + native };
}

async function write(text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let sent = 0; sent < bytes.length;) sent += await Deno.stdout.write(bytes.subarray(sent));
}
