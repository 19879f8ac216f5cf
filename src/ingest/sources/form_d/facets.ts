/** Maps a Form D notice to a sector and facets. */
import type { Facets } from "../../../contract/facets.ts";
import type { Sector } from "../../../contract/vocabulary.ts";
import { sectorOfSic } from "../../classify/sectors.ts";
import { displayNameOf, formerNamesOf, placeOfEdgar } from "../kit/edgar_filing.ts";
import { facetText } from "../../record/facets.ts";
import type { FormDNotice } from "./notice.ts";

/** Returns the sector of the industry group, or else of the SIC code that the SEC has assigned. */
export function sectorOfNotice({ industryGroupType, sicCode }: FormDNotice): Sector | undefined {
  const sectors = Object.keys(GROUPS) as (keyof typeof GROUPS)[];
  return sectors.find((sector) => GROUPS[sector].split("; ").includes(industryGroupType)) ??
    sectorOfSic(sicCode);
}

/**
 * The industry groups (item 4 of the form) that belong to one sector. Other groups are left out,
 * such as Biotechnology, Business Services, Computers, Energy Conservation, and REITS and Finance.
 */
const GROUPS = {
  "11": "Agriculture",
  "21": "Coal Mining; Oil and Gas",
  "22": "Electric Utilities",
  "23": "Construction",
  "31-33": "Manufacturing; Pharmaceuticals",
  "44-45": "Retailing",
  "48-49": "Airlines and Airports",
  "51": "Telecommunications",
  "52": "Commercial Banking; Health Insurance; Insurance; Investing; Investment Banking; " +
    "Other Banking and Financial Services",
  "53": "Commercial; Other Real Estate; Residential",
  "56": "Tourism and Travel Services",
  "62": "Hospitals and Physicians",
  "72": "Lodging and Conventions; Restaurants",
} satisfies Partial<Record<Sector, string>>;

/**
 * Returns the facets of a notice. The amount is the sum sold, or the sum offered if nothing is
 * sold.
 */
export function facetsOfNotice(notice: FormDNotice): Facets {
  const sold = Number(notice.totalAmountSold);
  const offered = Number(notice.totalOfferingAmount) || 0;
  const value = sold > 0 ? sold : offered;
  const { entityType, previousNames } = notice;
  return {
    place: placeOfEdgar(notice.city, notice.stateOrCountry),
    amount: value > 0 ? { value, currency: "USD" } : undefined,
    round: "exempt_offering",
    industry: /^(?:Other)?$/.test(notice.industryGroupType)
      ? undefined
      : facetText(notice.industryGroupType),
    legal_form: entityType === "Other" ? undefined : facetText(entityType),
    former_names: formerNamesOf(displayNameOf(notice.entityName), previousNames),
  };
}
