/** From replies and failures to bytes: the one place where HTTP answers are written. */
import { writeJson } from "../contract/json_text.ts";
import { errorEnvelope, failureFacts, replyFacts } from "../doors/answer.ts";
import type { Failure } from "../failures.ts";
import type { Reply } from "../operations/action.ts";

export function replyResponse(reply: Reply): Response {
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...replyFacts(reply),
  };
  return new Response(writeJson(reply.body), { status: reply.status, headers });
}

export function failureResponse(failure: Failure): Response {
  const headers = new Headers({ "cache-control": "no-store", ...failureFacts(failure) });
  if (failure.status === 401) headers.set("www-authenticate", "Bearer");
  return Response.json(errorEnvelope(failure), { status: failure.status, headers });
}
