/**
 * Seeds property tests, so that they generate the same values in every run. Every test process
 * loads this file first. FAST_CHECK_SEED is an integer that replaces the seed.
 */
import fc from "fast-check";

const SEED = 20260301;

fc.configureGlobal({ seed: Number(Deno.env.get("FAST_CHECK_SEED") ?? SEED) });
