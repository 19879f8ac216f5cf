/** Reads kinds, sectors, rounds, roles, technologies and industries. */
import { type Kind, KINDS, SECTOR_CODES } from "../../contract/vocabulary.ts";
import { INDUSTRY_WORDS_MAX, industryKey, industryKeys } from "../facets/industries.ts";
import { patternsOf, readPatterns, readPhrases } from "../facets/patterns.ts";
import { ROLES_OF_CHANGES, rolesIn } from "../facets/roles.ts";
import {
  FUNDING_ROUND_PATTERNS,
  ROUND_PATTERNS,
  roundsOfList,
  SERIES_LIST,
  termsOfRound,
} from "../facets/rounds.ts";
import { askedTechnologyKeys, isTechnology, TECHNOLOGY_WORDS_MAX } from "../facets/technologies.ts";
import { fold } from "../words/stems.ts";
import { keyOf } from "../words/terms.ts";
import { cue } from "./cues.ts";
import { type Draft, type DraftUnit, factWay } from "./draft.ts";
import table from "./kinds_and_sectors.tsv" with { type: "text" };
import { negationStart } from "./negation.ts";
import type { Passage, Span } from "./query_text.ts";
import nouns from "./trade_nouns.tsv" with { type: "text" };

/**
 * Share of a word for a place ("plants") that a record of an expansion is worth, and share of an
 * activity ("construction") that a record of its sector is worth. They are first values, which no
 * data has calibrated yet.
 */
const PARTLY = 0.5;

/** Pattern of nouns for places that are more specific than "facility". */
const PLACE_NOUN = new RegExp(
  "^(?:plants?|factor(?:y|ies)|warehouses?|stores?|shops?|branch(?:es)?|hotels?|restaurants?|" +
    "campus(?:es)?|mines?|depots?|usines?|fabriques?|entrepots?|magasins?|boutiques?|succursales?)$",
);

/**
 * Patterns of phrases that name kinds of observations and whole sectors of NAICS 2022. Narrower words,
 * such as "museums", are searched for, because not every record of the sector is about them.
 */
const PATTERNS = patternsOf(readPatterns(table));

/** Patterns of phrases that name kinds. */
export const KIND_PATTERNS = PATTERNS.map(([names, pattern]) => ({
  kinds: KINDS.filter((kind) => names.split(" ").includes(kind)),
  pattern,
})).filter(({ kinds }) => kinds.length > 0);

/** Patterns of phrases that name a sector as a whole. */
export const SECTOR_PATTERNS = SECTOR_CODES.flatMap((sector) =>
  PATTERNS.flatMap(([name, pattern]) => name === sector ? [{ sector, pattern }] : [])
);

const FUNDING = new RegExp(cue("funding"), "u");

/**
 * Reads rounds of funding: a record of another round contradicts. Rounds after a negation are
 * excluded: "except Series A".
 */
export function readRounds(draft: Draft): void {
  const { text } = draft;
  const isBacked = /(?:venture|vc)[\s-]+backed/.test(text.rest);
  const rounds = new Set<string>();
  const spans: Span[] = [];
  const take = (span: Span, names: readonly string[], isMeant = true) => {
    const negated = negationStart(text, span);
    if (negated !== undefined) {
      const way = factWay("round", names.flatMap(termsOfRound));
      const excluded = { start: negated, end: span.end };
      draft.exclude({ on: "words", text: way.text, ways: [way] }, excluded);
    } else if (isMeant) {
      text.take(span);
      spans.push(span);
      for (const name of names) rounds.add(name);
    }
  };
  for (const passage of text.find(SERIES_LIST)) {
    take(passage, roundsOfList(...passage.groups as [string, string]));
  }
  for (const [round, pattern] of ROUND_PATTERNS) {
    for (const passage of text.find(pattern)) take(passage, [round]);
  }
  const isFunding = rounds.size === 0 && (FUNDING.test(text.rest) || hasAmount(draft));
  for (const [round, pattern] of FUNDING_ROUND_PATTERNS) {
    for (const passage of text.find(pattern)) take(passage, [round], isFunding);
  }
  // "Venture-backed" companies with a series B are those with a series B.
  if (isBacked && rounds.size > 1) rounds.delete("venture");
  if (rounds.size === 0) return;
  const terms = [...new Set([...rounds].flatMap(termsOfRound))];
  draft.addWay(factWay("round", terms), ...spans);
  draft.addWay(kindWay(["funding_round"]), ...spans);
  draft.addCondition({ on: "round", keys: terms.map(keyOf), text: terms.join(" ") }, ...spans);
}

