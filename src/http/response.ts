/** Turns replies and failures into HTTP responses. All answers of actions are written here. */
import type { PendingResult } from "../contract/operation.ts";
import { errorEnvelope, failureFacts, replyFacts } from "../doors/answer.ts";
import type { Failure } from "../failures.ts";
import type { Reply } from "../operations/action.ts";

/** Seconds after which an unfinished operation may be polled. */
const POLL_SECONDS = 1;

/**
 * Turns a reply into a response. The response for an unfinished operation has the address for
 * polling. It is relative to the address of the request, because a proxy may add a prefix to paths.
 * @param path path of the request's route
 */
export function replyResponse(reply: Reply, path: string): Response {
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...replyFacts(reply),
    ...reply.status === 202 && {
      "location": pollAddress((reply.body as PendingResult).usage.id, path),
      "retry-after": String(POLL_SECONDS),
    },
  };
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
}

function pollAddress(id: number, path: string): string {
  const depth = path.split("/").length - "/api/usages".split("/").length;
  return `${"../".repeat(depth)}usages/${id}`;
}

/** Turns a failure into a response. */
export function failureResponse(failure: Failure): Response {
  const headers = new Headers({ "cache-control": "no-store", ...failureFacts(failure) });
  if (failure.status === 401) headers.set("www-authenticate", "Bearer");
  return Response.json(errorEnvelope(failure), { status: failure.status, headers });
}
