/** The input of every action: what its action parses, its doors read and their documents describe. */
import { anyId, inputObject } from "./fields.ts";
import { ObservationListRequest } from "./listing.ts";
import { CompanyLookupRequest } from "./lookup.ts";
import { CompanySearchRequest, ObservationSearchRequest } from "./search.ts";

/** The input of a read of one company, observation or operation. */
export const IdRequest = inputObject({ id: anyId });

/** The input of an action that takes none. */
export const NoInput = inputObject({});

/** Input schemas by the names of actions. */
export const INPUTS = {
  search_companies: CompanySearchRequest,
  get_companies: CompanyLookupRequest,
  list_observations: ObservationListRequest,
  search_observations: ObservationSearchRequest,
  diagnostic: NoInput,
  get_company: IdRequest,
  get_observation: IdRequest,
  get_operation: IdRequest,
  get_usage: NoInput,
};
