/** The demo dataset of the graded questions: its observations, and the documents of their index. */
import type { Database } from "../../src/db/connect.ts";
import { type DemoObservation, generateDemo, recordDemo } from "../../src/demo/demo.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { documentOf } from "../../src/search/changes/changes.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { DEMO_MOMENT } from "../demo_questions.ts";
import { rowOf } from "../rows.ts";

/** Generates the observations as of the moment of the questions. */
export function demoObservations(): readonly DemoObservation[] {
  return generateDemo(DEMO_MOMENT);
}

/**
 * Returns the documents that an index of the demo dataset contains, without a database. The id of
 * an observation is its index in `observations`, plus 1.
 */
export function demoDocuments(observations: readonly DemoObservation[]): ObservationDocument[] {
  return observations.map((observation, place) => {
    const judged = normalizeRecord(observation.record);
    if (!("record" in judged)) throw new Error(judged.reason);
    const ids = { id: place + 1, company_id: observation.company.number + 1 };
    return documentOf(rowOf(judged.record, ids))!;
  });
}

/**
 * Records the demo dataset in a database as of the moment of the questions. Expiry is postponed by
 * 50 years, because a database always compares it with the present time.
 */
export async function recordDemoDataset(db: Database): Promise<void> {
  await recordDemo(db, DEMO_MOMENT);
  await db.sql`
    update observations set expires_at = expires_at + interval '50 years'
    where expires_at is not null
  `;
}

/** Returns the index of every observation in `demoObservations`, by its id in the database. */
export async function demoPlaces({ sql }: Database): Promise<Map<number, number>> {
  const places = new Map(
    demoObservations().map((
      { record },
      place,
    ) => [`${record.source} ${record.external_id}`, place]),
  );
  const rows = await sql<{ id: number; key: string }[]>`
    select o.id, s.name || ' ' || o.external_id as key
    from observations o
    join sources s on s.id = o.source_id
  `;
  return new Map(rows.map(({ id, key }) => [id, places.get(key)!]));
}
