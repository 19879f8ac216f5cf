/** Samples the resident memory of serving processes during a soak. */
import { residentBytes } from "../support/resident_bytes.ts";
import type { World } from "./world.ts";

interface Sample {
  /** Share of the soak that had passed, from 0 to 1. */
  at: number;
  bytes: number;
}

export interface MemoryReport {
  /** Median bytes between the warm-up and the end of the first quarter. */
  warm: number;
  /** Median bytes of each quarter of the soak. */
  quarters: readonly number[];
  max: number;
  grows: boolean;
  isTooLarge: boolean;
}

const SAMPLE_MILLISECONDS = 2_000;
const WARM_UP_SHARE = 0.1;
/**
 * Max bytes of a serving process with 100,000 observations. Right after such a process has built its
 * index, it takes up to 794 MiB: 340 are the heaps of its two threads, and 180 are the segments and
 * their merge. After a thousand searches it takes 430 (2026-11-28).
 */
const MAX_BYTES = 900 * 1024 * 1024;
/** Bytes by which two quarters may differ because of garbage that is not collected yet. */
const NOISE_BYTES = 32 * 1024 * 1024;
const NOISE_RATIO = 1.1;
/** Quantile of the samples that estimates the memory right after garbage collections. */
const COLLECTED_SHARE = 0.1;

export class Memory {
  readonly samples = new Map<string, Sample[]>();

  /** Takes samples until the signal. A process that is being restarted is skipped. */
  async run(world: World, { signal, minutes }: { signal: AbortSignal; minutes: number }) {
    const start = performance.now();
    while (!signal.aborted) {
      for (const { name, process } of world.replicas) {
        const at = (performance.now() - start) / (minutes * 60_000);
        const bytes = process.alive ? await sampleOf(process.pid) : undefined;
        if (bytes === undefined) continue;
        const samples = this.samples.get(name) ?? [];
        this.samples.set(name, samples);
        samples.push({ at, bytes });
      }
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MILLISECONDS));
    }
  }
}

async function sampleOf(pid: number): Promise<number | undefined> {
  try {
    return await residentBytes(pid);
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}

/**
 * Judges the samples of one process. Its memory grows if the last quarter exceeds the second by
 * more than noise, both in its median and right after garbage collections.
 */
export function judgeMemory(samples: readonly Sample[]): MemoryReport {
  const quantile = (from: number, to: number, share: number) => {
    const bytes = samples.filter(({ at }) => at >= from && at < to).map((one) => one.bytes)
      .sort((a, b) => a - b);
    return bytes[Math.floor(bytes.length * share)] ?? NaN;
  };
  const ofQuarter = (n: number, share: number) =>
    quantile(n / 4, n === 3 ? Infinity : (n + 1) / 4, share);
  const quarters = [0, 1, 2, 3].map((n) => ofQuarter(n, 0.5));
  const isHigher = (share: number) => {
    const [second, last] = [ofQuarter(1, share), ofQuarter(3, share)];
    return last > second * NOISE_RATIO && last > second + NOISE_BYTES;
  };
  const max = samples.reduce((max, { bytes }) => Math.max(max, bytes), 0);
  return {
    warm: quantile(WARM_UP_SHARE, 0.25, 0.5),
    quarters,
    max,
    grows: isHigher(0.5) && isHigher(COLLECTED_SHARE),
    isTooLarge: max > MAX_BYTES,
  };
}
