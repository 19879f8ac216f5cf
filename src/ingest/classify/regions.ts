/** Maps provinces and states between codes and names. */
import type { Country } from "../../contract/vocabulary.ts";

/**
 * Returns the code of a province, territory or state ("QC", "NY"). The text may be the code, the
 * English name or, for Canada, the French name. Returns undefined if the country has no such
 * region.
 */
export function regionOf(country: Country, text: string): string | undefined {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[-–]/g, " ").trim()
    .toLowerCase();
  return CODES[country].get(plain);
}

/**
 * Returns the English name of a region: "Quebec" for CA and QC. Returns an unknown code unchanged.
 */
export function regionName(country: Country, code: string): string {
  return NAMES[country].get(code) ?? code;
}

const PROVINCES = "AB Alberta;BC British Columbia|Colombie Britannique;MB Manitoba;" +
  "NB New Brunswick|Nouveau Brunswick;" +
  "NL Newfoundland and Labrador|Newfoundland & Labrador|Newfoundland|Labrador|" +
  "Terre Neuve et Labrador;NS Nova Scotia|Nouvelle Ecosse;" +
  "NT Northwest Territories|Territoires du Nord Ouest;" +
  "NU Nunavut|Nunavut Territory|Territoire du Nunavut;ON Ontario;" +
  "PE Prince Edward Island|Ile du Prince Edouard;QC Quebec|PQ;SK Saskatchewan;" +
  "YT Yukon|Yukon Territory|YK";

const STATES = "AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;" +
  "CT Connecticut;DE Delaware;DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;" +
  "IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;LA Louisiana;ME Maine;MD Maryland;" +
  "MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska;" +
  "NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;" +
  "ND North Dakota;OH Ohio;OK Oklahoma;OR Oregon;PA Pennsylvania;RI Rhode Island;" +
  "SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont;VA Virginia;" +
  "WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;PR Puerto Rico;" +
  "VI Virgin Islands|U.S. Virgin Islands;GU Guam;AS American Samoa;MP Northern Mariana Islands";

const REGIONS: Readonly<Record<Country, readonly [string, string[]][]>> = {
  CA: regionsOf(PROVINCES),
  US: regionsOf(STATES),
};

const CODES: Readonly<Record<Country, ReadonlyMap<string, string>>> = {
  CA: codesOf(REGIONS.CA),
  US: codesOf(REGIONS.US),
};

const NAMES: Readonly<Record<Country, ReadonlyMap<string, string>>> = {
  CA: new Map(REGIONS.CA.map(([code, [name]]) => [code, name!])),
  US: new Map(REGIONS.US.map(([code, [name]]) => [code, name!])),
};

function regionsOf(list: string): [string, string[]][] {
  return list.split(";").map((region) => [region.slice(0, 2), region.slice(3).split("|")]);
}

function codesOf(regions: readonly [string, string[]][]): Map<string, string> {
  return new Map(
    regions.flatMap(([code, names]) =>
      [code, ...names].map((name): [string, string] => [name.toLowerCase(), code])
    ),
  );
}
