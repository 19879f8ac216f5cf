/** Reads countries other than those of the records: only records whose text names them are asked for. */
import { COUNTRIES } from "../../contract/vocabulary.ts";
import { anyOf, readPatterns } from "../facets/patterns.ts";
import { LANGUAGES } from "../words/stems.ts";
import { keyOf, keysOf, termOf } from "../words/terms.ts";
import { isStopWord } from "../words/tokens.ts";
import table from "./country_names.tsv" with { type: "text" };
import { type Draft, wordWay } from "./draft.ts";
import { placeKey, PLACES } from "./known_places.ts";
import { isCued, LISTED } from "./place_codes.ts";
import { endsNamePart, mentionsIn } from "./place_mentions.ts";
import { negationStart } from "./negation.ts";
import type { Passage } from "./query_text.ts";

/** Codes that name no country: unions, a continent, an uninhabited island, private use. */
const NO_COUNTRY = new Set<string>([...COUNTRIES, ..."AQ EU EZ HM QO UN XA XB ZZ".split(" ")]);

/** Usual names that the Unicode CLDR, which Intl reads, lacks. */
const FURTHER = readPatterns(table);

/** Names that are also ordinary words or first names. They mean the country if capitalized. */
const ORDINARY_NAMES = new Set(
  "turkey china chad chile jordan guinea grenade chili maurice dominique reunion suede".split(" "),
);

/** Returns the folded names of each country in English and French. */
function countryNames(): string[][] {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const sources = LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).map((style) =>
      new Intl.DisplayNames(language, { type: "region", style, fallback: "none" })
    )
  );
  return codes.filter((code) => !NO_COUNTRY.has(code)).map((code) => {
    const written = [...sources.map((source) => source.of(code) ?? ""), ...FURTHER.get(code) ?? []];
    // The main part of a name is that without parentheses, and of two islands the first.
    const folded = written.map((name) =>
      nameKey(name.replace(/ & .*|-et-.*| et .*| - .*|\s*\(.*/, ""))
    );
    return [...new Set(folded.filter((name) => /^\p{L}{2}/u.test(name)))];
  });
}

function nameKey(name: string): string {
  return placeKey(name.replaceAll(".", ""));
}

const NAMES = countryNames();

/** Names that are none of a place in the gazetteer, or of a saint: many places have those. */
const CLEAR_NAMES = NAMES.flat()
  .filter((name) => !PLACES.has(name) && !/^(?:st|sainte?|sint) /.test(name));

/**
 * Pattern of all names, the longest first. It excludes "New Mexico", "India-based" and "Ireland's".
 * isCountry() excludes longer names such as "Norway House".
 */
const COUNTRY = new RegExp(
  `(?<!new )${
    anyOf("u\\.k\\.?", ...CLEAR_NAMES.sort((a, b) => b.length - a.length))
  }(?!'s|-\\p{L})`,
  "gu",
);

/** Pattern of a preposition of direction right before a country. */
const TOWARD = /(?:^|\s)(?:(?:to|into|vers|du|des)\s+(?:the |le |la |les |l')?|d')$/u;

/** Pattern of a negation in the clause before a country: "do not export to Mexico". */
const NOT = /(?:^|[^a-z])(?:not?|without|sans|pas|aucune?|n')(?![a-z])[^,.;]*$/u;

/** Pattern of a name with capitals and a comma right before a country: "Paris, France". */
const CITY_BEFORE = /(\p{Lu}[\p{L}.'-]+(?: \p{Lu}[\p{L}.'-]+)*), ?(?:in |en |au )?$/u;

/**
 * Reads foreign countries after words such as "in" or after a city: "cold storage in Mexico". Records
 * have no facet of a foreign country, so a record meets the condition if its text names one of the
 * countries. The name of its city is then a word, and not a place of the records. A query that also
 * names a place of the records may accept either, so it gets no such condition.
 */
export function readForeignCountries(draft: Draft): void {
  const { text } = draft;
  const passages: Passage[] = [];
  for (const passage of text.find(COUNTRY)) {
    if (isCountry(draft, passage, passages.at(-1))) passages.push(passage);
  }
  if (passages.length === 0) return;
  const asked = passages.flatMap(({ start, end }) => {
    const name = nameKey(text.rest.slice(start, end));
    return NAMES.find((names) => names.includes(name)) ?? [];
  });
  for (const passage of passages) {
    text.take({ ...passage, start: cityBefore(draft, passage) ?? passage.start });
  }
  // A doubtful or excluded place is not asked for.
  const certain = mentionsIn(draft).filter(({ is_doubtful }) => !is_doubtful);
  if (certain.some((place) => negationStart(text, place) === undefined)) return;
  const words = asked.map((name) => name.split(" "));
  draft.addCondition(
    {
      on: "text",
      names: words.map((name) =>
        name.filter((word) => !isStopWord(word)).map((word) => keysOf([word]))
      ),
      but: words.filter(([word]) => PLACES.has(`new ${word}`)).flatMap(([word]) =>
        LANGUAGES.map((language) => ["new", word!].map((one) => keyOf(termOf([one], language))))
      ),
      text: asked.join(", "),
    },
    ...passages,
  );
  for (const [word] of words.filter(({ length }) => length === 1)) {
    draft.addWay(wordWay("written", [word!]), ...passages);
  }
}

/**
 * Returns the start of the name of a city right before a country; undefined if there is none. In a
 * list, "China" may be a ware: "Crystal, China and Silverware".
 */
function cityBefore(draft: Draft, { start, end }: Passage): number | undefined {
  const { cased } = draft.text;
  const city = CITY_BEFORE.exec(cased.slice(0, start));
  if (city === null) return undefined;
  const place = PLACES.get(placeKey(city[1]!));
  if (place?.level === "region") return undefined;
  const isListed = /^\s*(?:and|or|et|ou|&)\s/.test(cased.slice(end));
  return isCued(draft, city.index) || place !== undefined && !isListed ? city.index : undefined;
}

function isCountry(draft: Draft, passage: Passage, last: Passage | undefined): boolean {
  const { text } = draft;
  const { start, end } = passage;
  const isCapital = /^\p{Lu}/u.test(text.cased.slice(start));
  const isName = isCapital
    ? !/^\s+\p{Lu}\p{Ll}/u.test(text.cased.slice(end))
    : !ORDINARY_NAMES.has(text.rest.slice(start, end)) && endsNamePart(text, { start, end });
  if (!isName || NOT.test(text.rest.slice(0, start))) return false;
  if (negationStart(text, passage) !== undefined) return false;
  return isCued(draft, start) || TOWARD.test(text.rest.slice(0, start)) ||
    cityBefore(draft, passage) !== undefined ||
    last !== undefined && LISTED.test(text.rest.slice(last.end, start));
}
