/** Unmetered reads of one company or one observation, with the evidence that may be shown now. */
import { INPUTS } from "../contract/inputs.ts";
import { Batch } from "../db/batch.ts";
import type { Sql } from "../db/connect.ts";
import type { Caller, Context, ReadAction } from "../operations/action.ts";
import { accepted, type Refusal } from "../operations/answer.ts";
import type { ObservationBody } from "../operations/observation_text.ts";
import { readShown, type ShownLists } from "../operations/shown_observations.ts";
import { observationWithCompany, presentCompany } from "./present.ts";

/**
 * Creates the action of `GET /api/companies/{id}`. It reads a company with its three latest
 * observations that may be shown now.
 */
export function getCompany(): ReadAction<{ id: number }> {
  const ask = readInBatches<StoredCompany>((sql, { key_hashes, ids, bodies, now }) =>
    sql`
      select read_company(decode(r.key_hash, 'hex'), r.id, r.bodies = 1, ${now}) as answer
      from unnest(${key_hashes}::text[], ${ids}::bigint[], ${bodies}::integer[])
        with ordinality r (key_hash, id, bodies, place)
      order by r.place
    `
  );
  return {
    name: "get_company",
    invalid_input: "invalid_lookup",
    input: INPUTS.get_company,
    async read(context: Context, caller: Caller, { id }: { id: number }) {
      const { answer, rows } = await readShown(context.texts, async (bodies) => {
        const stored = accepted(await ask({ context, caller, id, bodies }));
        return { ...stored, shown: shownCompany(id, stored) };
      });
      return { status: 200, body: { company: presentCompany(rows, answer.as_of) } };
    },
  };
}

/** Answer of read_company, as parallel lists. */
interface StoredCompany {
  outcome: "found";
  as_of: string;
  company_name: string;
  ids: number[];
  revisions: string[];
  /** Hostnames of the company for which the observations are evidence; null if there are none. */
  domains: { id: number; hostname: string }[] | null;
  bodies: ShownLists["bodies"];
}

function shownCompany(
  id: number,
  { ids, company_name, revisions, domains, bodies }: StoredCompany,
): ShownLists {
  return {
    ids,
    company_ids: ids.map(() => id),
    company_names: ids.map(() => company_name),
    revisions,
    bodies,
    // The answer does not tell which observation supports a hostname, so all hostnames are attached
    // to the first observation.
    hostnames: domains && { [ids[0]!]: domains },
  };
}

/**
 * Creates the action of `GET /api/observations/{id}`. It reads an observation with the evidence
 * that may be shown now.
 */
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
        shown: shownObservation(id, accepted(await ask({ context, caller, id, bodies }))),
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

function shownObservation(
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

/** A read of one caller. */
interface IdRead {
  context: Context;
  caller: Caller;
  id: number;
  /** True if the bodies of observations are requested as well. */
  bodies: boolean;
}

/** Reads of one statement, as parallel lists. */
interface IdReads {
  /** SHA-256 of the callers' keys, in hexadecimal. */
  key_hashes: string[];
  ids: number[];
  /** 1 if bodies are requested, otherwise 0, because the driver has no lists of booleans. */
  bodies: number[];
  /** Time of the reads; null for the database's clock. */
  now: Date | null;
}

/**
 * Returns a function that answers one read. Reads that arrive at the same moment share a statement.
 * @param select queries the database, and returns a row for each read in their order
 */
function readInBatches<Found>(
  select: (sql: Sql, reads: IdReads) => PromiseLike<{ answer: Found | Refusal }[]>,
): (read: IdRead) => Promise<Found | Refusal> {
  const batch = new Batch(async (reads: IdRead[]) => {
    const { sql, now } = reads[0]!.context;
    const rows = await select(sql, {
      key_hashes: reads.map(({ caller }) => caller.key_hash.toHex()),
      ids: reads.map(({ id }) => id),
      bodies: reads.map(({ bodies }) => Number(bodies)),
      now: now?.() ?? null,
    });
    return rows.map(({ answer }) => answer);
  });
  return (read) => batch.call(read);
}
