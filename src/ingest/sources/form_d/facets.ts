/** Maps a Form D notice to a sector and facets. */
import type { Facets } from "../../../contract/facets.ts";
import type { Sector } from "../../../contract/vocabulary.ts";
import { sectorOfSic } from "../../classify/sectors.ts";
import { displayNameOf, formerNamesOf, placeOfEdgar } from "../kit/edgar_filing.ts";
import { facetText } from "../../record/facets.ts";
import type { FormDNotice } from "./notice.ts";

/** Returns the sector of the industry group, or else of the SIC code that the SEC has assigned. */
export function sectorOfNotice({ industryGroupType, sicCode }: FormDNotice): Sector | undefined {
  return SECTOR_OF_GROUP[industryGroupType] ?? sectorOfSic(sicCode);
}

/**
 * Sectors of the industry groups (item 4 of the form) that belong to one sector. Other groups are
 * left out, such as Biotechnology, Business Services, Computers, Energy Conservation, and REITS and
 * Finance.
 */
const SECTOR_OF_GROUP: Readonly<Record<string, Sector>> = {
  "Agriculture": "11",
  "Airlines and Airports": "48-49",
  "Coal Mining": "21",
  "Commercial": "53",
  "Commercial Banking": "52",
  "Construction": "23",
  "Electric Utilities": "22",
  "Health Insurance": "52",
  "Hospitals and Physicians": "62",
  "Insurance": "52",
  "Investing": "52",
  "Investment Banking": "52",
  "Lodging and Conventions": "72",
  "Manufacturing": "31-33",
  "Oil and Gas": "21",
  "Other Banking and Financial Services": "52",
  "Other Real Estate": "53",
  "Pharmaceuticals": "31-33",
  "Residential": "53",
  "Restaurants": "72",
  "Retailing": "44-45",
  "Telecommunications": "51",
  "Tourism and Travel Services": "56",
};

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
