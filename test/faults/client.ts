/** Calls replicas through both doors, over separate connections, and records every call. */
import { Failure, type FailureCode } from "../../src/failures.ts";
import { requestOf } from "../contract/http_door.ts";
import { toolCallOf } from "../contract/mcp_door.ts";
import type { Call } from "../support/calls.ts";
import { rpc, toolCall } from "../support/mcp.ts";
import { type Answer, type CallRecord, digest, type History, readAnswer } from "./history.ts";

export interface Account {
  account_id: number;
  subscription_id: number;
  key_id: number;
  key: string;
}

export interface FaultCall extends Omit<Call, "key"> {
  account: Account;
  /** API key that is used instead of the account's first one. */
  key?: string;
  door?: "http" | "mcp";
  /** Milliseconds until the client hangs up; 60,000 by default. */
  hang_up_milliseconds?: number;
  /** Canonical form of the inputs; by default, the inputs that are sent. */
  meaning?: unknown;
}

export interface Replica {
  name: string;
  url: string;
}

/** The raw answer to a call, and its record in the history. */
export interface Called {
  record: CallRecord;
  /** Null if the answer was lost. */
  status: number | null;
  headers: Headers | null;
  // deno-lint-ignore no-explicit-any -- each test expects another body
  body: any;
  milliseconds: number;
}

const HANG_UP_MILLISECONDS = 60_000;

export class Client implements Disposable {
  readonly #history: History;
  /** HTTP client without keep-alive, because a stopping server closes idle connections. */
  readonly #http = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });

  constructor(history: History) {
    this.#history = history;
  }

  /** Sends any request to a replica. Throws if no answer comes. */
  async fetch(replica: Replica, path: string, init: RequestInit = {}): Promise<Response> {
    return await fetch(`${replica.url}${path}`, { ...init, client: this.#http });
  }

  /** Makes a call and records it. Does not throw if the replica or the connection fails. */
  async call(replica: Replica, call: FaultCall): Promise<Called> {
    const history = this.#history;
    const started = history.now();
    const door = call.door ?? "http";
    const send = door === "http" ? this.#overHttp : this.#overMcp;
    const raw = await send.call(this, replica, call).catch(() => null);
    const answer: Answer | null = raw && readAnswer(raw.status, raw.body, raw.replayed);
    const record: CallRecord = {
      account_id: call.account.account_id,
      request_key: call.request_key ?? null,
      action: call.action,
      meaning: digest([call.action, call.meaning ?? call.inputs ?? {}]),
      replica: replica.name,
      door,
      started,
      ended: history.now(),
      answer,
    };
    history.calls.push(record);
    return {
      record,
      status: raw?.status ?? null,
      headers: raw?.headers ?? null,
      body: raw?.body,
      milliseconds: record.ended - record.started,
    };
  }

  async #overHttp(replica: Replica, call: FaultCall) {
    const { path, init } = requestOf(withKey(call));
    const response = await this.fetch(replica, path, { ...init, signal: hangUp(call) });
    const { status, headers } = response;
    const replayed = headers.get("idempotency-replayed") === "true";
    return { status, headers, replayed, body: await response.json() };
  }

  async #overMcp(replica: Replica, call: FaultCall) {
    const { name, given, headers } = toolCallOf(withKey(call));
    const fetchThere = (request: Request) =>
      fetch(request, { client: this.#http, signal: hangUp(call) });
    const { key } = withKey(call);
    const answered = await rpc({ fetch: fetchThere }, toolCall(name, given), {
      key,
      headers,
      url: `${replica.url}/mcp`,
    });
    const content = answered.body?.result?.structuredContent;
    const body = content ?? answered.body;
    const status = content === undefined ? answered.status : statusOf(content);
    const replayed = answered.body?.result?._meta?.["Idempotency-Replayed"] === "true";
    return { status, headers: answered.headers, replayed, body };
  }

  [Symbol.dispose](): void {
    this.#http.close();
  }
}

function withKey(call: FaultCall): Call {
  return { ...call, key: call.key ?? call.account.key };
}

function hangUp({ hang_up_milliseconds = HANG_UP_MILLISECONDS }: FaultCall): AbortSignal {
  return AbortSignal.timeout(hang_up_milliseconds);
}

/** Returns the status that the same body has over HTTP. */
function statusOf(
  { error, usage }: { error?: { code: FailureCode }; usage?: { status?: string } },
): number {
  if (error !== undefined) return new Failure(error.code).status;
  return usage?.status === "pending" || usage?.status === "processing" ? 202 : 200;
}
