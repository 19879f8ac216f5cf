/** Reads the postings of job boards, as their mappings say. */
import type { z } from "zod";
import { normalizeInstant } from "../../../contract/instant.ts";
import { type Pay, payOfText, periodOfWords, validPay } from "../../classify/pay.ts";
import { textOf, valueIn } from "../../mapping/template.ts";
import { dateReader } from "../../mapping/values.ts";
import { splitCamelCase, textOfMarkup } from "../../text/clean_text.ts";
import { BoardMapping, type BoardPlace, MILLISECONDS, schemaOf } from "./board_mapping.ts";
import {
  joinReadings,
  onlyCountryOf,
  type PostingOutcome,
  readingInCountry,
  readPostings,
  shapeOf,
} from "./job_board.ts";
import {
  departmentsOf,
  employmentKindOf,
  type Workplace,
  workplaceOf,
  workplaceOfPlaces,
} from "./job_terms.ts";
import type { ReadContext, ReadSource } from "../../record/entry.ts";
import { regionOf, territoryOf } from "../../classify/gazetteer.ts";
import { countryOfName, type PlaceReading, readPlaces } from "../../classify/places.ts";

/** Returns the reader of a job board. @throws z.ZodError if the mapping is not one */
export function readerOfBoard(value: unknown): ReadSource {
  const mapping = BoardMapping.parse(value);
  const schema = schemaOf(mapping);
  const readDate = timeReader(mapping);
  const hosts = mapping.hosts === undefined ? undefined : new RegExp(mapping.hosts);
  const { array, element } = mapping;
  return (stream, context) =>
    readPostings(stream, {
      member: array,
      element,
      context,
      postingOf: (posting) => postingOf(posting, { mapping, schema, readDate, hosts, context }),
    });
}

interface Reading {
  mapping: BoardMapping;
  schema: z.ZodType;
  readDate: (value: unknown) => string | undefined;
  hosts: RegExp | undefined;
  context: ReadContext;
}

function postingOf(
  element: unknown,
  { mapping, schema, readDate, hosts, context }: Reading,
): PostingOutcome {
  const shaped = shapeOf(schema, element);
  if ("reason" in shaped) return shaped;
  const posting = shaped.shape as object;
  const at = (path: string | undefined) => path === undefined ? "" : textOf(valueIn(posting, path));
  const omitted = mapping.leave_out?.find((condition) => holds(posting, condition));
  if (omitted !== undefined) return { left_out: omitted.reason };
  const posted = readDate(valueIn(posting, mapping.posted_at.path));
  if (posted === undefined) {
    return { reason: `${mapping.posted_at.path}: is not a date and time` };
  }
  const places = withoutRepeats(mapping.places.flatMap((place) => placesOf(posting, place)));
  const names = [...new Set(places.map(nameOf))].filter((name) => name !== "");
  const reading = joinReadings(places.map(readingOf));
  const text = textsOf(posting, mapping).join("\n\n");
  const job = at(mapping.job);
  const commitment = (mapping.commitment ?? []).map(at).filter(Boolean).join(", ");
  const words = splitCamelCase(commitment).replaceAll("_", " ");
  const named = at(mapping.board) || (hosts && boardOf(context.address ?? "", hosts));
  const url = urlOf(mapping.url, { at, board: context.target ?? named });
  const board = named || (hosts && boardOf(url, hosts));
  const expires = normalizeInstant(at(mapping.expires_at));
  return {
    posting: {
      source: mapping.source,
      title: mapping.title,
      board: board || undefined,
      ...mapping.own_sites && board === undefined && { site: siteOf(url, context) },
      id: at(mapping.id.path),
      job,
      ...mapping.employer !== undefined && { employer: at(mapping.employer) },
      department: departmentsOf((mapping.department ?? []).map(at)),
      commitment: words,
      employment_kind: employmentKindOf(words, job),
      workplace: workplaceIn(posting, mapping) ??
        workplaceOfPlaces(places.map((place) => place.text ?? "")),
      pays: paysOf(posting, mapping) ?? payOfText(text, onlyCountryOf(reading)),
      places: names,
      reading,
      url,
      text,
      posted_at: posted,
      updated_at: posted,
      ...expires !== undefined && { expires_at: expires },
    },
  };
}

function timeReader({ posted_at: { form } }: BoardMapping): Reading["readDate"] {
  if (form === undefined) return (value) => value as string;
  if (form === MILLISECONDS) return (value) => new Date(value as number).toISOString();
  const read = dateReader([form], "UTC");
  return (value) => read(value as string, { ends: false });
}

/** Returns whether a member has one of the values of a condition. */
function holds(value: object, { path, in: values }: { path: string; in: string[] }): boolean {
  return values.includes(textOf(valueIn(value, path)));
}

/** Returns the elements of the list at a path; without a path, the posting itself. */
function elementsAt(posting: object, each: string | undefined): object[] {
  if (each === undefined) return [posting];
  return [valueIn(posting, each)].flat().filter((one) => typeof one === "object" && one !== null);
}

function placesOf(posting: object, { each, ...paths }: BoardPlace): AddressedPlace[] {
  return elementsAt(posting, each).flatMap((element) => {
    const members = Object.entries(paths)
      .map(([name, path]) => [name, valueIn(element, path)] as const);
    const { text, ...address }: Record<string, unknown> = Object.fromEntries(members);
    // A member with a list of texts states several places.
    const texts = Array.isArray(text) ? text as string[] : [text as string | undefined];
    return texts.map((one): AddressedPlace => ({ ...address, text: one }));
  });
}

