/**
 * Searches the tables, and checks that each shard still has the position that this process has read
 * before. A node that returns after a crash may have lost its last transactions or its disk. Its
 * answers are then incomplete, although it reports no error.
 */
import { type EngineAnswer, type SearchEngine, unavailable } from "./search_engine.ts";
import { haveSameSessions, isReached, markersStatement, readMarkers } from "./table_position.ts";
import type { TableState } from "./table_reader.ts";

type State = Pick<TableState, "set" | "shards" | "origin" | "followed">;

/** Searches the tables, and refuses the answers if a shard is behind its known position. */
export class WholeTables {
  readonly #engine: SearchEngine;
  readonly #state: State;

  constructor(engine: SearchEngine, state: State) {
    this.#engine = engine;
    this.#state = state;
  }

  /**
   * Searches by several statements. The markers are read before and after the statements, because a
   * shard may be lost or repaired meanwhile. A repair changes the sessions of the markers, and so
   * does a new holder of the lease. If the sessions have changed, the statements are sent once
   * more.
   *
   * @throws Failure unavailable if no node answers, or if a shard is or was behind
   */
  async search(statements: readonly string[]): Promise<EngineAnswer[]> {
    const { set, followed } = this.#state;
    const markers = markersStatement(set);
    for (let attempt = 0; attempt < 2; attempt++) {
      const answers = await this.#engine.search([markers, ...statements, markers]);
      const [before, after] = [answers[0]!, answers.at(-1)!]
        .map(({ rows }) => readMarkers(rows, this.#state));
      if (!isReached(before!, followed) || !isReached(after!, followed)) {
        throw unavailable(new Error("a shard of the search tables is behind"));
      }
      if (haveSameSessions(before!, after!)) return answers.slice(1, -1);
    }
    throw unavailable(new Error("the search tables were being repaired"));
  }
}
