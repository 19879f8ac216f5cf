/** Names the fields of a record that a mapping can fill, with the type of each. */

/**
 * Type of a field. A date without a time means its first second in a field of type `date`, and its
 * last second in a field of type `deadline`. Persons are masked in a `line` and in `paragraphs`.
 */
export type FieldType = "text" | "line" | "paragraphs" | "list" | "number" | "date" | "deadline";

/** Fields that a mapping has to fill. */
const REQUIRED = {
  "external_id": "text",
  "company.name": "line",
  "kind": "text",
  "observed_fact": "paragraphs",
  "why_it_may_matter": "paragraphs",
  "demand_class": "text",
  "country": "text",
  "confidence": "number",
  "evidence.source_uri": "text",
  "evidence.excerpt": "paragraphs",
} as const satisfies Record<string, FieldType>;

/** Fields that a mapping may fill. */
const OPTIONAL = {
  "company.external_id": "text",
  "company.domains": "list",
  "company.identifiers.cik": "text",
  "company.identifiers.lei": "text",
  "company.identifiers.uei": "text",
  "occurred_at": "date",
  "observed_at": "date",
  "expires_at": "deadline",
  "categories": "list",
  "text": "paragraphs",
  "evidence.occurred_at": "date",
  "evidence.observed_at": "date",
  "facets.place.country": "text",
  "facets.place.region": "text",
  "facets.place.city": "line",
  "facets.place.metro": "line",
  "facets.amount.value": "number",
  "facets.amount.currency": "text",
  "facets.round": "text",
  "facets.role": "line",
  "facets.technologies": "list",
  "facets.deadline": "deadline",
  "facets.naics": "list",
  "facets.unspsc": "list",
  "facets.industry": "line",
  "facets.document": "line",
  "facets.set_aside": "line",
  "facets.employment.kind": "text",
  "facets.employment.workplace": "text",
  "facets.employment.pay.min": "number",
  "facets.employment.pay.max": "number",
  "facets.employment.pay.currency": "text",
  "facets.employment.pay.period": "text",
  "facets.product": "line",
  "facets.counterpart": "line",
  "facets.legal_form": "text",
  "facets.former_names": "list",
  "facets.tickers": "list",
} as const satisfies Record<string, FieldType>;

/** Name of a field, with dots between the names of members. */
export type FieldName = keyof typeof REQUIRED | keyof typeof OPTIONAL;

/** Types of all fields. */
export const FIELDS: Readonly<Record<FieldName, FieldType>> = { ...REQUIRED, ...OPTIONAL };

/** Returns whether a mapping has to fill a field. */
export function isRequired(field: string): boolean {
  return Object.hasOwn(REQUIRED, field);
}
