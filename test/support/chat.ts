/** A chat endpoint on loopback that answers as it is told. */
import type { ModelEndpoint } from "../../src/search/models/model_endpoint.ts";
import { startHost } from "./web.ts";

/** Closed at the end of its block. */
interface Chat extends AsyncDisposable {
  /** Settings that name it. */
  env: Record<string, string>;
  endpoint: ModelEndpoint;
  /** Requests so far, in order. */
  asked: Asked[];
}

export interface Asked {
  path: string;
  authorization: string | null;
  // deno-lint-ignore no-explicit-any -- a case says itself what it expects of a body
  body: any;
}

/** Looks like no other text, so that logs can be searched for it. */
export const CHAT_KEY = "sk-test-0123456789";

/** @param answer gives what the model writes, or a whole answer of its own, for a query */
export function startChat(
  answer: (query: string) => string | object | Response | Promise<Response>,
): Chat {
  const asked: Asked[] = [];
  const host = startHost(async (request) => {
    const body = await request.json();
    const { pathname } = new URL(request.url);
    asked.push({ path: pathname, authorization: request.headers.get("authorization"), body });
    const given = await answer(JSON.parse(body.messages[1].content));
    return given instanceof Response ? given : completion(given);
  });
  const PLANNER_URL = `${host.url}/v1`;
  return {
    env: { PLANNER_URL, PLANNER_MODEL: "planner-1", PLANNER_API_KEY: CHAT_KEY },
    endpoint: {
      url: new URL(`${PLANNER_URL}/chat/completions`),
      model: "planner-1",
      key: CHAT_KEY,
    },
    asked,
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** Returns the answer of a chat endpoint if the model has written a text, or an object as JSON. */
export function completion(written: string | object): Response {
  const content = typeof written === "string" ? written : JSON.stringify(written);
  return Response.json({
    id: "chat-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 700, completion_tokens: 20, total_tokens: 720 },
  });
}
