/** Places of CanadaBuys tender notices. */
import type { Place } from "../../contract/facets.ts";
import { maskedLine } from "../masking/mask_text.ts";
import { regionName, regionOf } from "../classify/regions.ts";
import type { CanadaBuysNotice } from "./canadabuys_columns.ts";

/** Values of a region cell that name no place. */
const NO_PLACE = /^(?:unspecified|not specified|none|n\/a)$/i;
const ABROAD = /^(?:world|foreign)$/i;
const CANADA = /^canada$/i;

/** Returns the values of a cell that holds one a line, each behind an asterisk. */
export function listOf(cell: string): string[] {
  return cell.split(/[\r\n]+/).map((value) => maskedLine(value.replace(/^\s*\*/, "")))
    .filter((value) => value !== "");
}

/** Returns the places of delivery to show. Canada is left out beside a part of it. */
export function deliveryOf(cell: string): string[] {
  const values = [...new Set(listOf(cell))].filter((value) => !NO_PLACE.test(value));
  const parts = values.filter((value) => !CANADA.test(value));
  return parts.length > 0 ? parts : values;
}

/**
 * Returns where a notice's goods or services are delivered, or the country if it does not say. The
 * buyer's office is no such place: a department buys in Gatineau for all of Canada.
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
  // "Ontario (except NCR)" and "National Capital Region (NCR)".
  const name = value.replace(/\s*\([^()]*\)$/, "");
  const region = regionOf("CA", name);
  return [region === undefined ? { country: "CA", city: name } : { country: "CA", region }];
}
