/** Number of inputs that a fuzz test draws. */

const MULTIPLIER = Number(Deno.env.get("FUZZ_RUNS") ?? 1);

if (!(MULTIPLIER > 0)) throw new Error("FUZZ_RUNS has to be a number above 0");

/** Multiplies a number of runs by FUZZ_RUNS, for longer or shorter runs than in CI. */
export function runs(count: number): number {
  return Math.ceil(count * MULTIPLIER);
}
