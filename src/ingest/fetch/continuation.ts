/** Continues a body that broke off (RFC 9110, 14.2 and 13.1.5). */
import type { Attempts } from "./attempts.ts";
import { encodingOf } from "./body.ts";
import type { Reply } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import type { Arrival } from "./redirects.ts";
import { statusFailure } from "./status.ts";

/**
 * How the rest of an answer is asked for: only where a strong validator tells that it is the rest of
 * the same, and only as it stands, for a body encoded on the way may come out different each time.
 * @throws the failure itself, where that cannot be or no attempt is left
 */
export function createResume(
  { reply: first, repeat, url }: Arrival,
  attempts: Attempts,
  now: () => Date,
): (failure: unknown, received: number) => Promise<Reply> {
  const { etag, "accept-ranges": ranges } = first.headers;
  return async (failure, received) => {
    if (!etag?.startsWith('"') || ranges !== "bytes" || encodingOf(first) !== "identity") {
      throw failure;
    }
    for (;;) {
      await attempts.again(failure);
      try {
        const reply = await repeat({
          "accept-encoding": "identity",
          "range": `bytes=${received}-`,
          "if-range": etag,
        });
        if (continues(reply, first, received)) return reply;
        reply.discard();
        failure = reply.status === 206 || reply.status === 200
          ? new FetchFailure("network", `${url.hostname}: changed while it was read`, {
            passing: true,
          })
          : statusFailure(reply, url, now());
      } catch (error) {
        failure = error;
      }
    }
  };
}

function continues({ status, headers }: Reply, first: Reply, received: number): boolean {
  const [, from, whole] = headers["content-range"]?.match(/^bytes (\d+)-\d+\/(\d+|\*)$/) ?? [];
  const length = first.headers["content-length"];
  return status === 206 && headers.etag === first.headers.etag && Number(from) === received &&
    encodingOf({ headers }) === "identity" &&
    (length === undefined || whole === "*" || whole === length);
}