function hasAmount({ conditions }: Draft): boolean {
  return conditions.some(({ on }) => on === "amount");
}

/** Patterns of words for changes of officers, and of those that only state such a change. */
const CHANGE = new RegExp(cue("change"), "u");
const CHANGE_NOISE = new RegExp(cue("change_noise"), "gu");

/**
 * Reads roles of officers. They are a condition only if the query is about a change of officers:
 * otherwise "Directeur financier" may be a job, whose record states no role.
 */
export function readRoles(draft: Draft): void {
  const { text } = draft;
  const isChange = CHANGE.test(text.rest);
  const spans = rolesIn(text.rest).filter(({ role }) => isChange || !ROLES_OF_CHANGES.has(role));
  for (const span of spans) draft.addWay(factWay("role", [`role:${span.role}`]), span);
  if (spans.length === 0 || !isChange) return;
  const terms = [...new Set(spans.map(({ role }) => `role:${role}`))];
  draft.addCondition({ on: "role", keys: terms.map(keyOf), text: terms.join(" ") }, ...spans);
  draft.addWay(kindWay(["leadership_change"]), ...text.find(CHANGE_NOISE));
}

/** Returns the way of records of one of the kinds. */
function kindWay(kinds: readonly Kind[], similarity = 1) {
  return factWay("kind", kinds.map((kind) => `kind:${kind}`), similarity);
}

/** Pattern of verbs that mean raising money if the query contains an amount. */
const RAISED = new RegExp(cue("raised"), "gu");
/** Pattern of such verbs even without an amount: "startups funded", "raised in Texas". */
const RAISED_BY = new RegExp(
  "(?<=(?:who|that|which|companies|startups|firms|recently|have|has|ont|a) (?:recently )?)" +
    cue("raised_by") +
    // Readers before have taken the place or time.
    "|(?<=^\\s*)raised(?=(?: (?:in|during|before|after))?\\s{2})",
  "gu",
);

/** Pattern of a kind as the interface writes it: "job_posting", "job postings". */
const WRITTEN_KIND = new RegExp(
  `(?<![\\p{L}\\p{N}])(${KINDS.join("|")})s?(?![\\p{L}\\p{N}])`,
  "gu",
);

/** Reads kinds of observations. Words that a pattern captures are the subject of the kind. */
export function readKinds(draft: Draft): void {
  const { text } = draft;
  for (const passage of text.find(WRITTEN_KIND)) {
    draft.addWay(kindWay([passage.groups[0] as Kind]), passage);
  }
  for (const { kinds, pattern } of KIND_PATTERNS) {
    for (const passage of text.find(pattern)) {
      for (const unit of unitsBeside(draft, passage)) {
        const isPlace = kinds.includes("facility_expansion") && PLACE_NOUN.test(unit.folded);
        unit.ways.push(kindWay(kinds, isPlace ? PARTLY : 1));
      }
    }
  }
  const raised = text.find(hasAmount(draft) ? RAISED : RAISED_BY);
  draft.addWay(kindWay(["funding_round"]), ...raised);
  const closes = draft.conditions.findIndex(({ on }) => on === "closes");
  // Without a subject, only tenders close.
  if (draft.units.every(({ is_filler, condition }) => is_filler || condition !== undefined)) {
    const units = draft.units.filter(({ condition }) => condition === closes);
    draft.addWay(kindWay(["procurement_request"]), ...units);
  }
}

/** Returns the units of a passage that are not in its groups. */
function unitsBeside(draft: Draft, passage: Passage): DraftUnit[] {
  const groups: Span[] = [];
  let from = passage.start;
  for (const group of passage.groups) {
    if (!group) continue;
    const start = draft.text.rest.indexOf(group, from);
    if (start < 0) continue;
    groups.push({ start, end: start + group.length });
    from = start + group.length;
  }
  const captured = new Set(draft.unitsIn(...groups));
  return draft.unitsIn(passage).filter((unit) => !captured.has(unit));
}

/** Reads sectors that a word names as a whole: "construction companies", "retailers". */
export function readSectors(draft: Draft): void {
  for (const { sector, pattern } of SECTOR_PATTERNS) {
    for (const { start, end } of draft.text.find(pattern)) {
      const units = draft.unitsIn({ start, end });
      // A word alone asks for the whole sector, and so do its companies.
      const isWhole = units.length === draft.units.length ||
        namesCompanies(draft.text.cased, { start, end });
      const way = factWay("sector", [`sector:${sector}`], isWhole ? 1 : PARTLY);
      draft.addWay(way, { start, end });
      draft.mark("is_filler", { start: end, end: endWithNoun(draft.text.cased, end) });
    }
  }
}

