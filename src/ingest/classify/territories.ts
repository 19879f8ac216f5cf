/**
 * Names and codes of the territories of the United States. Every source counts them as parts of the
 * United States, because a company there is one of the United States.
 */

/** A territory, as fields for countries and regions name it. */
interface Territory {
  /** Code of ISO 3166-1 with three letters. */
  alpha_3: string;
  /** Code of EDGAR's table of states and countries. */
  edgar: string;
  /** Names in English and French, separated by `|`. */
  names: string;
}

/** Territories by their codes, which are equal in ISO 3166-1 and in ISO 3166-2:US. */
export const TERRITORIES: Readonly<Record<string, Territory>> = {
  PR: { alpha_3: "PRI", edgar: "PR", names: "Puerto Rico|Porto Rico" },
  VI: {
    alpha_3: "VIR",
    edgar: "VI",
    names: "U.S. Virgin Islands|US Virgin Islands|United States Virgin Islands|" +
      "Virgin Islands, U.S.|Virgin Islands (U.S.)|Îles Vierges des États-Unis|" +
      "Îles Vierges américaines",
  },
  GU: { alpha_3: "GUM", edgar: "GU", names: "Guam" },
  AS: {
    alpha_3: "ASM",
    edgar: "B5",
    names: "American Samoa|Samoa américaines",
  },
  MP: {
    alpha_3: "MNP",
    edgar: "1V",
    names: "Northern Mariana Islands|Northern Marianas|Îles Mariannes du Nord|Mariannes du Nord",
  },
};

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(TERRITORIES).flatMap(([code, { alpha_3, names }]) =>
    [code, alpha_3, ...names.split("|")].map((name) => [foldedOf(name), code] as const)
  ),
);

/**
 * Returns the code of a territory ("PR") from a field for a country: an ISO code of two or three
 * letters, or a name. Returns undefined for any other text.
 */
export function territoryOf(country: string): string | undefined {
  return CODES.get(foldedOf(country));
}

/** Folds case, accents and punctuation. */
function foldedOf(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[^a-z]+/g, " ").trim().replace(/^the /, "").replace(/\bu s\b/, "us");
}
