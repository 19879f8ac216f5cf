/** Observations as they may be shown: from rows to the wire. */
import { INPUTS } from "../contract/inputs.ts";
import { standingFor } from "../contract/json_text.ts";
import type { NestedObservation, Observation } from "../contract/observation.ts";
import { accepted, type ObservationRow, type Refusal } from "../operations/answer.ts";
import type { Caller, Context, ReadAction } from "../operations/action.ts";
import { readShown, type ShownLists } from "../operations/shown.ts";

/** Returns an observation as it is nested in its company. */
export function nestedObservation({ text }: ObservationRow): NestedObservation {
  return standingFor<NestedObservation>(text);
}

/** Returns an observation by itself, with its company. */
export function observationWithCompany(row: ObservationRow): Observation {
  const company = JSON.stringify({ id: row.company_id, name: row.company_name });
  return standingFor<Observation>(`${row.text.slice(0, -1)},"company":${company}}`);
}

/** `GET /api/observations/{id}`: unmetered, with the evidence that is permitted now. */
export const getObservation: ReadAction<{ id: number }> = {
  name: "get_observation",
  invalid_input: "invalid_search",
  input: INPUTS.get_observation,
  async read(context: Context, caller: Caller, { id }: { id: number }) {
    const read = async (bodies: boolean) => {
      const [row] = await context.sql<{ answer: Found | Refusal }[]>`
        select read_observation(
          ${caller.key_hash}, ${id}, ${bodies}, ${context.now?.() ?? null}
        ) as answer
      `;
      return accepted(row!.answer);
    };
    const { rows: [observation] } = await readShown(context.texts, read);
    return { status: 200, body: { observation: observationWithCompany(observation!) } };
  },
};

interface Found {
  outcome: "found";
  shown: ShownLists;
}
