/** The demo dataset for judges: its observations, and the rows that the service indexes of them. */
import type { Database } from "../../src/db/connect.ts";
import { type DemoObservation, generateDemo, recordDemo } from "../../src/demo/demo.ts";
import { normalizeRecord } from "../../src/ingest/record/normalize.ts";
import { documentOf } from "../../src/search/changes/changes.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { DEMO_MOMENT } from "../demo_questions.ts";
import { rowOf } from "../rows.ts";

/** Lists the observations as of the moment of the questions. Their ids are their places from 1 on. */
export function demoObservations(): readonly DemoObservation[] {
  return generateDemo(DEMO_MOMENT);
}

/** Returns what an index holds of the demo dataset, without a database. */
export function demoDocuments(observations: readonly DemoObservation[]): ObservationDocument[] {
  return observations.map((observation, place) => {
    const judged = normalizeRecord(observation.record);
    if (!("record" in judged)) throw new Error(judged.reason);
    const ids = { id: place + 1, company_id: observation.company.number + 1 };
    return documentOf(rowOf(judged.record, ids))!;
  });
}

/**
 * Records the demo dataset in a database as of the moment of the questions. Nothing expires before
 * the present, since a database tells the present time by itself.
 */
export async function recordDemoDataset(db: Database): Promise<void> {
  await recordDemo(db, DEMO_MOMENT);
  await db.sql`
    update observations set expires_at = expires_at + interval '50 years'
    where expires_at is not null
  `;
}

/** Reads the place of every observation in `demoObservations`, by the id in the database. */
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
