/** Maps the classification codes of sources to the twenty sectors of NAICS 2022. */
import { type Sector, SECTOR_CODES } from "../../contract/vocabulary.ts";

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

/**
 * Ranges of classes of the Standard Industrial Classification of 1987. Each row has the first and
 * last class, and the sector of NAICS 2022 that took over most of the range. Rows ascend and do not
 * overlap. A class without a row has no sector.
 *
 * The sectors follow the Census Bureau's concordances: from 1987 SIC to 1997 NAICS, then from each
 * NAICS to the next, until 2022. Codes that end in zeros, and 4955, 4991, 5412, 6189, 6199, 6532,
 * 6770 and 6795, are from the list of the SEC. Their sectors follow their titles there.
 */
export const SECTOR_OF_SIC: readonly (readonly [number, number, Sector])[] = [
  [100, 740, "11"], // crops, livestock, soil and crop services
  [741, 742, "54"], // veterinary services
  [751, 751, "11"], // livestock services
  [752, 752, "81"], // animal specialty services: boarding, grooming
  [760, 762, "11"], // farm labor and management
  [781, 781, "54"], // landscape architecture
  [782, 783, "56"], // lawn, garden and tree services
  [800, 999, "11"], // forestry, fishing, hunting
  [1000, 1499, "21"],
  [1500, 1799, "23"],
  [2000, 2410, "31-33"],
  [2411, 2411, "11"], // logging
  [2412, 2710, "31-33"],
  [2711, 2731, "51"], // newspapers, periodicals, books: publishing
  [2732, 2732, "31-33"], // book printing
  [2740, 2741, "51"], // miscellaneous publishing
  [2750, 2761, "31-33"], // printing
  [2770, 2771, "51"], // greeting cards
  [2780, 3999, "31-33"],
  [4000, 4492, "48-49"],
  [4493, 4493, "71"], // marinas
  [4494, 4723, "48-49"],
  [4724, 4729, "56"], // travel agencies and tour operators
  [4730, 4731, "48-49"], // freight arrangement
  [4740, 4741, "53"], // rental of railroad cars
  [4780, 4789, "48-49"],
  [4800, 4899, "51"],
  [4900, 4921, "22"],
  [4922, 4922, "48-49"], // natural gas transmission: pipelines
  [4923, 4949, "22"],
  [4950, 4951, "56"], // sanitary services
  [4952, 4952, "22"], // sewerage
  [4953, 4959, "56"], // refuse and hazardous waste
  [4960, 4999, "22"],
  [5000, 5199, "42"],
  [5200, 5460, "44-45"],
  [5461, 5461, "31-33"], // retail bakeries: most bake on the premises
  [5462, 5799, "44-45"],
  [5800, 5899, "72"], // eating and drinking places
  [5900, 5999, "44-45"],
  [6000, 6499, "52"],
  [6500, 6540, "53"],
  [6541, 6541, "54"], // title abstract offices
  [6550, 6552, "23"], // land subdividers and developers
  [6553, 6553, "81"], // cemeteries
  [6710, 6719, "55"], // holding companies
  [6720, 6726, "52"], // investment offices
  [6732, 6732, "81"], // charitable trusts
  [6733, 6733, "52"], // other trusts
  [6770, 6770, "52"], // blank checks
  [6792, 6795, "53"], // royalty, patent and mineral rights
  // Since NAICS 2007, equity REITs are lessors of real estate. Mortgage REITs, which are fewer, are
  // in 52.
  [6798, 6798, "53"],
  [6799, 6799, "52"], // investors
  [7000, 7041, "72"], // hotels and other lodging
  [7200, 7216, "81"], // laundries
  [7217, 7217, "56"], // carpet cleaning
  [7218, 7219, "81"],
  [7220, 7221, "54"], // portrait photography
  [7230, 7261, "81"],
  [7291, 7291, "54"], // tax return preparation
  [7299, 7299, "81"],
  [7310, 7319, "54"], // advertising
  [7320, 7323, "56"], // credit reporting and collection
  [7330, 7331, "54"], // direct mail
  [7334, 7334, "56"], // photocopying
  [7335, 7336, "54"], // commercial photography, graphic design
  [7338, 7338, "56"], // secretarial and court reporting
  [7340, 7349, "56"], // pest control, building cleaning
  [7350, 7359, "53"], // equipment rental
  [7360, 7363, "56"], // employment agencies, temporary help
  // 7370 is the code of the whole group. The SEC gives it mostly to portals and platforms.
  [7370, 7370, "51"],
  [7371, 7371, "54"], // custom programming
  [7372, 7372, "51"], // packaged software: publishing
  [7373, 7373, "54"], // integrated systems design
  [7374, 7375, "51"], // data processing, information retrieval
  [7376, 7376, "54"], // facilities management
  [7377, 7377, "53"], // computer rental
  [7378, 7378, "81"], // computer repair
  [7379, 7379, "54"],
  [7380, 7382, "56"], // security services
  [7383, 7383, "51"], // news syndicates
  [7384, 7384, "81"], // photofinishing
  [7389, 7389, "56"], // other business services
  [7500, 7509, "81"],
  [7510, 7519, "53"], // automotive rental
  [7520, 7699, "81"], // parking, repair
  [7800, 7833, "51"], // motion pictures
  [7840, 7841, "53"], // video rental
  [7900, 7999, "71"],
  [8000, 8071, "62"],
  [8072, 8072, "31-33"], // dental laboratories
  [8080, 8099, "62"],
  [8100, 8111, "54"],
  [8200, 8230, "61"],
  [8231, 8231, "51"], // libraries
  [8240, 8299, "61"],
  [8300, 8361, "62"],
  [8399, 8399, "81"], // fund raising and advocacy
  [8400, 8422, "71"],
  [8600, 8699, "81"],
  [8700, 8740, "54"], // engineering, accounting, research
  [8741, 8741, "56"], // management services
  [8742, 8743, "54"], // management consulting, public relations
  [8744, 8744, "56"], // facilities support
  [8748, 8748, "54"],
  [8811, 8811, "81"], // private households
  [9100, 9729, "92"],
];
