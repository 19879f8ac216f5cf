/** Speaks to the nodes of an OpenSearch cluster over HTTP. */
import { z } from "zod";
import { jsonOf } from "../../contract/json_members.ts";

/** Error of a request that no node has answered as asked. It contains no credentials. */
export class ClusterError extends Error {
  override name = "ClusterError";

  /** @param status status of the last answer; 0 if there was none */
  constructor(message: string, readonly status: number) {
    super(message);
  }
}

/** A request to the cluster. Repeating it must be harmless, because another node may repeat it. */
export interface ClusterRequest {
  method: "GET" | "POST" | "PUT";
  /** Path with its query, without a slash at the beginning. */
  path: string;
  /** JSON value, or the lines of a bulk request. Absent: no body. */
  body?: unknown;
  /** Max milliseconds, over all nodes that are tried. */
  milliseconds: number;
}

type Node = ReturnType<typeof nodeOf>;

/** Statuses of a node that cannot answer at present, although another one may. */
const UNAVAILABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const Refusal = z.object({
  error: z.union([z.string(), z.object({ type: z.string(), reason: z.string().nullish() })]),
});

/** The nodes of a cluster. A node that does not answer is asked last from then on. */
export class Cluster {
  #nodes: Node[];

  /** @param addresses one per node, each with a user, a password and a path if needed */
  constructor(addresses: readonly string[]) {
    this.#nodes = addresses.map(nodeOf);
  }

  /**
   * Sends a request to one node after another, until one answers.
   *
   * @param shape shape of the answer; the answer of a program that is no OpenSearch is refused
   * @throws ClusterError
   */
  async ask<Answer>(request: ClusterRequest, shape: z.ZodType<Answer>): Promise<Answer> {
    const end = performance.now() + request.milliseconds;
    const nodes = [...this.#nodes];
    let failure = new ClusterError("no node is configured", 0);
    for (const [place, node] of nodes.entries()) {
      const milliseconds = (end - performance.now()) / (nodes.length - place);
      if (milliseconds <= 0) break;
      try {
        const answer = await askNode(node, { ...request, milliseconds });
        if (!UNAVAILABLE.has(answer.status)) return parse(answer, shape);
        failure = refusalOf(answer);
      } catch (error) {
        if (error instanceof ClusterError) throw error;
        failure = new ClusterError(reasonOf(error), 0);
      }
      this.#nodes = [...this.#nodes.filter((one) => one !== node), node];
    }
    throw failure;
  }
}

/** Divides an address into the part that is fetched, and its credentials. */
function nodeOf(address: string) {
  const url = new URL(address);
  const { username, password } = url;
  url.username = url.password = "";
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    base: url.href.replace(/\/?$/, "/"),
    authorization: username === ""
      ? undefined
      : `Basic ${new TextEncoder().encode(credentials).toBase64()}`,
  };
}

type Answered = Awaited<ReturnType<typeof askNode>>;

async function askNode(
  { base, authorization }: Node,
  { method, path, body, milliseconds }: ClusterRequest,
) {
  const response = await fetch(base + path, {
    method,
    headers: {
      ...authorization === undefined ? {} : { authorization },
      "content-type": typeof body === "string" ? "application/x-ndjson" : "application/json",
    },
    body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
    // A redirect would carry the records, and perhaps the password, to another host.
    redirect: "error",
    signal: AbortSignal.timeout(Math.ceil(milliseconds)),
  });
  return { status: response.status, text: await response.text() };
}

function parse<Answer>(answer: Answered, shape: z.ZodType<Answer>): Answer {
  if (answer.status >= 400) throw refusalOf(answer);
  const parsed = shape.safeParse(jsonOf(answer.text));
  if (parsed.success) return parsed.data;
  throw new ClusterError("the answer is not that of an OpenSearch", answer.status);
}

function refusalOf({ status, text }: Answered): ClusterError {
  const { data } = Refusal.safeParse(jsonOf(text));
  if (data === undefined) return new ClusterError(`a node answered with status ${status}`, status);
  const { error } = data;
  const reason = typeof error === "string" ? error : `${error.type}: ${error.reason ?? ""}`;
  return new ClusterError(reason.slice(0, 300), status);
}

/** Returns why a node has not answered. Deno's own message would contain the address. */
function reasonOf(error: unknown): string {
  const isLate = error instanceof DOMException && error.name === "TimeoutError";
  return isLate ? "a node has not answered in time" : "a node is not reachable";
}
