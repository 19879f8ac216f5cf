/** Unmetered reads of one company or one observation, with the evidence that may be shown now. */
import { INPUTS } from "../contract/inputs.ts";
import type { ReadAction } from "../operations/action.ts";
import { accepted, type ObservationRow, type Refusal } from "../operations/answer.ts";
import { observationWithCompany, presentCompany } from "./present.ts";

/** `GET /api/companies/{id}`: a company with its three latest observations. */
export const getCompany: ReadAction<{ id: number }> = {
  name: "get_company",
  invalid_input: "invalid_lookup",
  input: INPUTS.get_company,
  async read({ sql, now }, { key_hash }, { id }) {
    const [row] = await sql<{ answer: Found & { as_of: string } | Refusal }[]>`
      select read_company(${key_hash}, ${id}, ${now?.() ?? null}) as answer
    `;
    const { observations, as_of } = accepted(row!.answer);
    return { status: 200, body: { company: presentCompany(observations, as_of) } };
  },
};

/** `GET /api/observations/{id}`: an observation with its company. */
export const getObservation: ReadAction<{ id: number }> = {
  name: "get_observation",
  invalid_input: "invalid_search",
  input: INPUTS.get_observation,
  async read({ sql, now }, { key_hash }, { id }) {
    const [row] = await sql<{ answer: Found | Refusal }[]>`
      select read_observation(${key_hash}, ${id}, ${now?.() ?? null}) as answer
    `;
    const [observation] = accepted(row!.answer).observations;
    return { status: 200, body: { observation: observationWithCompany(observation!) } };
  },
};

/** Answer of read_company and read_observation. */
interface Found {
  outcome: "found";
  observations: ObservationRow[];
}
