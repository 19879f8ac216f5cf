/**
 * Reads the dictionary of the trades: groups of English and French phrases with the same meaning.
 */
import type { Sector } from "../../contract/vocabulary.ts";
import { words } from "../engine/text.ts";
import type { Language } from "../engine/words.ts";
import clinical from "./clinical.json" with { type: "json" };
import construction from "./construction.json" with { type: "json" };
import devices from "./devices.json" with { type: "json" };
import equipment from "./equipment.json" with { type: "json" };
import facilities from "./facilities.json" with { type: "json" };
import finance from "./finance.json" with { type: "json" };
import foodstuffs from "./foodstuffs.json" with { type: "json" };
import general from "./general.json" with { type: "json" };
import goods from "./goods.json" with { type: "json" };
import health from "./health.json" with { type: "json" };
import materials from "./materials.json" with { type: "json" };
import occupations from "./occupations.json" with { type: "json" };
import professions from "./professions.json" with { type: "json" };
import arts from "./public.json" with { type: "json" };
import resources from "./resources.json" with { type: "json" };
import roles from "./roles.json" with { type: "json" };
import technology from "./technology.json" with { type: "json" };
import transport from "./transport.json" with { type: "json" };
import vehicles from "./vehicles.json" with { type: "json" };
import venues from "./venues.json" with { type: "json" };
import vocabulary from "./vocabulary.json" with { type: "json" };

/** A group in the form of the data files. Semicolons separate the phrases of a list. */
interface WrittenGroup {
  /** NAICS sectors to which the phrases belong. Empty if they belong to no particular sector. */
  sectors: string[];
  /** Phrases that may replace each other. */
  english?: string;
  french?: string;
  /**
   * Phrases with the same meaning, but with stems that other words share, such as customer and
   * custom.
   */
  asked_english?: string;
  asked_french?: string;
  /** Phrases that are related to the phrases above, but not to each other. */
  near_english?: string;
  near_french?: string;
}

/** A phrase of one to three content words. */
export interface Phrase {
  /** The phrase as the data file spells it. */
  text: string;
  language: Language;
  /** Its content words, folded. */
  words: readonly string[];
}

/** A group with its phrases in both languages. */
export interface TradeGroup {
  sectors: readonly Sector[];
  /** Phrases that may replace each other. */
  same: readonly Phrase[];
  /**
   * Phrases that mean the same in a query. In a record, they only count as related, because other
   * words share their stems.
   */
  asked: readonly Phrase[];
  /** Phrases that are related to the phrases of `same`, but not to each other. */
  near: readonly Phrase[];
}

const FILES: readonly (readonly WrittenGroup[])[] = [
  construction,
  facilities,
  transport,
  technology,
  health,
  finance,
  goods,
  resources,
  arts,
  roles,
  equipment,
  vehicles,
  materials,
  devices,
  foodstuffs,
  clinical,
  occupations,
  professions,
  venues,
  general,
  vocabulary,
];

/** Reads all groups from the data files. */
export function readGroups(): TradeGroup[] {
  return FILES.flat().map((group) => ({
    sectors: group.sectors as Sector[],
    same: phrasesOf(group.english, group.french),
    asked: phrasesOf(group.asked_english, group.asked_french),
    near: phrasesOf(group.near_english, group.near_french),
  }));
}

function phrasesOf(english: string | undefined, french: string | undefined): Phrase[] {
  return Object.entries({ english, french }).flatMap(([language, list]) =>
    list?.split("; ").map((text) => ({
      text,
      language: language as Language,
      words: words(text),
    })) ?? []
  );
}
