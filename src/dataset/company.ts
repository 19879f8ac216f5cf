/** Turns rows of companies that may be shown into results. */
import { INPUTS } from "../contract/inputs.ts";
import type { Company } from "../contract/observation.ts";
import { accepted, type ObservationRow } from "../operations/answer.ts";
import type { Caller, Context, ReadAction } from "../operations/action.ts";
import { readShown, type ShownLists } from "../operations/shown_observations.ts";
import { nestedObservation } from "./observation.ts";
import { readInBatches } from "./read_batch.ts";

const DAY_MS = 86_400_000;
const STALE_DAYS = 180;

/**
 * Returns limitations that a reader should know before relying on a company. They depend on the
 * observations shown with it, at the instant of the answer.
 */
export function companyLimitations(rows: ObservationRow[], asOf: string): string[] {
  const limitations: string[] = [];
  const source = rows[0]?.source_id;
  if (rows.every(({ source_id }) => source_id === source)) limitations.push("single_source");
  if (rows.every((row) => row.demand_class === "structural")) limitations.push("structural_only");
  const since = Date.parse(asOf) - STALE_DAYS * DAY_MS;
  if (rows.every((row) => Date.parse(row.observed_at) < since)) limitations.push("stale_evidence");
  return limitations;
}

/** Returns a company from the rows of its observations, in the order in which they are shown. */
export function presentCompany(rows: ObservationRow[], asOf: string): Company {
  const [first] = rows;
  if (first === undefined) throw new Error("a company is shown by its observations, and has none");
  const domains = new Map(rows.flatMap((row) => row.domains ?? []).map((d) => [d.id, d]));
  return {
    id: first.company_id,
    name: first.company_name,
    domains: [...domains.values()].sort((a, b) => a.id - b.id),
    observations: rows.map(nestedObservation),
    limitations: companyLimitations(rows, asOf),
  };
}

/**
 * `GET /api/companies/{id}`: unmetered, with the three latest observations that may be shown now.
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
        const found = accepted(await ask({ context, caller, id, bodies }));
        return { ...found, shown: shownOf(id, found) };
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
  /** Hostnames that the observations support. */
  domains: { id: number; hostname: string }[] | null;
  bodies: ShownLists["bodies"];
}

function shownOf(
  id: number,
  { ids, company_name, revisions, domains, bodies }: StoredCompany,
): ShownLists {
  return {
    ids,
    company_ids: ids.map(() => id),
    company_names: ids.map(() => company_name),
    revisions,
    bodies,
    // The company is shown with all its hostnames, whichever observation supports each.
    hostnames: domains && { [ids[0]!]: domains },
  };
}
