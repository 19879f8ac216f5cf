/** Observations as the engine knows them: fields, attributes, conditions. */
import { FACET_SPACE, keyOf } from "./dictionary.ts";
import { termsOf } from "./question.ts";
import {
  COUNTRIES,
  type Country,
  DEMAND_CLASSES,
  type DemandClass,
  type Kind,
  KINDS,
} from "../../contract/vocabulary.ts";
import type { DocumentText, ObservationDocument } from "../document.ts";
import type { SearchFilters } from "../../contract/filters.ts";
import { admitAttributes, type Attributes, type Conditions, EVERYTHING } from "./admission.ts";
import type { DocumentFacts, IndexedDocument } from "./drafts.ts";
import type { Field } from "./fields.ts";
import { microsecondsOf } from "./instants.ts";
import type { SegmentedIndex } from "./segmented_index.ts";

/** Who and what before the rest. The bits leave room for what a field can hold. */
export const OBSERVATION_FIELDS: Readonly<Record<keyof DocumentText, Field>> = {
  company: { weight: 3, bits: 4, neighbours: true },
  observed_fact: { weight: 2, bits: 6, leads: true, neighbours: true },
  why_it_may_matter: { weight: 1, bits: 5, leads: true },
  texts: { weight: 1, bits: 10, neighbours: true },
};

/** What the index gives back of an observation; its instants are numbers (see instants.ts). */
export interface KnownObservation extends Omit<DocumentFacts, "id" | "attribute"> {
  observation_id: number;
  kind: Kind;
  demand_class: DemandClass;
  country: Country;
}

/** Conditions beside filters and words. What is absent, null or empty restricts nothing. */
export interface Narrowing {
  /** Facet terms: an observation holds at least one of every group. */
  facets?: readonly (readonly string[])[];
  /** Folded words: an observation holds at least one of them, in any form. */
  any_words?: readonly string[];
  /** Both bounds belong to it. An observation without an amount does not meet it. */
  amount?: { min: number | null; max: number | null } | null;
  /** An instant (form: contract/instant.ts), strictly before which something occurred. */
  occurred_before?: string | null;
  /** Instants: at or after, and strictly before. Closing times are known to the minute. */
  closes?: { after: string | null; before: string | null } | null;
  /** Bit mask (see sectorMask in document.ts): any of these sectors. */
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
      ...facets.map((group) => group.map((facet) => keyOf(FACET_SPACE, facet))),
      termsOf(any_words).map(({ key }) => key),
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

/** What filters and a narrowing ask of documents, hostnames looked up in an index. */
export function conditionsOf(
  index: SegmentedIndex,
  { filters, now, ...narrowing }: Narrowing & { filters?: SearchFilters; now?: string },
): Conditions {
  const moment = now === undefined ? -Infinity : microsecondsOf(now);
  const narrowed = conditionsOfNarrowing(narrowing);
  if (filters === undefined) return { ...EVERYTHING, ...narrowed, now: moment };
  const holders = (hostnames: readonly string[]) =>
    hostnames.flatMap((hostname) => [...index.held.companiesWithHostname(hostname, moment)]);
  const after = (instant: string | null) => instant === null ? -Infinity : microsecondsOf(instant);
  return {
    ...narrowed,
    attributes: admittedAttributes(filters),
    occurred_after: after(filters.occurred_after),
    observed_after: after(filters.observed_after),
    now: moment,
    companies: admittedCompanies(filters, holders),
    excluded: new Set([...filters.exclude_company_ids, ...holders(filters.exclude_domains)]),
  };
}

/** Null: all. Hostnames that nobody holds admit none. */
function admittedCompanies(
  { company_ids, domains }: SearchFilters,
  holders: (hostnames: readonly string[]) => number[],
): Set<number> | null {
  const named = company_ids.length > 0 ? new Set(company_ids) : null;
  if (domains.length === 0) return named;
  const holding = new Set(holders(domains));
  return named?.intersection(holding) ?? holding;
}

function admittedAttributes(
  { countries, kinds, demand_classes }: SearchFilters,
): Attributes | null {
  if (countries.length + kinds.length + demand_classes.length === 0) return null;
  const admitted = new Uint8Array(256);
  for (const country of countries.length > 0 ? countries : COUNTRIES) {
    for (const kind of kinds.length > 0 ? kinds : KINDS) {
      for (const demandClass of demand_classes.length > 0 ? demand_classes : DEMAND_CLASSES) {
        admitted[attributeOf(country, kind, demandClass)] = 1;
      }
    }
  }
  return admitAttributes(admitted);
}

function attributeOf(country: Country, kind: Kind, demandClass: DemandClass): number {
  const pair = COUNTRIES.indexOf(country) * KINDS.length + KINDS.indexOf(kind);
  return pair * DEMAND_CLASSES.length + DEMAND_CLASSES.indexOf(demandClass);
}

/** What filters and grouping need of an observation. */
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

/** What is known of a document, as an observation. */
export function knownObservation(facts: DocumentFacts): KnownObservation {
  const { attribute } = facts;
  const pair = Math.floor(attribute / DEMAND_CLASSES.length);
  // Named one by one, since a search asks for hundreds: spreading takes several times as long.
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
