/** Request keys (specification 1, Idempotency and metering rules). */
import { z } from "zod";

/** Name of the header that carries a request key. */
export const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Max number of characters of a request key. */
const REQUEST_KEY_CHARACTERS = 255;

/** Pattern of printable ASCII without a space at either end. A header carries it unchanged. */
const REQUEST_KEY = /^[!-~]([ -~]*[!-~])?$/;

const FORM = {
  error: `1 to ${REQUEST_KEY_CHARACTERS} printable ASCII characters, no space at either end`,
};

/** A request key as the argument of a tool. */
export const RequestKey = z.string(FORM).min(1, FORM).max(REQUEST_KEY_CHARACTERS, FORM)
  .regex(REQUEST_KEY, FORM);

/**
 * A request key in a header. It has no comma before a space. A server joins the values of repeated
 * headers with a comma and a space, so such a key may be two keys.
 */
export const IdempotencyKey = z.string().min(1).max(REQUEST_KEY_CHARACTERS)
  .regex(new RegExp(`^(?!.*, )${REQUEST_KEY.source.slice(1)}`))
  .meta({
    description:
      "Names one operation for ever. Use the same key for every retry of the same request, and a " +
      "new one for every other request and every next page. Send one header, without a comma " +
      "before a space.",
    examples: ["6f1c2a4e-search-page-1"],
  });
