/** Parameters of paths, queries and headers, as callers are told of them (specification 4). */
import { z } from "zod";
import { LISTING_DOMAINS_MAX, LISTING_LIMIT_DEFAULT, LISTING_LIMIT_MAX } from "./listing.ts";
import { LOOKUP_TARGETS_MAX } from "./lookup.ts";
import { KINDS } from "./vocabulary.ts";

const id = z.int().min(1);

/** A hostname as a caller writes it. */
export const hostname = z.string().min(1).describe(
  "A hostname, no URL and no e-mail address. Case, white space around it and a final dot do not " +
    "count; www does.",
);

/** Written as `name[]=a&name[]=b`. */
const repeated = { style: "form", explode: true } as const;

/** Printable ASCII without a blank at either end: what a header carries unchanged. */
export const REQUEST_KEY = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** A request key as one header can carry it: two headers would be joined by a comma and a blank. */
const HEADER_KEY = new RegExp(`^(?!.*, )${REQUEST_KEY.source.slice(1)}`);

export const IdempotencyKey = z.string().min(1).max(255).regex(HEADER_KEY).meta({
  description:
    "Names the operation, for ever: the same key for every retry of the same request, a new one " +
    "for every other request and every next page. One header, without a comma before a blank.",
  examples: ["6f1c2a4e-search-page-1"],
});

export const IdPath = z.object({ id });

export const CompanyLookupQuery = z.object({
  "ids[]": z.array(id).min(1).max(LOOKUP_TARGETS_MAX).optional().meta({
    description: "Companies by id. Either this or domains[].",
    param: { ...repeated, example: [17, 42] },
  }),
  "domains[]": z.array(hostname).min(1).max(LOOKUP_TARGETS_MAX).optional().meta({
    description: "Companies by hostname. Either this or ids[].",
    param: repeated,
  }),
});

export const ObservationListQuery = z.object({
  "domains[]": z.array(hostname).min(1).max(LISTING_DOMAINS_MAX).meta({
    description: "Whose observations.",
    param: { ...repeated, example: ["northwind.example"] },
  }),
  since: z.iso.datetime({ offset: true }).meta({
    description:
      "Only what was recorded after this instant, with its offset: the as_of of the page before, or " +
      "of the last page where cursors are used. Pass on all its digits.",
    param: { example: "2026-03-01T00:00:00Z" },
  }),
  "kinds[]": z.array(z.enum(KINDS)).min(1).max(LISTING_DOMAINS_MAX).optional().meta({
    description: "Only these kinds of observation.",
    param: repeated,
  }),
  limit: z.int().min(1).max(LISTING_LIMIT_MAX).default(LISTING_LIMIT_DEFAULT)
    .describe("Observations a page."),
  cursor: z.string().optional()
    .describe("The next_cursor of the page before; everything else stays as it was there."),
});
