/** Reads countries other than those of the records: only records whose text names them are asked for. */
import { COUNTRIES } from "../../contract/vocabulary.ts";
import { anyOf } from "../facets/patterns.ts";
import { LANGUAGES } from "../words/language.ts";
import { fold } from "../words/stems.ts";
import { keyOf, termOf } from "../words/terms.ts";
import { isStopWord } from "../words/tokens.ts";
import { type Draft, wordWay } from "./draft.ts";
import { PLACES } from "./known_places.ts";
import { isCued } from "./place_mentions.ts";
import { negationStart } from "./places.ts";
import { runsOf } from "./query_text.ts";

/** Codes that name no country: unions, a continent, private use. */
const NO_COUNTRY = new Set<string>([...COUNTRIES, ..."AQ EU EZ QO UN XA XB ZZ".split(" ")]);

/** Usual names that the Unicode CLDR, which Intl reads, lacks. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  AE: ["UAE"],
  CD: ["Congo"],
  CI: ["Ivory Coast"],
  CZ: ["Czech Republic", "République tchèque"],
  GB: ["Great Britain", "Britain", "England", "Scotland", "Angleterre", "Écosse"],
  KR: ["Korea", "Corée"],
  NL: ["Holland", "Hollande"],
  TR: ["Turkey"],
  VN: ["Vietnam"],
};

/** Names that are also ordinary words or first names. They mean the country if capitalized. */
const ORDINARY_NAMES = new Set(
  "turkey china chad jordan jersey guinea grenade chili maurice dominique".split(" "),
);

/** Returns the names of each country in English and French, as their folded words. */
function countryNames(): ReadonlyMap<string, readonly string[][]> {
  const letters = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at));
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  const sources = LANGUAGES.flatMap((language) =>
    (["long", "short"] as const).map((style) =>
      new Intl.DisplayNames(language, { type: "region", style, fallback: "none" })
    )
  );
  const named = codes.filter((code) => !NO_COUNTRY.has(code)).map((code) => {
    const written = [...sources.map((source) => source.of(code) ?? ""), ...FURTHER[code] ?? []];
    return [code, distinctNames(written.flatMap(partsOf))] as const;
  });
  return new Map(named.filter(([, names]) => names.length > 0));
}

/** Splits names such as "Myanmar (Burma)", and takes the first of two islands. */
function partsOf(name: string): string[] {
  return name.replace(/ & .*|-et-.*| et .*/, "").split(/ - |[()]/);
}

function distinctNames(names: readonly string[]): string[][] {
  const folded = names.map((name) => runsOf(fold(name)).map(({ text }) => text).join(" "));
  return [...new Set(folded)].filter((name) => name.length > 1 && !isKnownPlace(name))
    .map((name) => name.split(" "));
}

/** Tells whether a well-known place of the gazetteer has a name: "Georgia". */
function isKnownPlace(name: string): boolean {
  const place = PLACES.get(name);
  return place !== undefined && !place.is_minor;
}

const NAMES = countryNames();

/** Pattern of all names, the longest first. "New Mexico" and "Lebanon, NH" are no countries. */
const COUNTRY = new RegExp(
  `(?<!new )${
    anyOf(
      ...[...NAMES.values()].flat().map((words) => words.join(" "))
        .sort((a, b) => b.length - a.length),
    )
  }(?!\\s*,\\s*[a-z]{2}\\b)`,
  "gu",
);

/** Pattern of a preposition of direction right before a country. */
const TOWARD = /(?:^|\s)(?:to|into|vers)\s+(?:the |le |la |les |l')?$/u;

/**
 * Reads foreign countries after words such as "in": "cold storage in Mexico". Records have no facet
 * of a foreign country, so a record meets the condition if its text names the country.
 */
export function readForeignCountries(draft: Draft): void {
  const { text } = draft;
  const hasCapitals = /\p{Lu}/u.test(text.cased);
  const passages = text.find(COUNTRY).filter(({ start, end }) => {
    const isCapital = /^\p{Lu}/u.test(text.cased.slice(start));
    const name = text.rest.slice(start, end);
    const next = /^ \p{L}+/u.exec(text.rest.slice(end))?.[0] ?? "";
    const isName = isCapital || !hasCapitals && !ORDINARY_NAMES.has(name);
    // "Jersey City" is no country.
    return isName && !isKnownPlace(name + next) &&
      (isCued(draft, start) || TOWARD.test(text.rest.slice(0, start))) &&
      negationStart(text, { start, end }, undefined) === undefined;
  });
  if (passages.length === 0) return;
  const asked = passages.flatMap(({ start, end }) => {
    const name = runsOf(text.rest.slice(start, end)).map(({ text }) => text).join(" ");
    return [...NAMES.values()].find((names) => names.some((words) => words.join(" ") === name))!;
  });
  draft.addCondition(
    {
      on: "text",
      names: asked.map((words) =>
        words.filter((word) => !isStopWord(word))
          .map((word) => LANGUAGES.map((language) => keyOf(termOf([word], language))))
      ),
      text: asked.map((words) => words.join(" ")).join(", "),
    },
    ...passages,
  );
  for (const words of asked.filter(({ length }) => length === 1)) {
    draft.addWay(wordWay("written", words[0]!), ...passages);
  }
  for (const passage of passages) text.take(passage);
}
