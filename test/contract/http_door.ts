/** Sends the calls of test cases over HTTP. Checks each answer against the OpenAPI document. */
import assert from "node:assert/strict";
import type { oas31 } from "zod-openapi";
import { ROUTES } from "../../src/http/routes.ts";
import type { ActionName, Call, Door } from "../support/calls.ts";
import { createAnswerJudge, errorCode } from "../support/contract.ts";

/** Sends requests to one service. */
export interface HttpDoor {
  /** Sends a call of a test case as an HTTP request. */
  door: Door;
  /** Sends any request. Its answer is checked as well. */
  send(path: string, init?: RequestInit): Promise<HttpAnswer>;
  /** Operation, status and code of each answer so far: `GET /api/usage 401 invalid_api_key`. */
  seen: ReadonlySet<string>;
}

export interface HttpAnswer {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any -- each case expects another body
  body: any;
}

/**
 * Creates the HTTP door of a service.
 * @param fetch answers requests to any host
 */
export function createHttpDoor(
  { fetch, document }: {
    fetch: (request: Request) => Promise<Response> | Response;
    document: oas31.OpenAPIObject;
  },
): HttpDoor {
  const judge = createAnswerJudge(document);
  const seen = new Set<string>();
  const send = async (path: string, init: RequestInit = {}): Promise<HttpAnswer> => {
    const request = new Request(`http://127.0.0.1${path}`, init);
    const { method } = request;
    const response = await fetch(request);
    const text = await response.text();
    const body = text === "" ? undefined : JSON.parse(text);
    const { status, headers } = response;
    const { pathname } = new URL(request.url);
    const { operation, faults } = judge({ method, path: pathname, status, headers, body });
    assert.deepEqual(faults, [], `${method} ${path}: ${status} ${text.slice(0, 300)}`);
    checkRetry(status, headers, body);
    checkPolling(response, { address: request.url, body });
    seen.add([operation ?? "nowhere", status, errorCode(body)].filter(Boolean).join(" "));
    return { status, headers, body };
  };
  return {
    seen,
    send,
    door: Object.assign(async (call: Call) => {
      const { path, init } = requestOf(call);
      const { status, headers, body } = await send(path, init);
      return { status, body, replayed: headers.get("idempotency-replayed") === "true" };
    }, { supports }),
  };
}

/**
 * Checks that the body of a 429 has a retry time, which agrees with the Retry-After header. No
 * other body may have one. Answers with 202 or `unavailable` must have a Retry-After header of 1
 * second. Other answers must not have that header.
 */
function checkRetry(status: number, headers: Headers, body: HttpAnswer["body"]): void {
  const { retry_at, retry_after_seconds } = body?.error ?? {};
  if (status === 429) {
    assert.equal(headers.get("retry-after"), String(retry_after_seconds));
    const seconds = (Date.parse(retry_at) - Date.now()) / 1000;
    assert.ok(Math.abs(seconds - retry_after_seconds) < 30, `${retry_at} ${retry_after_seconds}`);
  } else {
    assert.deepEqual([retry_at, retry_after_seconds], [undefined, undefined]);
    const soon = status === 202 || errorCode(body) === "unavailable";
    assert.equal(headers.get("retry-after"), soon ? "1" : null);
  }
}

/**
 * Checks that the Location of a 202 leads to the operation, also for a client behind a proxy that
 * adds a prefix to the path. Other answers must not have a Location.
 */
function checkPolling(
  { status, headers }: Response,
  { address, body }: { address: string; body: HttpAnswer["body"] },
): void {
  const location = headers.get("location");
  if (status !== 202) return assert.equal(location, null);
  const { pathname } = new URL(address);
  for (const prefix of ["", "/evidence"]) {
    const polled = new URL(location!, `http://host${prefix}${pathname}`);
    assert.equal(polled.pathname, `${prefix}/api/usages/${body.usage.id}`);
  }
}

function supports(action: ActionName): boolean {
  return ROUTES.some((route) => route.action === action);
}

/** Converts a call to the path and the options of an HTTP request. */
export function requestOf(
  { action, inputs = {}, key, request_key, background }: Call,
): { path: string; init: RequestInit } {
  const route = ROUTES.find((one) => one.action === action)!;
  const headers = new Headers();
  if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
  if (request_key !== undefined) headers.set("idempotency-key", request_key);
  if (route.input === "json") {
    headers.set("content-type", "application/json");
    return {
      path: route.path,
      init: { method: route.method, headers, body: JSON.stringify({ ...inputs, background }) },
    };
  }
  const path = route.path.replace(":id", String(inputs.id));
  const query = new URLSearchParams(
    Object.entries(inputs).flatMap(([name, value]) =>
      name === "id"
        ? []
        : Array.isArray(value)
        ? value.map((one) => [`${name}[]`, String(one)])
        : [[name, String(value)]]
    ),
  );
  const search = query.size > 0 ? `?${query}` : "";
  return { path: path + search, init: { method: route.method, headers } };
}
