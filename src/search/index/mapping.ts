/** Maps observations to documents of the engine, and filters to its conditions. */
import type { SearchFilters } from "../../contract/filters.ts";
import {
  COUNTRIES,
  type Country,
  DEMAND_CLASSES,
  type DemandClass,
  type Kind,
  KINDS,
} from "../../contract/vocabulary.ts";
import { keyOfFacet } from "../engine/dictionary.ts";
import {
  admitAttributes,
  type Attributes,
  type Conditions,
  EVERYTHING,
} from "../engine/filters.ts";
import { memoized } from "../engine/memoized.ts";
import { type Field, singleTermsOf } from "../engine/scoring.ts";
import type { DocumentFacts, Segment } from "../engine/segment.ts";
import type { SegmentedIndex } from "../engine/segmented_index.ts";
import type { IndexedDocument } from "../engine/writing.ts";
import type { DocumentText, ObservationDocument } from "./document.ts";
import { microsecondsOf } from "./instants.ts";

/**
 * Weights and bits of the fields. The company and the fact weigh more than the other texts. Each
 * field has enough bits to count the occurrences of a word in long texts.
 */
export const OBSERVATION_FIELDS: Readonly<Record<keyof DocumentText, Field>> = {
  company: { weight: 3, bits: 4, neighbours: true },
  observed_fact: { weight: 2, bits: 6, leads: true, neighbours: true },
  why_it_may_matter: { weight: 1, bits: 5, leads: true },
  texts: { weight: 1, bits: 10, neighbours: true },
};

/**
 * Facts of an observation as the index returns them. Instants are numbers (see layout.ts of the
 * engine).
 */
export interface KnownObservation extends Omit<DocumentFacts, "id" | "attribute"> {
  observation_id: number;
  kind: Kind;
  demand_class: DemandClass;
  country: Country;
}

/**
 * Conditions of a search in addition to filters and words. An absent, null or empty condition
 * restricts nothing.
 */
export interface Narrowing {
  /** Groups of facet terms. An observation must contain at least one term of each group. */
  facets?: readonly (readonly string[])[];
  /** Folded words. An observation must contain at least one of them, in any form. */
  any_words?: readonly string[];
  /** Inclusive bounds of the amount. An observation without an amount does not meet them. */
  amount?: { min: number | null; max: number | null } | null;
  /** Instant (form: contract/instant.ts) before which the observation occurred, exclusive. */
  occurred_before?: string | null;
  /**
   * Bounds of the closing time: `after` is inclusive, and `before` exclusive. Closing times are
   * known to the minute.
   */
  closes?: { after: string | null; before: string | null } | null;
  /**
   * Bit mask of sectors (see sectorMask in document.ts). An observation must have at least one of
   * them.
   */
  sectors?: number;
}

/** Tells whether a narrowing restricts anything. */
export function narrows(narrowing: Narrowing): boolean {
  const { terms, amount, occurred_before, closes, sectors } = conditionsOfNarrowing(narrowing);
  return terms.length > 0 || amount !== null || occurred_before !== Infinity || closes !== null ||
    sectors !== 0;
}

function conditionsOfNarrowing(
  {
    facets = [],
    any_words = [],
    amount = null,
    occurred_before = null,
    closes = null,
    sectors = 0,
  }: Narrowing,
): Pick<Conditions, "terms" | "amount" | "occurred_before" | "closes" | "sectors"> {
  const { min = null, max = null } = amount ?? {};
  const { after = null, before = null } = closes ?? {};
  return {
    terms: [
      ...facets.map((group) => group.map(keyOfFacet)),
      singleTermsOf(any_words).map(({ key }) => key),
    ].filter((group) => group.length > 0),
    amount: min === null && max === null ? null : { min: min ?? -Infinity, max: max ?? Infinity },
    occurred_before: boundBefore(occurred_before),
    closes: after === null && before === null
      ? null
      : { after: after === null ? -Infinity : microsecondsOf(after), before: boundBefore(before) },
    sectors,
  };
}

function boundBefore(instant: string | null): number {
  return instant === null ? Infinity : microsecondsOf(instant);
}

/**
 * Converts filters and a narrowing to conditions of the engine. Looks up the companies of hostnames
 * in an index.
 */
export function conditionsOf(
  index: { readonly lookup: Pick<SegmentedIndex["lookup"], "companiesWithHostname"> },
  { filters, now, ...narrowing }: Narrowing & { filters?: SearchFilters; now?: string },
): Conditions {
  const moment = now === undefined ? -Infinity : microsecondsOf(now);
  const narrowed = conditionsOfNarrowing(narrowing);
  if (filters === undefined) return { ...EVERYTHING, ...narrowed, now: moment };
  const companiesOf = (hostnames: readonly string[]) =>
    hostnames.flatMap((hostname) => [...index.lookup.companiesWithHostname(hostname, moment)]);
  const after = (instant: string | null) => instant === null ? -Infinity : microsecondsOf(instant);
  return {
    ...narrowed,
    attributes: admittedAttributes(filters),
    occurred_after: after(filters.occurred_after),
    observed_after: after(filters.observed_after),
    now: moment,
    companies: admittedCompanies(filters, companiesOf),
    excluded: new Set([...filters.exclude_company_ids, ...companiesOf(filters.exclude_domains)]),
  };
}

