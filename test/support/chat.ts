/** A chat endpoint on loopback whose answers the test decides. */
import type { ModelEndpoint } from "../../src/search/models/model_endpoint.ts";
import { startHost } from "./web.ts";

/** A running endpoint. It is closed at the end of its block. */
interface Chat extends AsyncDisposable {
  /** Settings of a service that uses the endpoint. */
  env: Record<string, string>;
  endpoint: ModelEndpoint;
  /** Requests so far, in order. */
  requests: ChatRequest[];
}

/** A request that the endpoint has received. */
interface ChatRequest {
  path: string;
  authorization: string | null;
  // deno-lint-ignore no-explicit-any -- each test checks the shape of the body
  body: any;
}

/** API key of the endpoint. It is unlike any other text, so that tests can search logs for it. */
export const CHAT_KEY = "sk-test-0123456789";

/**
 * Starts an endpoint.
 * @param answer returns the text or object that the model writes for a query, or a whole response
 */
export function startChat(
  answer: (query: string) => string | object | Response | Promise<Response>,
): Chat {
  const requests: ChatRequest[] = [];
  const host = startHost(async (request) => {
    const body = await request.json();
    const { pathname } = new URL(request.url);
    requests.push({ path: pathname, authorization: request.headers.get("authorization"), body });
    const answered = await answer(JSON.parse(body.messages[1].content));
    return answered instanceof Response ? answered : completion(answered);
  });
  const PLANNER_URL = `${host.url}/v1`;
  return {
    env: { PLANNER_URL, PLANNER_MODEL: "planner-1", PLANNER_API_KEY: CHAT_KEY },
    endpoint: {
      url: new URL(`${PLANNER_URL}/chat/completions`),
      model: "planner-1",
      key: CHAT_KEY,
    },
    requests,
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** Returns the response of a chat endpoint whose model has written a text, or an object as JSON. */
export function completion(written: string | object): Response {
  const content = typeof written === "string" ? written : JSON.stringify(written);
  return Response.json({
    id: "chat-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 700, completion_tokens: 20, total_tokens: 720 },
  });
}
