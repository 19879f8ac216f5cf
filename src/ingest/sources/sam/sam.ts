/**
 * Reads SAM.gov contract opportunities from the Get Opportunities API v2 or from the daily extract
 * ("ContractOpportunitiesFullCSV.csv"), which has the same notices with their descriptions. A
 * notice is one observation of the buying office. An award is a second observation, of the awardee.
 */
import { readTable } from "../../formats/csv.ts";
import type { LeftOut, ReadSource } from "../../record/entry.ts";
import { readArray } from "../../formats/json.ts";
import { shownValue } from "../../masking/mask_text.ts";
import { type Judged, normalizeRecord } from "../../record/normalize.ts";
import { sniff } from "../../formats/sniff.ts";
import { nextByNumber, type Remote, type Source, type SourceRequest } from "../kit/source.ts";
import {
  CONTACT_COLUMNS,
  contactsOfElement,
  NEEDED_COLUMNS,
  NOTICE_COLUMNS,
  noticeOfElement,
  noticeOfRow,
  type SamNotice,
} from "./forms.ts";
import { recordsOfNotice } from "./notice.ts";

/** Reads either form, which is recognized by the first character. */
const read: ReadSource = async function* (stream, { address }) {
  await using sniffed = await sniff(stream);
  const { start, replayed } = sniffed;
  const [first] = start.trimStart();
  if (first === "{" || first === "[") {
    yield* readArray(replayed, {
      member: first === "{" ? "opportunitiesData" : undefined,
      judge: (element) => judge(noticeOfElement(element)),
      contacts: contactsOfElement,
      shown: shownOf,
    });
  } else {
    yield* readTable(replayed, {
      title: "a SAM.gov contract opportunities file",
      columns: NOTICE_COLUMNS,
      needed: NEEDED_COLUMNS,
      descriptions: ["description"],
      contacts: CONTACT_COLUMNS,
      ended: address !== undefined,
      // The extract is in Windows-1252, including its typographic quotes and dashes.
      fallback_encoding: "windows-1252",
      judge: (row) => judge(noticeOfRow(row)),
    });
  }
};

/** Judges a notice. Returns the buyer's record and, if the notice names one, the awardee's record. */
function judge(notice: SamNotice): Judged | LeftOut | Judged[] {
  const records = recordsOfNotice(notice);
  if (!("buyer" in records)) return records;
  const buyer = normalizeRecord(records.buyer);
  if ("reason" in buyer || records.awardee === undefined) return buyer;
  return [buyer, normalizeRecord(records.awardee)];
}

/**
 * Returns a rejected element as it is shown: the parsed notice, without points of contact. Its
 * texts are masked and cut.
 */
function shownOf(element: unknown): Omit<SamNotice, "fields"> {
  const { fields: _, ...notice } = noticeOfElement(element);
  return shownValue(notice);
}

const DAY = 86_400_000;
/**
 * Number of days of notices that a run requests. A run thus also reads the notices of the daily
 * runs that were missed in the last week.
 */
const PERIOD_DAYS = 7;
/** Max number of days that the period of a request covers. The API refuses more than a year. */
const PERIOD_DAYS_MAX = 364;
/** Max number of notices of an answer. */
const PAGE_RECORDS = 1_000;
/**
 * Number of entries from which a page counts as full. A full page has PAGE_RECORDS notices or
 * slightly fewer, and awardees are additional entries.
 */
const FULL_PAGE_ENTRIES = 950;

const remote: Remote = {
  // https://open.gsa.gov/api/get-opportunities-public-api/
  address: "https://api.sam.gov/opportunities/v2",
  // A personal key has a quota of ten requests per day. The notices of a week need about three
  // requests.
  interval_seconds: 86_400,
  pause_milliseconds: 1_000,
  bytes_max: 64 * 1_048_576,
  key: { header: "X-Api-Key", setting: "SAM_API_KEY" },
  request: (address, { now }) =>
    request(address, {
      postedFrom: dayOf(now.getTime() - PERIOD_DAYS * DAY),
      postedTo: dayOf(now.getTime()),
      limit: `${PAGE_RECORDS}`,
      offset: "0",
    }),
  // The API documents "offset" as the index of a page, not of a record.
  next: (request, read) => read < FULL_PAGE_ENTRIES ? undefined : nextByNumber(request, "offset"),
  search: {
    kinds: ["procurement_request"],
    countries: ["US", "CA"],
    demand_classes: ["explicit_request", "proxy"],
    request(address, { terms, domains, occurred_after, now, records_max }) {
      // The API can search only titles, and has no hostnames of buyers.
      if (terms.length === 0 || domains.length > 0) return undefined;
      const earliest = now.getTime() - PERIOD_DAYS_MAX * DAY;
      const from = Math.max(earliest, occurred_after === null ? 0 : Date.parse(occurred_after));
      if (from > now.getTime()) return undefined;
      return request(address, {
        // Longer words are rarer. One is sent, because the API does not document several.
        title: terms.reduce((longest, term) => term.length > longest.length ? term : longest),
        postedFrom: dayOf(from),
        postedTo: dayOf(now.getTime()),
        limit: `${Math.min(records_max, PAGE_RECORDS)}`,
        offset: "0",
      });
    },
  },
};

function request(address: string, parameters: Record<string, string>): SourceRequest {
  return {
    url: `${address}/search?${new URLSearchParams(parameters)}`,
    accept: "application/json",
  };
}

/** Formats a day for the API: MM/dd/yyyy. */
function dayOf(milliseconds: number): string {
  const [year, month, day] = new Date(milliseconds).toISOString().slice(0, 10).split("-");
  return `${month}/${day}/${year}`;
}

export const sam: Source = {
  name: "sam",
  title: "SAM.gov contract opportunities",
  licence: "Public domain (United States Government work)",
  attribution: "Source: SAM.gov, U.S. General Services Administration.",
  natural_key: "the notice id; an amendment is published as a notice of its own",
  left_out:
    "points of contact; within texts: e-mail addresses, telephone numbers, and names next to " +
    "them or after a label, because they concern persons; sales of surplus property, because " +
    "nothing is bought; notices whose place of performance is outside the United States and Canada",
  read,
  remote,
};
