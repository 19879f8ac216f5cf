/** Turns rows of observations that may be shown into results. */
import { INPUTS } from "../contract/inputs.ts";
import { standingFor } from "../contract/json_text.ts";
import type { NestedObservation, Observation } from "../contract/observation.ts";
import { accepted, type ObservationRow } from "../operations/answer.ts";
import type { Caller, Context, ReadAction } from "../operations/action.ts";
import type { ObservationBody } from "../operations/observation_text.ts";
import { readShown, type ShownLists } from "../operations/shown_observations.ts";
import { readInBatches } from "./read_batch.ts";

/** Returns an observation in the form that is nested in its company. */
export function nestedObservation({ json }: ObservationRow): NestedObservation {
  return json as unknown as NestedObservation;
}

/** Returns an observation with its company. */
export function observationWithCompany(row: ObservationRow): Observation {
  const company = JSON.stringify({ id: row.company_id, name: row.company_name });
  return standingFor<Observation>(`${row.json.text.slice(0, -1)},"company":${company}}`);
}

/** `GET /api/observations/{id}`: unmetered, with the evidence that may be shown now. */
export function getObservation(): ReadAction<{ id: number }> {
  const ask = readInBatches<StoredObservation>((sql, { key_hashes, ids, bodies, now }) =>
    sql`
      select read_observation(decode(r.key_hash, 'hex'), r.id, r.bodies = 1, ${now}) as answer
      from unnest(${key_hashes}::text[], ${ids}::bigint[], ${bodies}::integer[])
        with ordinality r (key_hash, id, bodies, place)
      order by r.place
    `
  );
  return {
    name: "get_observation",
    invalid_input: "invalid_search",
    input: INPUTS.get_observation,
    async read(context: Context, caller: Caller, { id }: { id: number }) {
      const { rows: [observation] } = await readShown(context.texts, async (bodies) => ({
        shown: shownOf(id, accepted(await ask({ context, caller, id, bodies }))),
      }));
      return { status: 200, body: { observation: observationWithCompany(observation!) } };
    },
  };
}

/** Answer of read_observation. */
interface StoredObservation {
  outcome: "found";
  company_id: number;
  company_name: string;
  revision: string;
  body: ObservationBody | null;
}

function shownOf(
  id: number,
  { company_id, company_name, revision, body }: StoredObservation,
): ShownLists {
  return {
    ids: [id],
    company_ids: [company_id],
    company_names: [company_name],
    revisions: [revision],
    bodies: body && { [id]: body },
    hostnames: null,
  };
}
