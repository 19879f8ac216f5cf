/**
 * Codes of the territories of the United States. Every source counts them as parts of the
 * United States, because a company there is one of the United States.
 */
import { REGION_NAMES } from "./gazetteer.ts";

/** A territory, as fields for countries name it. */
interface Territory {
  /** Code of ISO 3166-1 with three letters. */
  alpha_3: string;
  /** Code of EDGAR's table of states and countries. */
  edgar: string;
}

/** Territories by their codes, which are equal in ISO 3166-1 and in ISO 3166-2:US. */
export const TERRITORIES: Readonly<Record<string, Territory>> = {
  PR: { alpha_3: "PRI", edgar: "PR" },
  VI: { alpha_3: "VIR", edgar: "VI" },
  GU: { alpha_3: "GUM", edgar: "GU" },
  AS: { alpha_3: "ASM", edgar: "B5" },
  MP: { alpha_3: "MNP", edgar: "1V" },
};

const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(TERRITORIES).flatMap(([code, { alpha_3 }]) =>
    [code, alpha_3, ...REGION_NAMES.US[code]!.split("|")]
      .map((name) => [foldedOf(name), code] as const)
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
