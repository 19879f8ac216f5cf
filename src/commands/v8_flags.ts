/** Flags of V8 for `start` and `work`, by their settings. */

/**
 * Makes V8 optimize functions of the embedded database later than by default. A first start runs
 * most of them too seldom for that to pay off: it would take a third of the CPU time.
 */
const LATE_OPTIMIZATION = "--wasm-tiering-budget=100000000";

/**
 * Keeps the heap of a process with search nodes small. Each half of the young generation has up to 8
 * MB instead of 32. A collection begins when the old generation has grown by 30 % instead of up to
 * 300 %. Nothing is capped: a heap that needs more gets it. V8 reads both only when it starts.
 */
const SMALL_HEAP = ["--max-semi-space-size=8", "--heap-growing-percent=30"];

/** Number of threads of V8 that mark concurrently, by its default. */
const MARKING_THREADS_MAX = 7;

/**
 * Returns the flag by which V8 marks the heap on all cores but one. By default it marks on all of
 * them. Meanwhile requests and a database on the same machine would have to wait: 0.1 s on two
 * cores.
 */
function markingFlag(cores: number): string {
  const threads = Math.min(MARKING_THREADS_MAX, Math.max(1, cores - 1));
  return `--concurrent-marking-max-worker-num=${threads}`;
}

/** Returns the flags of V8, as one flag, for `start` and `work`. */
export function v8FlagOf(
  { SEARCH_URL }: Readonly<Record<string, string | undefined>>,
  cores = navigator.hardwareConcurrency,
): string {
  const flags = [LATE_OPTIMIZATION, markingFlag(cores), ...SEARCH_URL ? SMALL_HEAP : []];
  return `--v8-flags=${flags.join()}`;
}
