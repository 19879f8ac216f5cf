/**
 * Reads the Global LEI Index: legal entities in registers, published by the Global Legal Entity
 * Identifier Foundation. `ingest` reads the golden copy, a file of three million entities. Daily
 * changes are fetched from the foundation's API. Records have no hostnames.
 */
import { type ReadContext, type SourceEntry, UnreadableSource } from "../../record/entry.ts";
import { ELEMENT_BYTES } from "../../record/field_bounds.ts";
import { readTable } from "../../formats/csv.ts";
import { readArray, readJsonLines } from "../../formats/json.ts";
import { shownValue } from "../../masking/mask_text.ts";
import { judgeMapped } from "../../record/normalize.ts";
import { sniff } from "../../formats/sniff.ts";
import { TERRITORIES } from "../../classify/gazetteer.ts";
import { nextByNumber, type Source, type SourceRequest } from "../kit/source.ts";
import { recordOfEntity } from "./entity.ts";
import {
  API_ANSWER,
  entityOf,
  entityOfRow,
  GOLDEN_COPY,
  LEI_COLUMNS,
  type LeiForm,
  NEEDED_LEI_COLUMNS,
  textsOf,
} from "./form.ts";

export const gleif: Source = {
  name: "gleif",
  title: "Global LEI Index",
  licence: "CC0 1.0",
  attribution: "Legal Entity Identifier data of GLEIF (https://www.gleif.org).",
  natural_key: "the Legal Entity Identifier",
  left_out:
    "entities with a legal address outside Canada and the United States; funds, which buy " +
    "nothing themselves; sole proprietors and address lines, which name persons. An inactive " +
    "entity, or an entity with an invalid identifier, expires",
  read: readEntities,
  remote: {
    // https://www.gleif.org/en/lei-data/gleif-api: 60 requests per minute, no key.
    address: "https://api.gleif.org/api/v1",
    target: {
      meaning: "the country of legal addresses: CA, US or a territory such as PR",
      pattern: new RegExp(`^(?:${["CA", "US", ...Object.keys(TERRITORIES)].join("|")})$`),
    },
    interval_seconds: 86_400,
    pause_milliseconds: 1_000,
    bytes_max: 16 * 1_048_576,
    request: (address, { target, now }) => ({
      ...requestOf(address, {
        "filter[entity.legalAddress.country]": target ?? "",
        // Most entities are in this category. It excludes the kinds of entities that are left out.
        "filter[entity.category]": "GENERAL",
        "filter[registration.lastUpdateDate]": [now.getTime() - CHANGED_DAYS * DAY, now.getTime()]
          .map((at) => new Date(at).toISOString().slice(0, "2026-03-01".length)).join(".."),
        sort: "registration.lastUpdateDate",
        "page[size]": String(PAGE_RECORDS),
        "page[number]": "1",
      }),
      target,
    }),
    next(request, read) {
      const page = Number(new URL(request.url).searchParams.get("page[number]"));
      return read === 0 || page === PAGES_MAX ? undefined : nextByNumber(request, "page[number]");
    },
    search: {
      kinds: ["company_profile"],
      countries: ["CA", "US"],
      demand_classes: ["structural"],
      request(address, { terms, occurred_after, records_max }) {
        // A profile has no event time, so it cannot pass a filter by time.
        if (terms.length === 0 || occurred_after !== null) return undefined;
        return requestOf(address, {
          "filter[fulltext]": terms.slice(0, SEARCHED_TERMS).join(" "),
          "filter[entity.category]": "GENERAL",
          "filter[entity.status]": "ACTIVE",
          // The API can filter by one country, but not by two. Up to four times the wanted records
          // are requested, because most of them are outside both countries.
          "page[size]": String(Math.min(PAGE_RECORDS, 4 * records_max)),
        });
      },
    },
  },
};

/**
 * Number of days of changes that a run requests. The days of runs overlap, so that a missed run
 * leaves no gap.
 */
const CHANGED_DAYS = 3;
const DAY = 86_400_000;
/** Limits of the API: records per page, and pages (10,000 records). */
const PAGE_RECORDS = 200;
const PAGES_MAX = 10_000 / PAGE_RECORDS;
/** Max number of search terms, because names are short and a register has no other texts. */
const SEARCHED_TERMS = 4;

/**
 * Reads a golden copy as JSON or CSV, its records as JSON lines, or an answer of the API. The form
 * is recognized by the first column or member.
 */
async function* readEntities(
  stream: AsyncIterable<Uint8Array>,
  { address }: ReadContext,
): AsyncGenerator<SourceEntry> {
  await using sniffed = await sniff(stream);
  const { start, replayed } = sniffed;
  if (/^"?LEI"?,/.test(start)) {
    return yield* readTable(replayed, {
      title: "a golden copy of LEI records",
      columns: LEI_COLUMNS,
      needed: NEEDED_LEI_COLUMNS,
      // No contact is read, but a rejected row is shown without its address lines.
      contacts: [],
      ended: address !== undefined,
      judge: (row) => judgeMapped(recordOfEntity(entityOfRow(row))),
    });
  }
  const member = /^\s*\{\s*"([^"]*)"/.exec(start)?.[1];
  if (member === undefined) {
    throw new UnreadableSource(
      "not LEI records: the file begins neither with a JSON object nor with the column LEI",
    );
  }
  if (member === "records") yield* readArray(replayed, { member, ...readingOf(GOLDEN_COPY) });
  else if (API_MEMBERS.includes(member)) {
    yield* readArray(replayed, { member: "data", ...readingOf(API_ANSWER) });
  } else yield* readJsonLines(replayed, { longest: ELEMENT_BYTES, ...readingOf(GOLDEN_COPY) });
}

const API_MEMBERS = ["data", "links", "meta"];
/** Returns the functions that judge and show records of a form. Address lines are not shown. */
function readingOf(form: LeiForm) {
  return {
    judge: (value: unknown) => judgeMapped(recordOfEntity(entityOf(value, form))),
    shown: (value: unknown) => shownValue(textsOf(value, form)),
  };
}

function requestOf(address: string, parameters: Record<string, string>): SourceRequest {
  return {
    url: `${address}/lei-records?${new URLSearchParams(parameters)}`,
    accept: "application/vnd.api+json",
  };
}
