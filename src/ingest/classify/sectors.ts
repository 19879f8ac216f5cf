/**
 * Maps the codes and words by which sources classify companies to the twenty sectors of NAICS 2022.
 * sectors.tsv lists them.
 */
import { type Sector, SECTOR_CODES } from "../../contract/vocabulary.ts";
import { memoized } from "../../memoized.ts";
import table from "./sectors.tsv" with { type: "text" };

/** Sectors by their first two digits. A range such as 31-33 has one entry per number. */
const SECTOR_OF_DIGITS: ReadonlyMap<string, Sector> = new Map(
  SECTOR_CODES.flatMap((sector) => {
    const [first, last = first] = sector.split("-").map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, at) => [`${first + at}`, sector] as const);
  }),
);

/**
 * Returns the sector of a NAICS code of two to six digits, or undefined if no sector has its first
 * two digits. The code may be of any edition since 1997, because the digits of sectors have not
 * changed.
 */
export function sectorOfNaics(code: string): Sector | undefined {
  return /^\d{2,6}$/.test(code) ? SECTOR_OF_DIGITS.get(code.slice(0, 2)) : undefined;
}

/**
 * Returns the sector of a class of the Standard Industrial Classification of 1987. Returns
 * undefined if no sector took over most of the class. Codes that only the SEC uses are also known,
 * such as 6770 for blank checks. A leading zero may be missing.
 */
export function sectorOfSic(code: string): Sector | undefined {
  if (!/^\d{3,4}$/.test(code)) return undefined;
  const number = Number(code);
  return SIC.find(({ first, last }) => first <= number && number <= last)?.sector;
}

const SIC = rowsOf("SIC").map(({ code, sectors: [sector] }) => {
  const [first, last] = code.split("-").map(Number) as [number, number];
  return { first, last, sector };
});

/**
 * Returns the sector whose establishments supply the goods or services of a code, or undefined if
 * several do. The code has four to eight digits of the United Nations Standard Products and
 * Services Code (UNSPSC).
 */
export function sectorOfUnspsc(code: string): Sector | undefined {
  if (!/^\d{4,8}$/.test(code)) return undefined;
  return UNSPSC.get(code.slice(0, 4)) ?? UNSPSC.get(code.slice(0, 2));
}

const UNSPSC = new Map(rowsOf("UNSPSC").map(({ code, sectors: [sector] }) => [code, sector]));

/**
 * Returns the sector of a code of Canada's Goods and Services Identification Numbers (GSIN), or
 * undefined if several sectors supply it. Codes of goods begin with N and a class of the Federal
 * Supply Classification: "N7025405".
 */
export function sectorOfGsin(code: string): Sector | undefined {
  const [, family, group] = /^N((\d\d)\d\d)/.exec(code) ?? [];
  if (group === undefined || family === undefined) return undefined;
  if (group === "76" || family === "7030") return "51"; // books and maps; software
  // Goods of groups up to 84, from weapons to clothing, are manufactured. The other groups, such as
  // food, farm products, fuels and ores, have several sectors.
  return Number(group) <= 84 || family === "8720" ? "31-33" : undefined;
}

/**
 * Returns the likely sectors of an industry in a source's words. Returns an empty list if no word
 * is known.
 */
export const sectorsOfIndustry = memoized((industry): readonly Sector[] => {
  const words = industry.toLowerCase().replaceAll("_", " ");
  const sectors = WORDS.flatMap(({ pattern, sectors }) => pattern.test(words) ? sectors : []);
  return [...new Set(sectors)];
});

const WORDS = rowsOf("word").map(({ code, sectors }) => ({ pattern: new RegExp(code), sectors }));

function rowsOf(kind: string): { code: string; sectors: Sector[] }[] {
  return table.split("\n").map((line) => line.split("\t")).filter(([first]) => first === kind)
    .map(([, code, sectors]) => ({ code: code!, sectors: sectors!.split(" ") as Sector[] }));
}
