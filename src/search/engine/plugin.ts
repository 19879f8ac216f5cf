/**
 * The face of Orama over a SegmentedIndex: `create`, `insert`, `remove`, `update`, `search`, `count`,
 * `getByID`, `save` and `load` of @orama/orama work on it.
 *
 * `search` finds documents that hold any of the words of a term, as the engine ranks them, within
 * `where`; without a term it lists the first ones by id. It gives no more than `results_max` results,
 * nor does its `count` count more. What would need the texts, which are not kept, or another ranking
 * is refused: `exact`, `tolerance`, `boost`, `properties`, `sortBy`. Documents come back as what is
 * known of them beside their texts.
 */
import type {
  AnyDocument,
  AnyIndexStore,
  AnyOrama,
  IDocumentsStore,
  IIndex,
  ISorter,
  OramaPluginSync,
  SearchableType,
  Tokenizer,
} from "@orama/orama";
import { type Conditions, EVERYTHING } from "./admission.ts";
import type { DocumentFacts, IndexedDocument } from "./drafts.ts";
import type { Field } from "./fields.ts";
import { type IdStore, internalId, useIntegers } from "./plugin_ids.ts";
import { type IndexOptions, type IndexState, SegmentedIndex } from "./segmented_index.ts";
import { words } from "./tokens.ts";

export interface PluginOptions extends IndexOptions {
  /** The properties of documents that are searched: texts, or lists of texts. */
  fields: Readonly<Record<string, Field>>;
  /** Whether ids are positive integers written as texts: then ties follow them, and no id is kept. */
  integer_ids?: boolean;
  results_max?: number;
  /** What filters and grouping need of a document. Absent: each is a company of its own. */
  factsOf?(document: AnyDocument): Omit<IndexedDocument, "id" | "texts">;
  /** What `getByID` and results show. Absent: the id. */
  documentOf?(facts: DocumentFacts): object;
  /** What a `where` that is not empty asks for. Absent: it is refused. */
  conditionsOf?(index: SegmentedIndex, where: Record<string, unknown>): Conditions;
}

const RESULTS_MAX = 100;

/** The index component's part of an Orama instance. */
export interface SegmentsStore extends AnyIndexStore {
  index: SegmentedIndex;
  /** Orama looks for geographical trees in it. */
  indexes: Record<string, never>;
}

/** The documents that conditions admit, where Orama expects the ids of all of them. */
class Where extends Set<number> {
  readonly conditions: Conditions;
  readonly #list: () => number[];

  constructor(conditions: Conditions, list: () => number[]) {
    super();
    this.conditions = conditions;
    this.#list = list;
  }

  override [Symbol.iterator]() {
    return this.#list().values();
  }
}

/** Components for one call of `create`: `create({ schema, plugins: [segmentsPlugin(options)] })`. */
export function segmentsPlugin(options: PluginOptions): OramaPluginSync {
  return {
    name: "segments",
    getComponents(schema: Record<string, SearchableType>) {
      const store: SegmentsStore = {
        index: new SegmentedIndex(Object.values(options.fields), options),
        indexes: {},
        vectorIndexes: {},
      };
      return {
        index: indexComponent(store, schema, options),
        documentsStore: documentsComponent(store, options),
        tokenizer: TOKENIZER,
        sorter: SORTER,
        // The index takes documents whole: no property is picked out for it.
        getDocumentProperties: () => ({}),
      };
    },
  } as OramaPluginSync;
}

/** The engine inside an index with these components, until the next `load`. */
export function segmentsOf(orama: AnyOrama): SegmentedIndex {
  return (orama.data.index as SegmentsStore).index;
}

function indexComponent(
  store: SegmentsStore,
  schema: Readonly<Record<string, SearchableType>>,
  options: PluginOptions,
): IIndex<SegmentsStore> {
  const { fields, conditionsOf, results_max = RESULTS_MAX } = options;
  const properties = Object.keys(fields);
  const types = Object.fromEntries(properties.map((name) => [name, schema[name]!]));
  return {
    create(_orama, ids) {
      if (options.integer_ids) useIntegers(ids);
      return store;
    },
    // Documents are taken whole by the documents' store.
    insert() {},
    remove: () => true,
    getSearchableProperties: () => properties,
    getSearchablePropertiesWithTypes: () => types,
    search(_index, term, _tokenizer, _language, searched, exact, tolerance, boost, ...rest) {
      if (exact) refuse("exact");
      if (tolerance > 0) refuse("tolerance");
      if (Object.keys(boost).length > 0) refuse("boost");
      if (searched.length < properties.length) refuse("properties");
      const where = rest[2] as Where | undefined;
      const question = { words: words(term), conditions: where?.conditions ?? EVERYTHING };
      return store.index.search(question, results_max)
        .map(({ observation_id, score }) => [observation_id, score]);
    },
    searchByWhereClause(_index, _tokenizer, where) {
      if (conditionsOf === undefined) return refuse("where");
      const conditions = conditionsOf(store.index, where as Record<string, unknown>);
      return new Where(conditions, () => store.index.held.list(conditions, results_max));
    },
    save: <Raw>() => store.index.state() as Raw,
    load(ids, raw) {
      if (options.integer_ids) useIntegers(ids);
      store.index = SegmentedIndex.of(raw as IndexState, options);
      return store;
    },
    insertDocumentScoreParameters() {},
    insertTokenScoreParameters() {},
    removeDocumentScoreParameters() {},
    removeTokenScoreParameters() {},
    calculateResultScores: () => refuse("scores of one property"),
  };
}

interface DocumentsStore {
  ids: IdStore;
  /** Orama's own place for documents; there are none. */
  docs: Record<number, AnyDocument>;
}

function documentsComponent(
  store: SegmentsStore,
  { fields, factsOf, documentOf, results_max = RESULTS_MAX }: PluginOptions,
): IDocumentsStore<DocumentsStore> {
  const properties = Object.keys(fields);
  const find = ({ ids }: DocumentsStore, id: string | number) => {
    const internal = internalId(ids, id);
    const facts = internal === undefined ? undefined : store.index.held.get(internal);
    return facts && { id: ids.internalIdToId[facts.id - 1], ...documentOf?.(facts) };
  };
  return {
    create: (_orama, ids) => ({ ids, docs: {} }),
    get: find,
    getMultiple: (documents, ids) => ids.map((id) => find(documents, id)),
    getAll: (documents) =>
      Object.fromEntries(
        store.index.held.list(EVERYTHING, results_max).map((id) => [id, find(documents, id)!]),
      ),
    store(_documents, _id, id, document) {
      if (store.index.held.get(id) !== undefined) return false;
      const texts = properties.map((name) => document[name] ?? "");
      const facts = factsOf?.(document) ?? { ...PLAIN, company_id: id };
      store.index.put(Object.assign(facts, { id, texts }));
      return true;
    },
    remove: (_documents, _id, id) => store.index.remove(id),
    count: () => store.index.size,
    save: <Raw>() => null as Raw,
    load: (ids) => ({ ids, docs: {} }),
  };
}

/** A document that is in no class, has no time and supports no hostname. */
const PLAIN = {
  attribute: 0,
  occurred: -Infinity,
  observed: -Infinity,
  expires: Infinity,
  hostnames: [],
  facets: [],
  amount: NaN,
  closes: NaN,
  sectors: 0,
};

const TOKENIZER: Tokenizer = {
  language: "english",
  normalizationCache: new Map(),
  tokenize: (raw) => words(raw),
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
  throw new Error(`this index has no ${what}`);
}
