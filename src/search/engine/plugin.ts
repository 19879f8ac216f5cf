/**
 * Orama's interface to a SegmentedIndex. `create`, `insert`, `update`, `remove`, `search`, `count`,
 * `getByID`, `save` and `load` of @orama/orama work on it.
 *
 * `search` returns the documents within `where` that contain any word of `term`, as the engine
 * ranks them. Without a term, it lists the first documents by id. It returns and counts at most
 * `results_max` documents. With `groupBy` by company, it returns the best companies of all
 * documents, not only of the best results. The index keeps no texts and has one ranking, so it
 * refuses `exact`, `tolerance`, `boost`, `properties` and `sortBy`. Results contain the facts of
 * documents instead of their texts.
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
import { type Conditions, EVERYTHING } from "./filters.ts";
import type { Field } from "./scoring.ts";
import type { DocumentFacts } from "./segment.ts";
import { type IndexOptions, type IndexState, SegmentedIndex } from "./segmented_index.ts";
import { words } from "./text.ts";
import type { IndexedDocument } from "./writing.ts";

interface PluginOptions extends IndexOptions {
  /** Properties of documents that are searched: texts, or lists of texts. */
  fields: Readonly<Record<string, Field>>;
  /**
   * True if ids are positive integers, written as texts. Ties are then broken by the integers, and
   * no list of ids is kept.
   */
  integer_ids?: boolean;
  /** Max number of results; absent: 100. */
  results_max?: number;
  /**
   * Property that contains the number of a document's company. If it is set, `groupBy` accepts only
   * this property, and `search` returns a promise. Absent: documents cannot be grouped.
   */
  company_property?: string;
  /**
   * Returns the facts of a document for filters and grouping. Absent: each document has a company
   * of its own.
   */
  factsOf?(document: AnyDocument): Omit<IndexedDocument, "id" | "texts">;
  /** Returns the document that `getByID` and results show. Absent: they show only the id. */
  documentOf?(facts: DocumentFacts): object;
  /** Converts a non-empty `where` to conditions. Absent: such a `where` is refused. */
  conditionsOf?(index: SegmentedIndex, where: Record<string, unknown>): Conditions;
}

const RESULTS_MAX = 100;

/** State of the index component in an Orama instance. */
interface SegmentsStore extends AnyIndexStore {
  index: SegmentedIndex;
  /** Always empty. Orama looks for geographical trees here. */
  indexes: Record<string, never>;
}

/**
 * Ids that conditions admit. Orama expects a set, but iterates over it only if a search has no
 * term.
 */
class AdmittedIds extends Set<number> {
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

/**
 * Returns the plugin for one call of `create`: `create({ schema, plugins: [segmentsPlugin(options)]
 * })`.
 */
export function segmentsPlugin(options: PluginOptions): OramaPluginSync {
  return {
    name: "segments",
    ...options.company_property === undefined ? {} : { afterSearch: groupsOf(options) },
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
        // The index reads whole documents, so Orama need not extract properties.
        getDocumentProperties: () => ({}),
      };
    },
  } as OramaPluginSync;
}

/** Returns the engine of an Orama instance with this plugin. It is valid until the next `load`. */
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
  if (options.company_property !== undefined) types[options.company_property] = "number";
  return {
    create(_orama, ids) {
      if (options.integer_ids) useIntegers(ids);
      return store;
    },
    // The documents' store indexes whole documents, so Orama has no single properties to insert.
    insert: () => refuse("single properties"),
    remove: () => refuse("single properties"),
    getSearchableProperties: () => properties,
    getSearchablePropertiesWithTypes: () => types,
    search(_index, term, _tokenizer, _language, searched, exact, tolerance, boost, ...rest) {
      if (exact) refuse("exact");
      if (tolerance > 0) refuse("tolerance");
      if (Object.keys(boost).length > 0) refuse("boost");
      if (searched.length < properties.length) refuse("properties");
      const where = rest[2] as AdmittedIds | undefined;
      const query = { words: words(term), conditions: where?.conditions ?? EVERYTHING };
      return store.index.search(query, results_max)
        .map(({ observation_id, score }) => [observation_id, score]);
    },
    searchByWhereClause(_index, _tokenizer, where) {
      if (conditionsOf === undefined) return refuse("where");
      const conditions = conditionsOf(store.index, where as Record<string, unknown>);
      return new AdmittedIds(conditions, () => store.index.lookup.list(conditions, results_max));
    },
    save: <Raw>() => store.index.state() as Raw,
    load(ids, raw) {
      if (options.integer_ids) useIntegers(ids);
      store.index = SegmentedIndex.of(raw as IndexState, options);
      return store;
    },
    insertDocumentScoreParameters: () => refuse("scores of one property"),
    insertTokenScoreParameters: () => refuse("scores of one property"),
    removeDocumentScoreParameters: () => refuse("scores of one property"),
    removeTokenScoreParameters: () => refuse("scores of one property"),
    calculateResultScores: () => refuse("scores of one property"),
  };
}

