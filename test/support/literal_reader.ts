/**
 * A caller that does only what the texts of the service say. Each of its rules is a sentence of an
 * error message, or of the description of the called tool.
 */
import type { Tool } from "@modelcontextprotocol/sdk/types";

/** A call of a tool. `args` holds its arguments. */
export interface ToolCall {
  name: string;
  args: Record<string, unknown>;
}

/** Answer of a tool. */
export interface Answer {
  // deno-lint-ignore no-explicit-any -- the rules read any body
  body: any;
}

/** A call and its answer. */
interface Read {
  call: ToolCall;
  /** Absent: the connection broke before the answer came. */
  answer?: Answer;
  /** Answer to an earlier call of the reader, from which it takes ids. */
  earlier?: Answer;
}

type Act = (read: Required<Read>, match: RegExpMatchArray) => ToolCall;

/**
 * Patterns of sentences in error messages. The function returns the call that the sentence demands.
 */
const MESSAGES: [RegExp, Act][] = [
  [/if the tool has it\): a key is required; make up a new one, such as a UUID/, withNewKey],
  [/^(filters\.)?(\w+): there is no such field here/, withoutField],
  [
    /^filters\.(\w+): an observation search takes no filters of companies/,
    (read, [, field]) => withoutField(read, ["", "filters.", field!]),
  ],
  [
    /^filters\.(\w+)\[\d+\]: one of (\w+)/,
    (read, [, field, value]) => withFilter(read, field!, [value]),
  ],
  [
    /^filters\.(\w+)\[\d+\]: a hostname, not a URL/,
    (read, [, field]) => withFilter(read, field!, hostnamesOf(read.call, field!)),
  ],
  [
    /^filters\.(\w+): a date and time .* such as ([-\dT:]+Z)/,
    (read, [, field, example]) =>
      withFilter(read, field!, `${filtersOf(read.call)[field!]}${example!.slice(10)}`),
  ],
  [
    /^limit: an integer of 1 to (\d+)/,
    ({ call }, [, limit]) => change(call, { limit: Number(limit) }),
  ],
  [
    /Exactly one of ids and domains is required/,
    ({ call }) => change(call, { domains: undefined }),
  ],
  [
    /Start again without one, with a new key/,
    (read) => withNewKey({ ...read, call: change(read.call, { cursor: undefined }) }),
  ],
  [/Use a new key for these inputs/, withNewKey],
  [/Use a new key to run/, withNewKey],
  [/Try again shortly, with the same key/, ({ call }) => call],
  [
    /Take an id from a new search/,
    ({ call, earlier }) => change(call, { id: earlier.body.companies[0].id }),
  ],
  [
    /Use the usage\.id of its own answers/,
    ({ call, earlier }) => change(call, { id: earlier.body.usage.id }),
  ],
];

/**
 * Patterns of sentences in descriptions of tools. The first function returns whether the sentence
 * applies to an answer. The second one returns the call that the sentence demands.
 */
const DESCRIPTIONS: [RegExp, (read: Read) => boolean, Act][] = [
  [
    /a retry with the same request_key is free/,
    ({ answer }) => answer === undefined,
    ({ call }) => call,
  ],
  [
    /While usage\.status is pending or processing, poll again/,
    ({ answer }) => isPending(answer),
    ({ call }) => call,
  ],
  [
    /If usage\.status is pending or processing, .* call get_usage with id = usage\.id/,
    ({ answer }) => isPending(answer),
    ({ answer }) => ({ name: "get_usage", args: { id: answer.body.usage.id } }),
  ],
  [
    /Next page, if next_cursor is not null: repeat query, filters and limit, add cursor, use a new request_key/,
    ({ answer }) => typeof answer?.body.next_cursor === "string",
    (read) =>
      withNewKey({ ...read, call: change(read.call, { cursor: read.answer.body.next_cursor }) }),
  ],
  [
    /An empty list is a success, .* fewer filters/,
    ({ answer }) => (answer?.body.companies ?? answer?.body.observations)?.length === 0,
    (read) => withNewKey({ ...read, call: change(read.call, { filters: undefined }) }),
  ],
];

/** Reads the list of tools, and returns the next call after each answer. */
export class LiteralReader {
  readonly #descriptions: Map<string, string>;

  constructor(tools: Tool[]) {
    this.#descriptions = new Map(tools.map((tool) => [tool.name, tool.description!]));
  }

  /** Returns the next call. @throws Error if no rule applies */
  next(read: Read): ToolCall {
    const message: string | undefined = read.answer?.body.error?.message;
    if (message !== undefined) {
      for (const [sentence, act] of MESSAGES) {
        const match = message.match(sentence);
        if (match !== null) return act(read as Required<Read>, match);
      }
      throw new Error(`no rule for the message: ${message}`);
    }
    const description = this.#descriptions.get(read.call.name)!;
    for (const [sentence, applies, act] of DESCRIPTIONS) {
      const match = description.match(sentence);
      if (match !== null && applies(read)) return act(read as Required<Read>, match);
    }
    throw new Error(`no rule for ${JSON.stringify(read.answer)} in: ${description}`);
  }
}

function isPending(answer?: Answer): boolean {
  return ["pending", "processing"].includes(answer?.body.usage?.status);
}

function change({ name, args }: ToolCall, changes: Record<string, unknown>): ToolCall {
  return { name, args: JSON.parse(JSON.stringify({ ...args, ...changes })) };
}

function withNewKey({ call }: Read): ToolCall {
  return change(call, { request_key: crypto.randomUUID() });
}

function filtersOf({ args }: ToolCall): Record<string, unknown> {
  return args.filters as Record<string, unknown>;
}

function withFilter({ call }: Read, field: string, value: unknown): ToolCall {
  return change(call, { filters: { ...filtersOf(call), [field]: value } });
}

function withoutField(
  read: Read,
  [, inFilters, field]: ArrayLike<string> & Iterable<string>,
): ToolCall {
  return inFilters
    ? withFilter(read, field!, undefined)
    : change(read.call, { [field!]: undefined });
}

function hostnamesOf(call: ToolCall, field: string): string[] {
  return (filtersOf(call)[field] as string[]).map((text) => new URL(text).hostname);
}
