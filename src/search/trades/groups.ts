/** The dictionary of the trades: groups of English and French phrases that mean the same. */
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

/** Greatest number of content words in a phrase. */
export const PHRASE_WORDS_MAX = 3;

/** A group as the data files have it: lists of phrases are joined by semicolons. */
interface WrittenGroup {
  /** NAICS sectors to which the phrases belong, empty if they belong to no sector alone. */
  sectors: string[];
  /** Phrases that may replace each other. */
  english?: string;
  french?: string;
  /** Phrases of the same meaning whose stems other words share: customer and custom. */
  asked_english?: string;
  asked_french?: string;
  /** Phrases that are related to each of the former, but not to each other. */
  near_english?: string;
  near_french?: string;
}

/** A word or short phrase of a trade. */
export interface Phrase {
  /** The phrase as the data file spells it. */
  text: string;
  language: Language;
  /** Its content words, folded. */
  words: readonly string[];
}

/** Phrases of one trade in both languages. */
export interface TradeGroup {
  sectors: readonly Sector[];
  /** Phrases that may replace each other. */
  same: readonly Phrase[];
  /**
   * Phrases that a question may use for those of `same`, but that are no form of them. Records are
   * found by stems, and other words share the stems of these.
   */
  asked: readonly Phrase[];
  /** Phrases that are related to those of `same`, but not to each other. */
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
    same: [...phrasesOf(group.english, "english"), ...phrasesOf(group.french, "french")],
    asked: [
      ...phrasesOf(group.asked_english, "english"),
      ...phrasesOf(group.asked_french, "french"),
    ],
    near: [...phrasesOf(group.near_english, "english"), ...phrasesOf(group.near_french, "french")],
  }));
}

function phrasesOf(list: string | undefined, language: Language): Phrase[] {
  if (list === undefined) return [];
  return list.split("; ").map((text) => ({ text, language, words: words(text) }));
}