type AfterSearch = NonNullable<OramaPluginSync["afterSearch"]>;

/** Returns a hook that replaces Orama's groups by the best companies of all documents. */
function groupsOf(
  { company_property, conditionsOf, results_max = RESULTS_MAX }: PluginOptions,
): AfterSearch {
  return (orama, { term = "", where, groupBy }: GroupedParams, _language, results) => {
    if (groupBy === undefined) return;
    if (groupBy.properties.join() !== company_property) {
      refuse("groupBy with other properties than the company");
    }
    if (groupBy.reduce !== undefined) refuse("groupBy.reduce");
    const index = segmentsOf(orama);
    const isNarrowed = Object.keys(where ?? {}).length > 0;
    const conditions = isNarrowed ? conditionsOf?.(index, where!) ?? EVERYTHING : EVERYTHING;
    const limits = {
      companies: results_max,
      observations_per_company: groupBy.maxResult ?? results_max,
    };
    const query = { words: words(term), conditions };
    const companies = query.words.length > 0
      ? index.shortlist(query, limits)
      : index.listCompanies(conditions, limits);
    results.groups = companies.map(({ company_id, observations }) => ({
      values: [company_id],
      result: observations.map(({ observation_id, score }) => ({
        id: orama.internalDocumentIDStore.internalIdToId[observation_id - 1]!,
        score,
        document: orama.documentsStore.get(orama.data.docs, observation_id)!,
      })),
    })) as typeof results.groups;
  };
}

/** Parameters of a search on which groups depend. */
interface GroupedParams {
  term?: string;
  where?: Record<string, unknown>;
  groupBy?: { properties: readonly string[]; maxResult?: number; reduce?: unknown };
}

interface DocumentsStore {
  ids: IdStore;
  /** Always empty. Orama keeps documents here by default. */
  docs: Record<number, AnyDocument>;
}

function documentsComponent(
  store: SegmentsStore,
  { fields, factsOf, documentOf, results_max = RESULTS_MAX }: PluginOptions,
): IDocumentsStore<DocumentsStore> {
  const properties = Object.keys(fields);
  const find = ({ ids }: DocumentsStore, id: string | number) => {
    const internal = internalId(ids, id);
    const facts = internal === undefined ? undefined : store.index.lookup.get(internal);
    return facts && { id: ids.internalIdToId[facts.id - 1], ...documentOf?.(facts) };
  };
  return {
    create: (_orama, ids) => ({ ids, docs: {} }),
    get: find,
    getMultiple: (documents, ids) => ids.map((id) => find(documents, id)),
    getAll: (documents) =>
      Object.fromEntries(
        store.index.lookup.list(EVERYTHING, results_max).map((id) => [id, find(documents, id)!]),
      ),
    store(_documents, _id, id, document) {
      if (store.index.lookup.get(id) !== undefined) return false;
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

/**
 * Facts of a document if the plugin has no `factsOf`. The company is added: its id is that of the
 * document.
 */
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
  throw new Error(`this index does not support ${what}`);
}

/** Orama's map of the ids of documents, which are texts, to internal numbers from 1 on. */
type IdStore = AnyOrama["internalDocumentIDStore"];

/** Returns the internal number of a document; undefined if it has none. It assigns no numbers. */
function internalId({ idToInternalId }: IdStore, id: string | number): number | undefined {
  return typeof id === "number" ? id : idToInternalId.get(id);
}

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
