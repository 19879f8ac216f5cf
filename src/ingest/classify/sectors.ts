/** Maps the classification codes of sources to the twenty sectors of NAICS 2022. */
import { type Sector, SECTOR_CODES } from "../../contract/vocabulary.ts";
import { SECTOR_OF_SIC } from "./sectors_sic.ts";

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
  return SECTOR_OF_SIC.find(([first, last]) => first <= number && number <= last)?.[2];
}

/**
 * Returns the sector whose establishments supply the goods or services of a code, or undefined if
 * several do. The code has four to eight digits of the United Nations Standard Products and
 * Services Code (UNSPSC).
 */
export function sectorOfUnspsc(code: string): Sector | undefined {
  if (!/^\d{4,8}$/.test(code)) return undefined;
  return SECTOR_OF_UNSPSC[code.slice(0, 4)] ?? SECTOR_OF_UNSPSC[code.slice(0, 2)];
}

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
 * Sectors by UNSPSC segment (two digits) or, if its families differ, by family (four digits). The
 * entry of a segment applies to its families without an entry. Titles are from UNDP's UNSPSC code
 * set. The sector is that of the industry with the most similar title in NAICS 2022. Segments that
 * several sectors supply are left out. These are raw minerals and fibres (11), fuels (15), food
 * (50), environmental services (77), civic affairs (93), and land and buildings (95).
 */
const SECTOR_OF_UNSPSC: Readonly<Record<string, Sector>> = {
  10: "11", // live plants and animals
  12: "31-33", // chemicals
  13: "31-33", // resins, rubber, foam
  14: "31-33", // paper
  20: "31-33", // mining and well drilling machinery
  21: "31-33", // farming and forestry machinery
  22: "31-33", // building and construction machinery
  23: "31-33", // industrial manufacturing machinery
  24: "31-33", // material handling and storage machinery
  25: "31-33", // vehicles and their components
  26: "31-33", // power generation and distribution machinery
  27: "31-33", // tools and general machinery
  30: "31-33", // structures, building and construction components
  31: "31-33", // manufacturing components
  32: "31-33", // electronic components
  39: "31-33", // electrical systems and lighting
  40: "31-33", // distribution and conditioning systems
  41: "31-33", // laboratory and measuring equipment
  42: "31-33", // medical equipment
  43: "31-33", // information technology and telecommunications equipment
  4323: "51", // software
  44: "31-33", // office equipment
  45: "31-33", // printing, photographic and audiovisual equipment
  46: "31-33", // defence, law enforcement and safety equipment
  47: "31-33", // cleaning equipment
  48: "31-33", // service industry machinery
  49: "31-33", // sports and recreational equipment
  51: "31-33", // drugs
  52: "31-33", // domestic appliances and consumer electronics
  53: "31-33", // apparel and luggage
  54: "31-33", // timepieces and jewelry
  55: "51", // published products
  5512: "31-33", // signs and labels
  56: "31-33", // furniture
  60: "31-33", // musical instruments, toys, educational equipment
  64: "52", // financial instruments
  70: "11", // farming, fishing and forestry contracting
  71: "21", // mining, oil and gas services
  72: "23", // building and facility construction and maintenance
  73: "31-33", // industrial production services
  76: "56", // industrial cleaning and waste disposal
  78: "48-49", // transportation, storage and mail
  8010: "54", // management advice
  8011: "56", // human resources and temporary personnel
  8012: "54", // legal services
  8013: "53", // real estate services
  8014: "54", // marketing and distribution
  81: "54", // engineering, research and technology services
  8210: "54", // advertising
  8211: "54", // writing and translation
  8213: "54", // photography
  8214: "54", // graphic design
  8215: "71", // artists and performers
  8310: "22", // utilities
  8311: "51", // telecommunications
  8312: "51", // information services
  84: "52", // financial and insurance services
  85: "62", // healthcare
  86: "61", // education and training
  9010: "72", // restaurants and catering
  9011: "72", // lodging
  9012: "56", // travel arrangement
  9013: "71", // performing arts
  9014: "71", // commercial sports
  9015: "71", // entertainment
  91: "81", // personal and domestic services
  9210: "92", // public order
  9211: "92", // military services
  9212: "56", // security and personal safety
  94: "81", // organizations and clubs
};
