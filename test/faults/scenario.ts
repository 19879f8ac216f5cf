/** Registers the scenarios of a file. They share one world, which the first one opens. */
import assert from "node:assert/strict";
import { createMigratedDatabase, HAS_SERVER } from "../support/database.ts";
import { fillDataset } from "./dataset.ts";
import { waitUntilFound } from "./searching.ts";
import { World, type WorldOptions } from "./world.ts";

interface ScenarioOptions extends Partial<Omit<WorldOptions, "url">> {
  /** Number of invented observations; 400 by default. */
  observations?: number;
}

/** Registers one scenario: its number, its name and its steps. */
export type Scenario = (
  number: number,
  name: string,
  body: (world: World) => Promise<void>,
) => void;

const OBSERVATIONS = 400;

/**
 * Returns a function that registers scenarios. After each scenario, the checker judges the world.
 * `admin usage verify` runs after the last one. Without a server, each is registered as ignored.
 */
export function scenarios({ seed = 1, observations = OBSERVATIONS, ...rest }: ScenarioOptions) {
  const opened = new AsyncDisposableStack();
  let world: Promise<World> | undefined;
  const open = async () => {
    const { url } = opened.use(await createMigratedDatabase());
    const world = opened.use(await World.open({ url, seed, ...rest }));
    await fillDataset(world.sql, 0, observations);
    await waitUntilFound(world, observations - 1);
    return world;
  };
  Deno.test.afterAll(async () => {
    const lastWorld = await world?.catch(() => undefined);
    try {
      if (lastWorld !== undefined) assert.equal(await lastWorld.verify(), 0, "admin usage verify");
    } finally {
      await opened.disposeAsync();
    }
  });
  const scenario: Scenario = (number, name, body) =>
    Deno.test({
      name: `scenario ${number}: ${name} [postgres]`,
      ignore: !HAS_SERVER,
      async fn() {
        const opened = await (world ??= open());
        try {
          await body(opened);
        } catch (error) {
          // The violations of this scenario are recorded, so that no later one is blamed for them.
          await opened.blame().catch(() => {});
          throw error;
        }
        await opened.assertRight();
      },
    });
  return scenario;
}
