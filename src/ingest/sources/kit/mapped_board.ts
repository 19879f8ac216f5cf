/** Reads the postings of job boards, as their mappings say. */
import type { z } from "zod";
import { normalizeInstant } from "../../../contract/instant.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import { type Pay, payOfText, periodOfWords, validPay } from "../../classify/pay.ts";
import type { PlaceReading } from "../../classify/places.ts";
import { textOf, valueIn } from "../../mapping/template.ts";
import { dateReader } from "../../mapping/values.ts";
import type { LeftOut, ReadContext } from "../../record/entry.ts";
import { faultOfBounds } from "../../record/field_bounds.ts";
import { splitCamelCase, textOfMarkup } from "../../text/clean_text.ts";
import { type BoardMapping, pathsOf } from "./board_mapping.ts";
import { elementsAt, placesOf } from "./board_places.ts";
import { fieldFault } from "./field.ts";
import type { Posting } from "./job_record.ts";
import {
  departmentsOf,
  employmentKindOf,
  type Workplace,
  workplaceOf,
  workplaceOfPlaces,
} from "./job_terms.ts";

/** A posting, or the reason why it is rejected or left out. */
export type PostingOutcome = { posting: Posting } | LeftOut | { reason: string };

/** Returns a function that reads one element of a board's answer. */
export function createPostingReader(mapping: BoardMapping, schema: z.ZodType) {
  const paths = pathsOf(mapping);
  const readDate = createTimeReader(mapping.posted_at.form);
  const hosts = mapping.hosts === undefined ? undefined : new RegExp(mapping.hosts);
  return (element: unknown, context: ReadContext): PostingOutcome => {
    const parsed = schema.safeParse(element);
    if (!parsed.success) return { reason: faultOf(parsed.error) };
    const read = Object.fromEntries(paths.map((path) => [path, valueIn(parsed.data, path)]));
    const beyond = faultOfBounds(read, { descriptions: [] });
    if (beyond !== undefined) return { reason: beyond };
    return postingOf(parsed.data, { mapping, readDate, hosts, context });
  };
}

/** Returns the first fault of an element, with the name of its member. */
function faultOf({ issues: [issue] }: z.ZodError): string {
  return [issue!.path.join("."), issue!.message].filter(Boolean).join(": ");
}

/** Returns the reader of times in a form of mappings. It returns undefined for another value. */
function createTimeReader(form: string | undefined): (value: unknown) => string | undefined {
  if (form === undefined) return (value) => normalizeInstant(textOf(value)) && textOf(value);
  const read = dateReader([form], "UTC");
  return (value) => read(textOf(value), { ends: false });
}

interface Reading {
  mapping: BoardMapping;
  readDate: ReturnType<typeof createTimeReader>;
  hosts: RegExp | undefined;
  context: ReadContext;
}

function postingOf(
  element: unknown,
  { mapping, readDate, hosts, context }: Reading,
): PostingOutcome {
  const at = (path: string | undefined) => path && textOf(valueIn(element, path)) || "";
  const allAt = (paths: readonly string[] = []) =>
    paths.flatMap((path) => valueIn(element, path) ?? []).map(textOf);
  const omitted = mapping.leave_out?.find((condition) => holds(element, condition));
  if (omitted !== undefined) return { left_out: omitted.reason };
  const { path, form } = mapping.posted_at;
  const posting_is_undated = mapping.updated_at !== undefined && at(path) === "";
  const updated = mapping.updated_at && (readDate(valueIn(element, mapping.updated_at)) ?? null);
  const posted = posting_is_undated ? updated : readDate(valueIn(element, path));
  const job = at(mapping.job);
  const named = at(mapping.board) || boardOf(context.address, hosts);
  const url = urlOf(mapping.url, { at, board: context.target ?? named });
  const time = form === undefined ? "a date and time with an offset" : "a date and time";
  if (at(mapping.id) === "") return fieldFault(mapping.id, "", "an id");
  if (job === "") return fieldFault(mapping.job, "", "a title");
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? "")) {
    return fieldFault(mapping.url, url, "a web address");
  }
  if (updated === null) return fieldFault(mapping.updated_at!, at(mapping.updated_at), time);
  if (posted == null) return fieldFault(path, at(path), time);
  const places = placesOf(element, mapping.places);
  const { reading } = places;
  const text = textsOf(element, mapping).join("\n\n");
  const commitment = splitCamelCase(allAt(mapping.commitment).filter(Boolean).join(", "))
    .replaceAll("_", " ");
  const board = at(mapping.board) || boardOf(url, hosts) || named;
  return {
    posting: {
      source: mapping.source,
      title: mapping.title,
      board,
      site: mapping.own_sites
        ? siteOf(url, { hosts, context, employer: at(mapping.employer) })
        : undefined,
      id: at(mapping.id),
      job,
      employer: at(mapping.employer),
      department: departmentsOf(allAt(mapping.department)),
      commitment,
      employment_kind: employmentKindOf(commitment, job),
      workplace: workplaceIn(element, mapping) ?? workplaceOfPlaces(places.texts),
      pays: paysOf(element, { mapping, text, country: onlyCountryOf(reading) }),
      places: places.names,
      reading,
      url,
      text,
      posted_at: posted,
      updated_at: updated ?? posted,
      posting_is_undated,
      expires_at: normalizeInstant(at(mapping.expires_at)),
    },
  };
}

