/** Mappings, and members of mapped records, that several tests share. */
import type { Mapping } from "../../src/ingest/mapping/mapping.ts";

/** A tender of a file with the columns id, buyer and title. */
export const TENDER = {
  "external_id": "{id}",
  "company.name": "{buyer}",
  "kind": "procurement_request",
  "observed_fact": "{buyer} requests bids: {title}",
  "why_it_may_matter": "Suppliers can submit bids.",
  "demand_class": "explicit_request",
  "country": "CA",
  "confidence": 0.9,
  "occurred_at": "2026-11-04T00:00:00Z",
  "evidence.source_uri": "https://tenders.example/{id}",
  "evidence.excerpt": "{title}",
};

/** A tender of a file that also has the columns date and price. */
export const PRICED_TENDER = {
  ...TENDER,
  "occurred_at": "{date}",
  "facets.amount.value": "{price}",
  "facets.amount.currency": "CAD",
};

/** Writes a mapping of a file with the columns id, buyer, title, date and price. */
export function mapping(part: Partial<Mapping> = {}, record: Record<string, unknown> = {}): string {
  return JSON.stringify({
    source: "feed",
    format: "csv",
    ...part,
    record: { ...PRICED_TENDER, ...record },
  });
}
