/** Maps a source's words for an industry to likely sectors of NAICS 2022. */
import type { Sector } from "../../contract/vocabulary.ts";

/**
 * Patterns of words for industries, with the sectors of such companies. A pattern has many sectors,
 * because one source describes a company by its product, and another by its customers or its trade.
 */
const SECTORS_OF_WORDS: readonly (readonly [RegExp, readonly Sector[]])[] = [
  [/\b(?:biotech|pharma\w*|drugs?|biolog\w+|life sciences?)/, ["31-33", "42", "54", "62"]],
  [/\b(?:health\w*|medic\w+|hospitals?|surg\w+|physicians|dental)/, ["31-33", "51", "54", "62"]],
  [
    /\b(?:software|web|mobile|search|social|messaging|games?|photo|analytics|enterprise|network|internet|cloud|security|computers?|data processing|information|technology)\b/,
    [
      "31-33",
      "51",
      "54",
    ],
  ],
  [
    /\b(?:semiconductors?|hardware|electronics?|nanotech\w*|manufactur\w+|machinery|equipment|devices|instruments|apparatus|circuits)\b/,
    [
      "31-33",
      "42",
      "51",
      "54",
    ],
  ],
  [/\b(?:telecom\w*|telephone|communications|broadcast\w*|news|publish\w+|media|music|video)\b/, [
    "51",
    "54",
    "71",
  ]],
  [/\b(?:advertis\w+|public relations|marketing|consult\w+|legal|design|services-management)\b/, [
    "51",
    "54",
    "56",
  ]],
  [/\b(?:e-?commerce|retail\w*|stores?|shop\w*|catalog)\b/, ["42", "44-45", "51", "54"]],
  [/\b(?:fashion|apparel|footwear|clothing)\b/, ["31-33", "42", "44-45", "51"]],
  [/\b(?:clean ?tech|solar|energy|electric|power|utilit\w+|renewable|environmental)\b/, [
    "21",
    "22",
    "23",
    "31-33",
    "54",
    "56",
  ]],
  [/\b(?:oil|gas|petroleum|mining|minerals?|metals?|gold|coal)\b/, ["21", "22", "31-33"]],
  [/\b(?:financ\w+|bank\w*|credit|insurance|invest\w+|securities|lending|payments?)\b/, [
    "51",
    "52",
    "53",
  ]],
  [/\breal estate|reit\b|residential|propert\w+/, ["23", "51", "52", "53"]],
  [/\b(?:automo\w+|motor vehicles?|cars?)\b/, ["31-33", "42", "44-45"]],
  [/\b(?:transport\w*|logistics|airlines?|shipping|freight|railroads?)\b/, [
    "31-33",
    "48-49",
    "51",
    "56",
  ]],
  [/\b(?:travel|tours?|hospitality)\b/, ["48-49", "51", "56", "72"]],
  [/\b(?:hotels?|restaurants?|eating|lodging)\b/, ["72"]],
  [/\b(?:foods?|beverages?)\b/, ["31-33", "42", "44-45", "72"]],
  [/\b(?:education\w*|schools?|training)\b/, ["51", "54", "61"]],
  [/\b(?:sports?|entertainment|amusement|recreation)\b/, ["31-33", "51", "71"]],
  [/\b(?:construction|builders?|contractors?)\b/, ["23", "54"]],
  [/\bagricultur\w+|farm\w*/, ["11", "31-33", "54"]],
];

/** Cache of sectors by industry. Sources have few industries and many records. */
const KNOWN = new Map<string, readonly Sector[]>();
/** Max number of cached industries. The number is chosen. */
const KNOWN_MAX = 2_000;

/** Returns the likely sectors of an industry. Returns an empty list if no word is known. */
export function sectorsOfIndustry(industry: string): readonly Sector[] {
  const known = KNOWN.get(industry);
  if (known !== undefined) return known;
  const words = industry.toLowerCase().replaceAll("_", " ");
  const sectors = [
    ...new Set(SECTORS_OF_WORDS.flatMap(([pattern, of]) => pattern.test(words) ? of : [])),
  ];
  if (KNOWN.size >= KNOWN_MAX) KNOWN.clear();
  KNOWN.set(industry, sectors);
  return sectors;
}