/**
 * Returns the admitted companies; null: all companies. If no company has one of the hostnames, the
 * set is empty.
 */
function admittedCompanies(
  { company_ids, domains }: SearchFilters,
  companiesOf: (hostnames: readonly string[]) => number[],
): Set<number> | null {
  const named = company_ids.length > 0 ? new Set(company_ids) : null;
  if (domains.length === 0) return named;
  const withHostname = new Set(companiesOf(domains));
  return named?.intersection(withHostname) ?? withHostname;
}

function admittedAttributes(
  { countries, kinds, demand_classes }: SearchFilters,
): Attributes | null {
  if (countries.length + kinds.length + demand_classes.length === 0) return null;
  return attributesOf([countries, kinds, demand_classes].join(";"));
}

/**
 * Returns the attributes that lists of countries, kinds and demand classes admit. Semicolons
 * separate the lists.
 */
const attributesOf = memoized((lists) => {
  const [countries, kinds, demandClasses] = lists.split(";").map((list) =>
    list === "" ? null : list.split(",")
  );
  const admitted = new Uint8Array(256);
  for (const country of countries ?? COUNTRIES) {
    for (const kind of kinds ?? KINDS) {
      for (const demandClass of demandClasses ?? DEMAND_CLASSES) {
        admitted[attributeOf(country as Country, kind as Kind, demandClass as DemandClass)] = 1;
      }
    }
  }
  return admitAttributes(admitted);
});

function attributeOf(country: Country, kind: Kind, demandClass: DemandClass): number {
  const pair = COUNTRIES.indexOf(country) * KINDS.length + KINDS.indexOf(kind);
  return pair * DEMAND_CLASSES.length + DEMAND_CLASSES.indexOf(demandClass);
}

/** Returns the facts of an observation that filters and grouping need. */
export function factsOfObservation(
  document: Omit<ObservationDocument, "text">,
): Omit<IndexedDocument, "id" | "texts"> {
  const { occurred_at, observed_at, expires_at } = document;
  return {
    company_id: document.company_id,
    attribute: attributeOf(document.country, document.kind, document.demand_class),
    occurred: occurred_at === null ? -Infinity : microsecondsOf(occurred_at),
    observed: microsecondsOf(observed_at),
    expires: expires_at === null ? Infinity : microsecondsOf(expires_at),
    hostnames: document.hostnames,
    facets: document.facets,
    amount: document.amount ?? NaN,
    closes: document.closes_at === null ? NaN : microsecondsOf(document.closes_at),
    sectors: document.sectors,
  };
}

/** Converts the facts of a document to the facts of an observation. */
export function knownObservation(facts: DocumentFacts): KnownObservation {
  const { attribute } = facts;
  const pair = Math.floor(attribute / DEMAND_CLASSES.length);
  // The members are listed one by one, because spreading takes several times as long. A search
  // converts hundreds of observations.
  return {
    observation_id: facts.id,
    company_id: facts.company_id,
    occurred: facts.occurred,
    observed: facts.observed,
    expires: facts.expires,
    amount: facts.amount,
    closes: facts.closes,
    sectors: facts.sectors,
    kind: KINDS[pair % KINDS.length]!,
    demand_class: DEMAND_CLASSES[attribute % DEMAND_CLASSES.length]!,
    country: COUNTRIES[Math.floor(pair / KINDS.length)]!,
  };
}

/**
 * Facts of an observation, each of which is read from the segment on demand. A search needs only a
 * few facts of hundreds of observations. The object is valid until the index changes.
 */
export class SegmentObservation implements KnownObservation {
  readonly #segment: Segment;
  readonly #document: number;

  constructor(segment: Segment, document: number) {
    this.#segment = segment;
    this.#document = document;
  }

  get observation_id(): number {
    return this.#segment.parts.ids[this.#document]!;
  }

  get company_id(): number {
    return this.#segment.companyId(this.#document);
  }

  get kind(): Kind {
    return KINDS[Math.floor(this.#attribute / DEMAND_CLASSES.length) % KINDS.length]!;
  }

  get demand_class(): DemandClass {
    return DEMAND_CLASSES[this.#attribute % DEMAND_CLASSES.length]!;
  }

  get country(): Country {
    return COUNTRIES[Math.floor(this.#attribute / DEMAND_CLASSES.length / KINDS.length)]!;
  }

  get occurred(): number {
    return this.#segment.occurred(this.#document);
  }

  get observed(): number {
    return this.#segment.observed(this.#document);
  }

  get expires(): number {
    return this.#segment.expires(this.#document);
  }

  get amount(): number {
    return this.#segment.amount(this.#document);
  }

  get closes(): number {
    return this.#segment.closes(this.#document);
  }

  get sectors(): number {
    return this.#segment.sectors(this.#document);
  }

  get #attribute(): number {
    return this.#segment.parts.attributes[this.#document]!;
  }
}
