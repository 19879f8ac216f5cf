/**
 * Orama's interface to an index of records. `create`, `insert`, `update`, `remove`, `search`, `save`
 * and `load` of @orama/orama work on it:
 *
 *     const orama = create({ schema: RECORD_SCHEMA, plugins: [recordPlugin()] });
 *     insert(orama, { ...document, id: String(document.observation_id) });
 *     search(orama, { term: "cold storage in Ontario" });
 *
 * `search` returns the best records of the question, at most 300. The index has one ranking, so it
 * refuses `exact`, `tolerance`, `boost` and `where`.
 */
import {
  type AnyIndexStore,
  type AnyOrama,
  create,
  type IIndex,
  load,
  type OramaPluginSync,
  save,
} from "@orama/orama";
import { instantOf } from "../contract/instant.ts";
import { NO_FILTERS } from "../contract/filters.ts";
import { runNow } from "../slices.ts";
import { match } from "./match/match.ts";
import { readQuestion } from "./question/read_question.ts";
import type { ObservationDocument } from "./index/document.ts";
import { RecordIndex } from "./index/record_index.ts";
import type { SegmentArrays } from "./index/segment.ts";

/** Schema that `create` needs. The index reads whole documents. */
export const RECORD_SCHEMA = { observation_id: "number" } as const;

/** State of the index component in an Orama instance. */
interface RecordStore extends AnyIndexStore {
  index: RecordIndex;
  /** Always empty. Orama looks for geographical trees here. */
  indexes: Record<string, never>;
  /** Orama's numbers of the documents by their ids. */
  numbers: ReadonlyMap<string, number>;
}

/** Returns the plugin for one call of `create`. */
export function recordPlugin(): OramaPluginSync {
  return {
    name: "records",
    getComponents: () => ({
      index: INDEX,
      // Orama then inserts one property, which is the whole document.
      getDocumentProperties: (document: unknown) => ({ document }),
    }),
  } as unknown as OramaPluginSync;
}

/** Opens an index of records as a component of Orama. @param segments absent: it is empty */
export function openIndex(segments?: readonly SegmentArrays[]): RecordIndex {
  const orama: AnyOrama = create({ schema: RECORD_SCHEMA, plugins: [recordPlugin()] });
  if (segments !== undefined) load(orama, { ...save(orama), index: segments });
  return (orama.data.index as RecordStore).index;
}

/** Calls with properties of documents have no meaning here, and are left out. */
const INDEX: Partial<IIndex<RecordStore>> = {
  create: (_orama, ids) => storeOf(new RecordIndex(), ids),
  insert(_index, { index }, _property, _id, _number, document) {
    index.put(document as unknown as ObservationDocument);
  },
  remove(_index, { index }, _property, id) {
    index.remove(Number(id));
    return true;
  },
  getSearchableProperties: () => ["document"],
  getSearchablePropertiesWithTypes: () => ({ document: "object" as "string" }),
  search(store, term, _tokenizer, _language, _searched, exact, tolerance, boost) {
    if (exact) refuse("exact");
    if (tolerance > 0) refuse("tolerance");
    if (Object.keys(boost).length > 0) refuse("boost");
    const { index: { records }, numbers } = store as RecordStore;
    const now = new Date();
    const question = readQuestion(term, now, records);
    const filters = { ...NO_FILTERS, now: instantOf(now) };
    return runNow(match({ records, question, filters })).candidates.map(({ slot, score }) => {
      return [numbers.get(String(records.numberAt(slot, "observation_id")))!, score];
    });
  },
  searchByWhereClause: () => refuse("where"),
  save: <Raw>({ index }: RecordStore) => index.segments() as Raw,
  load: (ids, segments) => storeOf(new RecordIndex(segments as SegmentArrays[]), ids),
};

function storeOf(index: RecordIndex, ids: AnyOrama["internalDocumentIDStore"]): RecordStore {
  return { index, numbers: ids.idToInternalId, indexes: {}, vectorIndexes: {} };
}

function refuse(option: string): never {
  throw new Error(`this index does not support ${option}`);
}