/** Pattern of the end of a text after which a word is used: "companies that use". */
const USE_BEFORE =
  /(?:^|[^\p{L}])(?:us(?:e|es|ing|ers of)|adopt(?:s|ed|ing)?|runs?(?: on)?|deployed|implemented|stack|utilis(?:e|ent|ant|ation d[eu]s?)|(?:work|build)(?:s|ing)? (?:with|on|in)|written in|powered by|cod(?:e|es|ing) in|programm?(?:e|ent|ing)? (?:en|in)|(?:travaille|developpe)(?:nt)? (?:avec|en)|se ser(?:t|vent) de)\s+$/u;
/** Pattern of the start of a text before which a word is used: "Ruby shops". */
const USE_AFTER = /^\s+(?:shops?|teams?|houses?|stacks?|codebases?|users?)(?![\p{L}])/u;

/** Reads technologies that the index contains. An ambiguous name counts only with words for use. */
export function readTechnologies(draft: Draft): void {
  for (const run of unitRuns(draft, TECHNOLOGY_WORDS_MAX)) {
    const [first, last] = [run[0]!, run.at(-1)!];
    const written = draft.query.slice(first.start, last.end);
    const asked = askedTechnologyKeys(written);
    const keys = asked.filter((key) => key !== "" && draft.frequency(`technology:${key}`) > 0);
    if (keys.length === 0) continue;
    const users = USE_AFTER.exec(draft.text.rest.slice(last.end))?.[0].length ?? 0;
    const isUsed = users > 0 || USE_BEFORE.test(draft.text.rest.slice(0, first.start));
    if (!isUsed && !isTechnology(asked[0]!)) continue;
    draft.mark("is_filler", { start: last.end, end: last.end + users });
    const way = factWay("technology", keys.map((key) => `technology:${key}`));
    for (const unit of run) unit.ways.push(way);
  }
}

/** Reads industries that the index contains. */
export function readIndustries(draft: Draft): void {
  for (const run of unitRuns(draft, INDUSTRY_WORDS_MAX)) {
    const written = draft.query.slice(run[0]!.start, run.at(-1)!.end);
    const terms = industryKeys(industryKey(written)).map((key) => `industry:${key}`)
      .filter((term) => draft.frequency(term) > 0);
    if (terms.length === 0) continue;
    for (const unit of run) unit.ways.push(factWay("sector", terms));
  }
}

/** Yields the runs of neighbouring units without a condition, of at most a number of units. */
function* unitRuns({ units }: Draft, max: number): Iterable<DraftUnit[]> {
  for (let from = 0; from < units.length; from++) {
    for (let to = from + 1; to <= Math.min(units.length, from + max); to++) {
      if (units[to - 1]!.condition !== undefined) break;
      yield units.slice(from, to);
    }
  }
}

/** Patterns of words for companies, by their place: right after or before a trade, or instead of it. */
const noun = readPhrases(nouns);

/** Pattern of English nouns for companies, right after a trade. */
const NOUN_AFTER = new RegExp("^[\\s'-]*" + noun("noun_after"), "u");

/** Pattern of French nouns for companies, and of "sector of", right before a trade. */
const NOUN_BEFORE = new RegExp(
  noun("noun_before") +
    "(?: (?:publi(?:cs?|ques?)|prive(?:e|es|s)?|americaine?s?|canadienne?s?|canadiens|quebecoise?s?|actives?|specialisee?s?))*" +
    "(?:[\\s']+(?:d[eu]s?|d|la|le|les|l|en|dans|of|the|secteur|domaine))*[\\s']*$",
  "u",
);

/** Pattern of words for companies that also name their trade: "manufacturers". */
const AGENTS = new RegExp(noun("agent"), "u");

/** Returns the end of a trade, including a noun for companies right after it. */
function endWithNoun(query: string, end: number): number {
  return end + (NOUN_AFTER.exec(fold(query.slice(end)))?.[0].length ?? 0);
}

/** Returns whether a span for a trade means companies of that trade. */
function namesCompanies(query: string, { start, end }: Span): boolean {
  const text = fold(query);
  return AGENTS.test(text.slice(start, end)) || NOUN_AFTER.test(text.slice(end)) ||
    NOUN_BEFORE.test(text.slice(0, start));
}
