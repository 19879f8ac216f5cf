/** Every action by name. */
import { INPUTS } from "./contract/inputs.ts";
import { listObservations } from "./dataset/listing.ts";
import { getCompanies, getCompany, getObservation } from "./dataset/lookup.ts";
import type { MeteredAction, ReadAction, ReadActionName } from "./operations/action.ts";
import { readOperation, replay } from "./operations/answer.ts";
import { diagnostic, getUsage } from "./operations/report.ts";
import type { Retriever } from "./search/retriever.ts";
import { type CompanySearchParts, searchCompanies, searchObservations } from "./search/searches.ts";

/** Actions of the service, by name. */
export interface Actions {
  metered: ReadonlyMap<string, MeteredAction>;
  reads: ReadonlyMap<ReadActionName, ReadAction<unknown>>;
}

/** Creates all actions over one retriever. */
export function createActions(retriever: Retriever, parts?: CompanySearchParts): Actions {
  const metered = byName([
    searchCompanies(retriever, parts),
    searchObservations(retriever),
    getCompanies,
    listObservations,
    diagnostic,
  ] as unknown as MeteredAction[]);
  const reads = [getCompany, getObservation, getUsage, getOperation(metered)];
  return { metered, reads: byName(reads as ReadAction<unknown>[]) };
}

/** Returns the action of `GET /api/usages/{id}`. It is unmetered, and replays an operation. */
function getOperation(metered: Actions["metered"]): ReadAction<{ id: number }> {
  return {
    name: "get_operation",
    invalid_input: "invalid_search",
    input: INPUTS.get_operation,
    async read(context, caller, { id }) {
      const answer = await readOperation<object>(context, caller, id);
      return replay(metered.get(answer.action)!, answer);
    },
  };
}

function byName<T extends { name: string }>(actions: T[]): Map<T["name"], T> {
  return new Map(actions.map((action) => [action.name, action]));
}
