/** The same question as each door takes it, and what is the same of its answers. */

export const DOORS = ["http", "mcp"] as const;
export type Door = (typeof DOORS)[number];

export const QUESTIONS = ["search", "read"] as const;
export type Question = (typeof QUESTIONS)[number];

export interface Call {
  /** Where the service listens. */
  url: string;
  key: string;
  /** The words that are searched for, or the id of the company that is read. */
  subject: string | number;
  request_key: string;
}

const LIMIT = 10;

/**
 * @returns the body that clients work with, as the text that came
 * @throws Error where the answer is no success
 */
export async function ask(door: Door, question: Question, call: Call): Promise<string> {
  const response = await fetch(...CALLS[question][door](call));
  const text = await response.text();
  // Inside of a string the quotes would be escaped: this is the result's own.
  if (response.status !== 200 || text.includes('"isError":true')) throw new Error(text);
  return text;
}

/** The business body in the text of an answer; over MCP also checks that it stands there twice. */
export function bodyText(door: Door, text: string): string {
  if (door === "http") return text;
  const { structuredContent, content } = JSON.parse(text).result;
  const body = JSON.stringify(structuredContent);
  if (content[0].text !== body) throw new Error("the text is not the structured content");
  return body;
}

type Fetched = [url: string, init: RequestInit];

const CALLS: Record<Question, Record<Door, (call: Call) => Fetched>> = {
  search: {
    http: (call) => [`${call.url}/api/companies/search`, {
      method: "POST",
      headers: { ...headers(call), "idempotency-key": call.request_key },
      body: JSON.stringify({ query: call.subject, limit: LIMIT }),
    }],
    mcp: (call) => {
      const { subject, request_key } = call;
      return toolCall(call, "search_companies", { query: subject, limit: LIMIT, request_key });
    },
  },
  read: {
    http: (call) => [`${call.url}/api/companies/${call.subject}`, { headers: headers(call) }],
    mcp: (call) => toolCall(call, "get_company", { id: call.subject }),
  },
};

function toolCall(call: Call, name: string, given: object): Fetched {
  return [`${call.url}/mcp`, {
    method: "POST",
    headers: {
      ...headers(call),
      "accept": "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: given },
    }),
  }];
}

function headers({ key }: Call): Record<string, string> {
  return { "authorization": `Bearer ${key}`, "content-type": "application/json" };
}
