/** Computes the flags of V8 for `start` and `work` from their settings. */

/**
 * Makes V8 optimize functions of the embedded database later than by default. On a first start,
 * optimizing takes a third of the CPU time, but most functions run too seldom to gain from it.
 */
const LATE_OPTIMIZATION = "--wasm-tiering-budget=100000000";

/**
 * Keeps V8 from shrinking the heap. By default, V8 does so when a process allocates little, or if
 * the last full garbage collection was 100 s ago. Requests then waited for up to 0.25 s.
 */
export const NO_SHRINKING = "--no-memory-reducer";

/**
 * Keeps pauses short and rare. A full garbage collection takes 0.1 s of a core. With V8's defaults,
 * another one often followed within 4 s. With these flags, the old generation may double before a
 * collection begins. Each half of the young generation has up to 16 MB instead of 32 MB. Freed
 * pages are kept for an hour, because returning 44 MB of them to the system took 0.07 s. By default,
 * V8 allocates objects in the old generation if earlier ones from the same place in the code stayed
 * alive. This is switched off, because it happened to lists of the HTTP router, 1.2 KB per request.
 */
const STEADY_HEAP = [
  NO_SHRINKING,
  "--max-semi-space-size=16",
  "--heap-growing-percent=100",
  "--memory-pool-timeout=3600",
  "--no-allocation-site-pretenuring",
];

/**
 * Keeps the heap of a process with search nodes small. Each half of the young generation has up to
 * 8 MB instead of 32 MB. A collection begins when the old generation has grown by 30 % instead of
 * up to 300 %. Neither flag limits the size of the heap. V8 reads both only when it starts.
 */
const SMALL_HEAP = ["--max-semi-space-size=8", "--heap-growing-percent=30"];

/** Max number of threads with which V8 marks concurrently by default. */
const MARKING_THREADS_MAX = 7;

/**
 * Returns the flag that lets V8 mark the heap on all cores except one. By default V8 marks on all
 * cores. Requests and a database on the same machine would then wait; on a machine with two cores,
 * for 0.1 s.
 */
function markingFlag(cores: number): string {
  const threads = Math.min(MARKING_THREADS_MAX, Math.max(1, cores - 1));
  return `--concurrent-marking-max-worker-num=${threads}`;
}

/** Returns one flag of Deno that contains all flags of V8. */
export function v8FlagOf(
  { SEARCH_URL }: Readonly<Record<string, string | undefined>>,
  cores = navigator.hardwareConcurrency,
): string {
  const heap = SEARCH_URL ? SMALL_HEAP : STEADY_HEAP;
  const flags = [LATE_OPTIMIZATION, ...heap, markingFlag(cores)];
  return `--v8-flags=${flags.join()}`;
}
