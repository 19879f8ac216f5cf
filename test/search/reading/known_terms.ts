/** A small index for tests of the reader, with facet terms and words of documents. */
import type { KnownTerms } from "../../../src/search/reading/question.ts";
import { facetTermsOf } from "../../../src/search/reading/facet_terms.ts";

const NAMES = [
  "Supernus Pharmaceuticals, Inc.",
  "LinkedIn",
  "JetBlue",
  "Boulder Wind Power",
  "Envision Healthcare",
  "SplitSecnd",
  "Totus-Solutions",
  "Fastly",
  "3M",
  "New York Times",
  "Whistle",
  "Software",
  "Les Aliments Québec Ltée",
];

const TERMS = new Set([
  ...NAMES.flatMap((company) =>
    facetTermsOf({ company, kind: "company_profile", country: "US", observed_fact: "" })
  ),
  "ticker:supn",
  ...("biotech ecommerce enterprise software web mobile advertising networkhosting gamesvideo " +
    "realestate finance search health")
    .split(" ").map((key) => `industry:${key}`),
  ..."kubernetes postgresql nodejs data search react vuejs".split(" ").map((key) =>
    `technology:${key}`
  ),
  "city:woburn",
  "city:laval",
  "workplace:remote",
]);

/** Number of documents that contain each word. */
const WORDS = new Map(
  ("software mobile web enterprise biotech commerce ecommerce advertising network hosting snow removal " +
    "cold storage tenders security cameras banque banks remote data search healthcare solutions wind " +
    "power boulder construction nurses hospitals fonderie vitamin supplements services real estate " +
    "finance games video janitorial organized welding wedding accounting meals frozen music health")
    .split(
      " ",
    )
    .map((word) => [word, 100]),
);
for (
  const word of "supernus pharmaceuticals linkedin jetblue envision totus fastly whistle".split(" ")
) {
  WORDS.set(word, 2);
}
for (const word of ["kubernetes", "postgresql", "node", "react", "vue"]) WORDS.set(word, 9);

/** Returns whether one swap of adjacent letters makes the texts equal. */
function isSwap(one: string, next: string): boolean {
  return one.length === next.length &&
    [...one].some((_, at) => one.slice(0, at) + one[at + 1] + one[at] + one.slice(at + 2) === next);
}

const nearest = (candidates: Iterable<string>, text: string) =>
  [...candidates].find((candidate) => isSwap(text, candidate));

/** The index, as the reader uses it. */
export const KNOWN: KnownTerms = {
  facetFrequency: (term) => TERMS.has(term) ? 3 : 0,
  wordFrequency: (word) => WORDS.get(word) ?? 0,
  nearestWord: (word) => nearest(WORDS.keys(), word),
  nearestName: (key) =>
    nearest(
      [...TERMS].filter((term) => term.startsWith("name:")).map((term) => term.slice(5)),
      key,
    ),
};
