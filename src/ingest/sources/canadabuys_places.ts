/** Reads the places of CanadaBuys tender notices. */
import type { Place } from "../../contract/facets.ts";
import { maskedLine } from "../masking/mask_text.ts";
import { regionName, regionOf } from "../classify/gazetteer.ts";
import type { CanadaBuysNotice } from "./canadabuys_columns.ts";

/** Values of a region cell that name no place. */
const NO_PLACE = /^(?:unspecified|not specified|none|n\/a)$/i;
const ABROAD = /^(?:world|foreign)$/i;
const CANADA = /^canada$/i;

/** Returns the values of a cell with one value per line, each after an asterisk. */
export function listOf(cell: string): string[] {
  return cell.split(/[\r\n]+/).map((value) => maskedLine(value.replace(/^\s*\*/, "")))
    .filter((value) => value !== "");
}

/**
 * Returns the places of delivery to show. Canada is omitted if the cell also names a part of
 * Canada.
 */
export function deliveryOf(cell: string): string[] {
  const values = [...new Set(listOf(cell))].filter((value) => !NO_PLACE.test(value));
  const parts = values.filter((value) => !CANADA.test(value));
  return parts.length > 0 ? parts : values;
}

/**
 * Returns the places of delivery of a notice, or the country if it states none. The buyer's office
 * is not used: a department in Gatineau buys for all of Canada.
 */
export function placesOf(notice: CanadaBuysNotice): Place[] {
  const delivery = deliveryOf(notice.delivery);
  return delivery.length > 0 ? delivery.flatMap(placeOf) : [{ country: "CA" }];
}

/** Returns the place of the buyer's office, as it is shown: "Bedford, Nova Scotia". */
export function officeOf(notice: CanadaBuysNotice): string | undefined {
  const city = maskedLine(notice.city);
  const region = regionOf("CA", maskedLine(notice.province));
  return city === "" || region === undefined ? undefined : `${city}, ${regionName("CA", region)}`;
}

function placeOf(value: string): Place[] {
  if (ABROAD.test(value)) return [];
  if (CANADA.test(value)) return [{ country: "CA" }];
  // The parentheses are dropped from "Ontario (except NCR)" and "National Capital Region (NCR)".
  const name = value.replace(/\s*\([^()]*\)$/, "");
  const region = regionOf("CA", name);
  return [region === undefined ? { country: "CA", city: name } : { country: "CA", region }];
}
