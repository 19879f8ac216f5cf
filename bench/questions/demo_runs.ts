/** Asks the questions about the demo dataset over the public interface. */
import { openTestEmbedded } from "../../test/support/database.ts";
import { connectEmbedded } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { DEMO_MOMENT } from "../demo_questions.ts";
import { openApi } from "./api.ts";
import { askDemo, type DemoScores } from "./demo_ask.ts";
import { demoObservations, demoPlaces, recordDemoDataset } from "./demo_dataset.ts";

/** Asks over the public interface, with a new embedded database. */
export async function askDemoApi(): Promise<DemoScores> {
  const db = await connectEmbedded(await openTestEmbedded(), { log: createLog("error") });
  try {
    await recordDemoDataset(db);
    const places = await demoPlaces(db);
    await using api = await openApi(db, { now: DEMO_MOMENT });
    return await askDemo(demoObservations(), async (query, limit) => {
      const { companies } = await api.search(query, limit);
      return companies.map(({ observations }) => observations.map(({ id }) => places.get(id)!));
    });
  } finally {
    await db.close();
  }
}
