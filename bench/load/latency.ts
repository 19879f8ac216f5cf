/** Measures the p99 of searches at half of the highest rate. */
import { type Floor, formatNumber, medianOf } from "../floors.ts";
import { CLIENTS, type Contender, type Send } from "./contenders.ts";
import type { Loaded } from "./generator.ts";

const TURNS = 5;
/** Length of a turn in seconds. A pause of 150 ms then delays one percent of the requests. */
const SECONDS = 15;
/** Seconds in which the highest rate is measured before each turn. */
const RATE_SECONDS = 3;
/** Seconds at the start of a turn that are not measured. */
const WARM_UP_SECONDS = 2;
/** Max p99 as a multiple of the p50. */
const RATIO_MAX = 6;

/**
 * Measures several turns, and returns a row with the ratio of the median turn and the values of all.
 * @param search sends the same searches as fast as they are answered
 */
export async function measureLatency(
  { port, requests, search }: { port: number; requests: readonly string[]; search: Contender },
  send: Send,
): Promise<Floor> {
  const turns: Loaded[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    // The speed of the machine changes within minutes, so each turn has its own highest rate.
    const rate = await search(RATE_SECONDS) / 2;
    turns.push(
      await send({
        ...{ port, requests, clients: CLIENTS, rate },
        ...{ seconds: SECONDS, warm_up_seconds: WARM_UP_SECONDS },
      }),
    );
  }
  const ratio = medianOf(turns.map(({ p50, p99 }) => p99 / p50));
  const all = turns.map(({ rate, p50, p99 }) =>
    `${formatNumber(p99)} of ${formatNumber(p50)} ms at ${formatNumber(rate)}/s`
  );
  return {
    what: "p99 as a multiple of p50 at half the highest rate, from the moment a request was due",
    floor: `at most ${RATIO_MAX} times`,
    measured: `${formatNumber(ratio)} times (${all.join("; ")})`,
    met: ratio <= RATIO_MAX,
  };
}
