/**
 * Orama's interface to an index of records. `create`, `insert`, `update`, `remove`, `search`,
 * `count`, `getByID`, `save` and `load` of @orama/orama work on it:
 *
 *     const index = create({ schema: RECORD_SCHEMA, plugins: [recordPlugin()] });
 *     await insert(index, rowOf(document));
 *     await search(index, { term: "cold storage in Ontario" });
 *
 * `search` returns the best records of the question, at most 300. The index keeps no texts and has
 * one ranking, so it refuses `exact`, `tolerance`, `boost`, `where` and `sortBy`.
 */
import {
  type AnyDocument,
  type AnyIndexStore,
  type AnyOrama,
  create,
  type IDocumentsStore,
  type IIndex,
  type ISorter,
  load,
  type OramaPluginSync,
  save,
  type Tokenizer,
} from "@orama/orama";
import { matchNow } from "./match/match.ts";
import { NO_FILTERS } from "./match/criteria.ts";
import { readQuestion } from "./question/read_question.ts";
import { wordsOf } from "./words/tokens.ts";
import type { ObservationDocument } from "./index/document.ts";
import { type IndexState, RecordIndex } from "./index/record_index.ts";

/** Schema of the rows that rowOf() returns. */
export const RECORD_SCHEMA = {
  company: "string",
  observed_fact: "string",
  why_it_may_matter: "string",
  texts: "string[]",
} as const;

/** Converts a document to a row of Orama. */
export function rowOf(document: ObservationDocument): AnyDocument & { id: string } {
  return { ...document.text, id: String(document.observation_id), document };
}

/** State of the index component in an Orama instance. */
interface RecordStore extends AnyIndexStore {
  index: RecordIndex;
  /** Always empty. Orama looks for geographical trees here. */
  indexes: Record<string, never>;
}

/** Returns the plugin for one call of `create`. */
export function recordPlugin(): OramaPluginSync {
  return {
    name: "records",
    getComponents() {
      const store: RecordStore = { index: new RecordIndex(), indexes: {}, vectorIndexes: {} };
      return {
        index: indexComponent(store),
        documentsStore: documentsComponent(store),
        tokenizer: TOKENIZER,
        sorter: SORTER,
        // The index reads whole documents, so Orama need not extract properties.
        getDocumentProperties: () => ({}),
      };
    },
  } as OramaPluginSync;
}

/** Returns the index of an Orama instance with this plugin. It is valid until the next `load`. */
export function recordsOf(orama: AnyOrama): RecordIndex {
  return (orama.data.index as RecordStore).index;
}

/** Opens an index of records as a component of Orama. @param state its state; absent: empty */
export function openIndex(state?: IndexState): RecordIndex {
  const orama = create({ schema: RECORD_SCHEMA, plugins: [recordPlugin()] });
  if (state !== undefined) load(orama, { ...save(orama), index: state });
  return recordsOf(orama);
}

const PROPERTIES = Object.keys(RECORD_SCHEMA);

function indexComponent(store: RecordStore): IIndex<RecordStore> {
  return {
    create(_orama, ids) {
      useIntegers(ids);
      return store;
    },
    // The documents' store indexes whole documents, so Orama has no single properties to insert.
    insert: () => refuse("single properties"),
    remove: () => refuse("single properties"),
    getSearchableProperties: () => PROPERTIES,
    getSearchablePropertiesWithTypes: () => ({ ...RECORD_SCHEMA }),
    search(_index, term, _tokenizer, _language, _searched, exact, tolerance, boost, ...rest) {
      if (exact) refuse("exact");
      if (tolerance > 0) refuse("tolerance");
      if (Object.keys(boost).length > 0) refuse("boost");
      if (rest[2] !== undefined) refuse("where");
      const { records } = store.index;
      const question = readQuestion(term, new Date(), records);
      const filters = { ...NO_FILTERS, now: new Date().toISOString() };
      return matchNow({ records, question, filters }).candidates.map(({ slot, score }) => {
        const { base, arrays } = records.segmentOf(slot);
        return [arrays.observation_id[slot - base]!, score];
      });
    },
    searchByWhereClause: () => refuse("where"),
    save: <Raw>() => store.index.state() as Raw,
    load(ids, raw) {
      useIntegers(ids);
      store.index = new RecordIndex(raw as IndexState);
      return store;
    },
    insertDocumentScoreParameters: () => refuse("scores of one property"),
    insertTokenScoreParameters: () => refuse("scores of one property"),
    removeDocumentScoreParameters: () => refuse("scores of one property"),
    removeTokenScoreParameters: () => refuse("scores of one property"),
    calculateResultScores: () => refuse("scores of one property"),
  };
}

interface DocumentsStore {
  ids: IdStore;
  /** Always empty. Orama keeps documents here by default. */
  docs: Record<number, AnyDocument>;
}

function documentsComponent(store: RecordStore): IDocumentsStore<DocumentsStore> {
  const find = ({ ids }: DocumentsStore, id: string | number) => {
    const number = typeof id === "number" ? id : ids.idToInternalId.get(id);
    const { records } = store.index;
    if (number === undefined || records.slotOf(number) < 0) return undefined;
    return { id: String(number) };
  };
  return {
    create: (_orama, ids) => ({ ids, docs: {} }),
    get: find,
    getMultiple: (documents, ids) => ids.map((id) => find(documents, id)),
    getAll: () => refuse("listing"),
    store(_documents, _id, id, { document }) {
      if (store.index.records.slotOf(id) >= 0) return false;
      store.index.put(document as unknown as ObservationDocument);
      return true;
    },
    remove(documents, id) {
      const isKnown = find(documents, id) !== undefined;
      store.index.remove(Number(id));
      return isKnown;
    },
    count: () => store.index.records.count,
    save: <Raw>() => null as Raw,
    load: (ids) => ({ ids, docs: {} }),
  };
}

const TOKENIZER: Tokenizer = {
  language: "english",
  normalizationCache: new Map(),
  tokenize: (raw) => wordsOf(raw).map(({ folded }) => folded),
};

const SORTER: ISorter<{ disabled: true }> = {
  create: () => ({ disabled: true }),
  insert() {},
  remove() {},
  load: () => ({ disabled: true }),
  save: <Raw>() => null as Raw,
  sortBy: () => refuse("sortBy"),
  getSortableProperties: () => [],
  getSortablePropertiesWithTypes: () => ({}),
};

function refuse(what: string): never {
  throw new Error(`this index does not support ${what}`);
}

/** Orama's map of the ids of documents, which are texts, to internal numbers from 1 on. */
type IdStore = AnyOrama["internalDocumentIDStore"];

/**
 * Uses ids that are positive integers as internal numbers. Orama would number documents by arrival,
 * and keep all ids in a map and a list, even those of removed documents.
 */
function useIntegers(ids: IdStore): void {
  const numbers = { get: numberOf, clear() {} };
  Object.assign(ids, {
    idToInternalId: numbers,
    internalIdToId: new Proxy([], {
      get: (_list, place) =>
        place === "length" ? Number.MAX_SAFE_INTEGER : String(Number(place) + 1),
    }),
    save: () => null,
    load() {},
  });
}

function numberOf(id: string): number {
  const number = Number(id);
  if (Number.isSafeInteger(number) && number > 0 && String(number) === id) return number;
  throw new Error(`the id of a document is not a positive integer: ${id}`);
}
