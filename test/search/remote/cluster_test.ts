import assert from "node:assert/strict";
import { z } from "zod";
import { Cluster, ClusterError } from "../../../src/search/remote/cluster.ts";
import { findPort } from "../../support/port.ts";

/** Runs a server of one answer. `seen` are the requests that it got. */
function serve(answer: (request: Request) => Response | Promise<Response>) {
  const seen: { url: string; authorization: string | null }[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push({ url: request.url, authorization: request.headers.get("authorization") });
    return answer(request);
  });
  const { port } = server.addr;
  return { port, seen, [Symbol.asyncDispose]: () => server.shutdown() };
}

const Shape = z.object({ count: z.int() });

const REQUEST = { method: "GET", path: "records/_count", milliseconds: 2_000 } as const;

function refusal(cluster: Cluster, milliseconds = 2_000): Promise<ClusterError> {
  return cluster.ask({ ...REQUEST, milliseconds }, Shape).then(
    () => assert.fail("the request succeeded"),
    (error) => error,
  );
}

Deno.test("ask() sends user, password and path prefix of the node's address", async () => {
  await using node = serve(() => Response.json({ count: 3 }));
  const cluster = new Cluster([`http://evidence:p%40ss@127.0.0.1:${node.port}/search`]);
  assert.deepEqual(await cluster.ask(REQUEST, Shape), { count: 3 });
  const [request] = node.seen;
  assert.equal(request!.url, `http://127.0.0.1:${node.port}/search/records/_count`);
  assert.equal(request!.authorization, "Basic ZXZpZGVuY2U6cEBzcw==");
});

for (const status of [429, 502, 503, 504]) {
  Deno.test(`ask() goes on after ${status}, and asks the failed node last from then on`, async () => {
    await using ill = serve(() => new Response("overloaded", { status }));
    await using well = serve(() => Response.json({ count: 7 }));
    const dead = `http://127.0.0.1:${findPort()}`;
    const ports = [ill, well].map(({ port }) => `http://127.0.0.1:${port}`);
    const cluster = new Cluster([dead, ...ports]);
    assert.deepEqual(await cluster.ask(REQUEST, Shape), { count: 7 });
    assert.deepEqual(await cluster.ask(REQUEST, Shape), { count: 7 });
    assert.deepEqual([ill.seen.length, well.seen.length], [1, 2]);
  });
}

Deno.test("ask() refuses the answer of a program that is no OpenSearch", async () => {
  await using node = serve(() => new Response("<html>It works!</html>"));
  const error = await refusal(new Cluster([`http://127.0.0.1:${node.port}`]));
  assert.equal(error.message, "the answer is not that of an OpenSearch");
});

Deno.test("ask() sends nothing to a host to which a node redirects", async () => {
  await using foreign = serve(() => Response.json({ count: 1 }));
  await using node = serve(() => Response.redirect(`http://127.0.0.1:${foreign.port}/`));
  const error = await refusal(new Cluster([`http://127.0.0.1:${node.port}`]));
  assert.deepEqual([error.message, foreign.seen], ["a node is not reachable", []]);
});

Deno.test("errors of ask() contain neither the address nor the password", async () => {
  const error = await refusal(new Cluster([`http://evidence:word@127.0.0.1:${findPort()}`]));
  assert.equal(error.message, "a node is not reachable");
  assert.equal(error.status, 0);
});

Deno.test("a node that does not answer leaves time for the next one", async () => {
  const open = Promise.withResolvers<void>();
  await using silent = serve(async () => {
    await open.promise;
    return new Response();
  });
  await using well = serve(() => Response.json({ count: 1 }));
  const cluster = new Cluster([silent, well].map(({ port }) => `http://127.0.0.1:${port}`));
  assert.deepEqual(await cluster.ask(REQUEST, Shape), { count: 1 });
  open.resolve();
});

Deno.test("ask() reports why OpenSearch refuses a request", async () => {
  const body = { error: { type: "cluster_block_exception", reason: "index is read-only" } };
  await using node = serve(() => Response.json(body, { status: 403 }));
  const error = await refusal(new Cluster([`http://127.0.0.1:${node.port}`]));
  assert.equal(error.message, "cluster_block_exception: index is read-only");
  assert.equal(error.status, 403);
});