/** Returns whether a member has one of the values of a condition. */
function holds(value: unknown, { path, in: values }: { path: string; in: string[] }): boolean {
  return values.includes(textOf(valueIn(value, path)));
}

/** Returns the texts of a posting, one for each entry of the mapping that is filled. */
function textsOf(posting: unknown, { text: entries = [] }: BoardMapping): string[] {
  const plainAt = (element: unknown, path: string) => textOfMarkup(textOf(valueIn(element, path)));
  return entries.flatMap((entry) =>
    Array.isArray(entry)
      ? entry.map((path) => plainAt(posting, path)).find((text) => text.trim() !== "") ?? []
      : elementsAt(posting, entry.each)
        .map((element) => entry.lines.map((path) => plainAt(element, path)).join("\n"))
  ).filter((text) => text.trim() !== "");
}

function workplaceIn(posting: unknown, { workplace = [] }: BoardMapping): Workplace | undefined {
  return workplace.map((one) => {
    if (typeof one === "string") return workplaceOf(textOf(valueIn(posting, one)));
    return holds(posting, { path: one.path, in: ["true"] }) ? one.means : undefined;
  }).find((named) => named !== undefined);
}

/** Returns the pay that fields state, or else that of the texts. */
function paysOf(
  posting: unknown,
  { mapping: { pay = [], pay_hidden, pay_text }, text, country }: {
    mapping: BoardMapping;
    text: string;
    country: Country | undefined;
  },
): Pay[] {
  const isHidden = pay_hidden !== undefined && holds(posting, pay_hidden);
  const stated = isHidden
    ? []
    : pay.flatMap(({ each, only, min, max, currency, period }) =>
      elementsAt(posting, each)
        .filter((element) => only === undefined || holds(element, only))
        .flatMap((element) =>
          validPay({
            min: numberOf(valueIn(element, min)),
            max: numberOf(valueIn(element, max)),
            currency: textOf(valueIn(element, currency)),
            period: periodOfWords(textOf(valueIn(element, period)).replaceAll("-", " ")),
          }) ?? []
        )
    );
  if (stated.length > 0) return stated;
  const blocks = pay_text === undefined ? [] : [valueIn(posting, pay_text)].flat()
    .flatMap((block) => payOfText(textOf(block), country));
  return blocks.length > 0 ? blocks : payOfText(text, country);
}

function numberOf(value: unknown): number | null {
  const text = textOf(value);
  return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
}

/** Returns the country of a posting, if Canada or the United States is the only one. */
function onlyCountryOf({ places }: PlaceReading): Country | undefined {
  const [country, second] = new Set(places.map((place) => place.country));
  return second === undefined ? country : undefined;
}

/** Returns the address of a posting. `{board}` and paths in braces are replaced. */
function urlOf(
  template: string,
  { at, board = "" }: { at: (path: string) => string; board?: string },
): string {
  if (!template.includes("{")) return at(template);
  return template.replace(
    /\{([^{}]+)\}/g,
    (_, path: string) => encodeURIComponent(path === "board" ? board : at(path)),
  );
}

/**
 * Returns the hostname of the employer's own site or, if the posting is at the board's host, the
 * hostname of the company that the operator stated. Names of boards contain no full stop, so a
 * hostname is never the name of another board.
 */
function siteOf(
  url: string,
  { hosts, context: { company }, employer }: {
    hosts: RegExp | undefined;
    context: ReadContext;
    employer: string;
  },
): string | undefined {
  if (company === undefined && employer === "") return undefined;
  const { hostname } = new URL(url);
  return hosts?.test(partsOf(url)) || !hostname.includes(".")
    ? company?.domains[0]?.toLowerCase()
    : hostname.replace(/^www\./, "");
}

/** Returns the board that an address names, as `BoardMapping.hosts` describes. */
function boardOf(url: string | undefined, hosts: RegExp | undefined): string | undefined {
  const board = hosts?.exec(partsOf(url ?? ""))?.slice(1).find(Boolean);
  try {
    return board && decodeURIComponent(board);
  } catch {
    return undefined;
  }
}

/** Returns the hostname, path and query of an address; an empty text if it is none. */
function partsOf(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : parsed.hostname + parsed.pathname + parsed.search;
}
