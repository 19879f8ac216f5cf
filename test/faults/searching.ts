/** Calls that many scenarios make. */
import { eventually } from "../support/waiting.ts";
import type { Account, Called, FaultCall } from "./client.ts";
import { companyOf, hostnameOf, inventRecord } from "./dataset.ts";
import type { Post, World } from "./world.ts";

/** Returns a search that finds an observation of the invented dataset. */
export function searchCall(
  account: Account,
  request_key: string,
  { observation = 0, ...rest }: Partial<FaultCall> & { observation?: number } = {},
): FaultCall {
  const [first, second] = inventRecord(observation).observed_fact.split(" ");
  return {
    account,
    request_key,
    action: "search_companies",
    inputs: { query: `${first} ${second}`, limit: 5 },
    ...rest,
  };
}

/** Makes a call to the process at a post. */
export async function callAt(world: World, post: Post, call: FaultCall): Promise<Called> {
  return await world.client.call({ name: post.name, url: post.process.url }, call);
}

/** Repeats a call with the same key until its operation has ended. Replicas take turns. */
export async function insist(world: World, call: FaultCall): Promise<Called> {
  let last: Called | undefined;
  let turn = 0;
  await eventually(`an answer to ${call.request_key ?? call.action}`, async () => {
    const { replicas } = world;
    last = await callAt(world, replicas[turn++ % replicas.length]!, call);
    const { status, body } = last;
    const isUnavailable = status === null || body?.error?.code === "unavailable";
    return status !== 202 && !isUnavailable;
  });
  return last!;
}

/** Resolves when a search on every replica finds the company of an observation of the dataset. */
export async function waitUntilFound(world: World, observation: number): Promise<void> {
  const account = await world.account();
  const hostname = hostnameOf(companyOf(observation));
  const [query] = inventRecord(observation).company.name.split(" ");
  for (const post of world.replicas) {
    await eventually(`${post.name} has indexed observation ${observation}`, async () => {
      const { body } = await callAt(world, post, {
        account,
        request_key: world.newKey(),
        action: "search_companies",
        inputs: { query: query!, filters: { domains: [hostname] } },
      });
      return body?.companies?.length === 1;
    });
  }
}
