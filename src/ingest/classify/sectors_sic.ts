import type { Sector } from "../../contract/vocabulary.ts";

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