/** Drops places without an address whose text an earlier place has. */
function withoutRepeats(places: readonly AddressedPlace[]): AddressedPlace[] {
  return places.filter(({ text, ...address }, at) => {
    const isRepeated = places.slice(0, at).some((one) => one.text?.trim() === text?.trim());
    return !isRepeated || Object.values(address).some((member) => member != null);
  });
}

/** Returns the texts of a posting, one for each entry of the mapping that is filled. */
function textsOf(posting: object, { text: entries = [] }: BoardMapping): string[] {
  const plain = (value: unknown) => textOfMarkup(typeof value === "string" ? value : "");
  return entries.flatMap((entry) => {
    if (Array.isArray(entry)) {
      const path = entry.find((path) => plain(valueIn(posting, path)).trim() !== "");
      return path === undefined ? [] : [plain(valueIn(posting, path))];
    }
    return elementsAt(posting, entry.each).map((element) =>
      entry.lines.map((path) => plain(valueIn(element, path))).join("\n")
    );
  }).filter((text) => text.trim() !== "");
}

function workplaceIn(posting: object, { workplace = [] }: BoardMapping): Workplace | undefined {
  for (const one of workplace) {
    if (typeof one === "string") {
      const named = workplaceOf(textOf(valueIn(posting, one)));
      if (named !== undefined) return named;
    } else if (holds(posting, { path: one.path, in: ["true"] })) return one.means;
  }
  return undefined;
}

/** Returns the pay that fields state; undefined if none do. */
function paysOf(posting: object, { pay = [], pay_hidden }: BoardMapping): Pay[] | undefined {
  if (pay_hidden !== undefined && holds(posting, pay_hidden)) return undefined;
  const pays = pay.flatMap(({ each, only, min, max, currency, period }) =>
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
  return pays.length > 0 ? pays : undefined;
}

function numberOf(value: unknown): number | null {
  const text = textOf(value);
  return text === "" || Number.isNaN(Number(text)) ? null : Number(text);
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

/** Returns the hostname that the operator stated, or else that of the employer's own site. */
function siteOf(url: string, { company }: ReadContext): string | undefined {
  return (company?.domains[0] ?? URL.parse(url)?.hostname.replace(/^www\./, ""))?.toLowerCase();
}

/** Returns the board that an address names, as `BoardMapping.hosts` describes. */
function boardOf(url: string, hosts: RegExp): string | undefined {
  const parsed = URL.parse(url);
  const [host, group] = hosts.exec(parsed?.hostname ?? "") ?? [];
  if (parsed === null || host === undefined) return undefined;
  if (group !== undefined) return group;
  try {
    return decodeURIComponent(parsed.pathname.split("/")[1] ?? "") || undefined;
  } catch {
    return undefined;
  }
}

/** A place in the board's words, with the parts of its address. */
interface AddressedPlace {
  text?: string | null;
  city?: string | null;
  region?: string | null;
  country?: string | null;
  country_code?: string | null;
}

/**
 * Reads a place from its text, in the country of its address. If the text names neither a city nor
 * several places, region and city of the address are added.
 */
function readingOf(place: AddressedPlace): PlaceReading {
  const { text, city, region } = place;
  const code = place.country_code?.trim().toUpperCase() ?? "";
  const named = place.country ?? code;
  const country = countryOfName(named);
  const reading = readingInCountry(text ?? "", country);
  const [first, second] = reading.places;
  if (country === undefined || country === "elsewhere") {
    return first === undefined && country === undefined ? readPlaces(nameOf(place)) : reading;
  }
  if (second !== undefined || first?.city !== undefined) return reading;
  const regionCode = regionOf(country, region ?? "") ?? territoryOf(named) ?? first?.region;
  const cityName = city?.trim() || undefined;
  return {
    ...reading,
    places: [{
      country,
      ...regionCode && { region: regionCode },
      ...cityName && { city: cityName },
    }],
  };
}

/**
 * Returns the text of a place, with the parts of its address that the text lacks: "San Francisco,
 * California".
 */
function nameOf(place: AddressedPlace): string {
  const { city, region, country } = place;
  const text = place.text?.trim() ?? "";
  const [read] = readPlaces(text).places;
  const named = countryOfName(country ?? "");
  const code = named === "CA" || named === "US" ? regionOf(named, region ?? "") : undefined;
  const contains = (word: string) =>
    new RegExp(`(?<![\\p{L}])${RegExp.escape(word)}(?![\\p{L}])`, "iu").test(text);
  const isContained = {
    city: contains(city ?? "") || read?.city === city?.trim(),
    region: contains(region ?? "") || code !== undefined && contains(code) ||
      region?.trim() === city?.trim(),
    country: contains(country ?? "") || named === "US" && /\b(?:USA?|U\.S\.)/.test(text) ||
      named !== undefined && countryOfName(text) === named,
  };
  const missing = [
    isContained.city ? "" : city,
    isContained.region ? "" : region,
    isContained.country ? "" : country,
  ];
  return [text, ...missing].map((part) => part?.trim() ?? "").filter(Boolean).join(", ");
}
