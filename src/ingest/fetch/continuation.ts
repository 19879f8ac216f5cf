/** Continues an interrupted body by a range request (RFC 9110, 14.2 and 13.1.5). */
import type { Attempts } from "./attempts.ts";
import { encodingOf } from "./body.ts";
import type { HttpReply } from "./exchange.ts";
import { FetchFailure } from "./failure.ts";
import type { HeldReply } from "./redirects.ts";
import { statusFailure } from "./status.ts";

/**
 * Returns the function that requests the rest of a body. A strong validator must prove that the
 * rest belongs to the same body. An encoded body cannot be continued, because the host may encode
 * it differently the second time.
 *
 * The returned function throws the last failure if the body cannot be continued or no attempt is
 * left.
 */
export function createResume(
  { reply: first, repeat, url }: HeldReply,
  attempts: Attempts,
  now: () => Date,
): (failure: unknown, received: number) => Promise<HttpReply> {
  const { etag, "accept-ranges": ranges } = first.headers;
  return async (failure, received) => {
    if (!etag?.startsWith('"') || ranges !== "bytes" || encodingOf(first) !== "identity") {
      throw failure;
    }
    for (;;) {
      await attempts.waitAfter(failure);
      try {
        const reply = await repeat({
          "accept-encoding": "identity",
          "range": `bytes=${received}-`,
          "if-range": etag,
        });
        if (isContinuation(reply, first, received)) return reply;
        reply.discard();
        failure = reply.status === 206 || reply.status === 200
          ? new FetchFailure("network", `${url.hostname}: changed while it was read`, {
            temporary: true,
          })
          : statusFailure(reply, url, now());
      } catch (error) {
        failure = error;
      }
    }
  };
}

function isContinuation(
  { status, headers }: HttpReply,
  first: HttpReply,
  received: number,
): boolean {
  const [, from, whole] = headers["content-range"]?.match(/^bytes (\d+)-\d+\/(\d+|\*)$/) ?? [];
  const length = first.headers["content-length"];
  return status === 206 && headers.etag === first.headers.etag && Number(from) === received &&
    encodingOf({ headers }) === "identity" &&
    (length === undefined || whole === "*" || whole === length);
}
