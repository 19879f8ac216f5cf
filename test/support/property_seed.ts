/**
 * Comes before every test file: property tests draw the same values in every run. FAST_CHECK_SEED, a
 * whole number, has them draw others.
 */
import fc from "fast-check";

const SEED = 20260301;

fc.configureGlobal({ seed: Number(Deno.env.get("FAST_CHECK_SEED") ?? SEED) });
