/** What the two tables of the Crunchbase export have in common. */
import type { Country } from "../../contract/vocabulary.ts";
import { normalizeInstant } from "../../contract/instant.ts";
import { cleanLine, cutAtWord, withoutEnding } from "../text.ts";

/** The day of the latest round in the export: what it says was so then. */
export const EXPORTED_AT = "2013-10-01T00:00:00Z";

const COUNTRIES: Readonly<Record<string, Country>> = { USA: "US", CAN: "CA" };

/** @returns our country of ISO 3166's three letters, or nothing for one that is not kept. */
export function countryOf(code: string): Country | undefined {
  return COUNTRIES[code.trim()];
}

/** What a spreadsheet shows in place of a name that it took for a formula, such as "+n". */
const SPREADSHEET_ERROR = /^#(?:NAME\?|REF!|VALUE!|N\/A|DIV\/0!|NUM!|NULL!)$/;

/** A company's name; where the export lost it, the one in its permalink still names it. */
export function nameOf(name: string, permalink: string): { name: string; lost: boolean } {
  const lost = SPREADSHEET_ERROR.test(name.trim());
  return { name: lost ? slugOf(permalink) : cleanLine(name), lost };
}

/** Where a company stands today under the name that it had in "/company/NAME". */
export function pageOf(permalink: string): string {
  return `https://www.crunchbase.com/organization/${encodeURIComponent(slugOf(permalink))}`;
}

/** Category and place as they follow a name: "software; Mountain View, CA (SF Bay)". */
export function describe(
  { category, city, state, region }: Record<"category" | "city" | "state" | "region", string>,
): string {
  // Many cities end in what stood behind them: "Austin,".
  const town = withoutEnding(cleanLine(city), /[\s,;=`]/);
  const place = [town, cleanLine(state)].filter((part) => part !== "").join(", ");
  const area = cleanLine(region);
  const isNew = area !== "" && area !== town && area.toLowerCase() !== "unknown";
  const parts = [
    cleanLine(category).replaceAll("_", " "),
    place !== "" && isNew ? `${place} (${area})` : place || (isNew ? area : ""),
  ];
  return parts.filter((part) => part !== "").join("; ");
}

const DOLLARS = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  maximumFractionDigits: 0,
});

/** "$1,750,000" of a number of whole dollars; nothing of an empty or damaged cell. */
export function dollarsOf(cell: string): string | undefined {
  return /^\d{1,15}$/.test(cell) ? DOLLARS.format(Number(cell)) : undefined;
}

/** Midnight UTC of a date, which the export gives without time and zone. */
export function instantOf(date: string): string | undefined {
  const instant = `${date}T00:00:00Z`;
  const isDate = /^\d{4}-\d\d-\d\d$/.test(date) && normalizeInstant(instant) !== undefined;
  return isDate ? instant : undefined;
}

/** The row's own cells, one a line, each behind its column's name; empty ones are left out. */
export function excerptOf<Columns extends Record<string, string>>(
  columns: Columns,
  row: Record<keyof Columns, string>,
): string {
  return Object.entries(columns)
    .map(([key, column]) => [column, cutAtWord(cleanLine(row[key]!), 200)])
    .filter(([, cell]) => cell !== "")
    .map(([column, cell]) => `${column}: ${cell}`)
    .join("\n");
}

/** @returns why a row cannot be used: a cell is empty or not what its column holds. */
export function faultOf(column: string, cell: string, wanted: string): { reason: string } {
  const text = cutAtWord(cleanLine(cell), 40);
  return { reason: `${column}: ${text === "" ? "is empty" : `is not ${wanted}: ${text}`}` };
}

function slugOf(permalink: string): string {
  return permalink.replace(/^\/company\//, "");
}
