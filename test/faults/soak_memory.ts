/** Follows the resident memory of serving processes through a soak. */
import { residentBytes } from "./process.ts";
import type { World } from "./world.ts";

interface Sample {
  /** Share of the soak that had passed, from 0 to 1. */
  at: number;
  bytes: number;
}

export interface MemoryReport {
  /** Medians in bytes: after the warm-up, then of each quarter of the soak. */
  warm: number;
  quarters: readonly number[];
  max: number;
  grows: boolean;
  isTooLarge: boolean;
}

const SAMPLE_MILLISECONDS = 2_000;
const WARM_UP_SHARE = 0.1;
/** A serving process with 100,000 observations has to stay below. */
const MAX_BYTES = 600 * 1024 * 1024;
/** Collectors of garbage leave this much noise between two quarters. */
const NOISE_BYTES = 32 * 1024 * 1024;
const NOISE_RATIO = 1.1;
/** Share of samples that lie below what is left after a collection. */
const COLLECTED_SHARE = 0.1;

export class Memory {
  readonly samples = new Map<string, Sample[]>();

  /** Takes samples until the signal. A process that is just being restarted has none. */
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
    // It has ended in between.
    return undefined;
  }
}

/**
 * Judges one process. It grows if the last quarter is above the second by more than noise, in its
 * median and in what is left after collections of garbage.
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
  const max = samples.reduce((most, { bytes }) => Math.max(most, bytes), 0);
  return {
    warm: quantile(WARM_UP_SHARE, 0.25, 0.5),
    quarters,
    max,
    grows: isHigher(0.5) && isHigher(COLLECTED_SHARE),
    isTooLarge: max > MAX_BYTES,
  };
}
