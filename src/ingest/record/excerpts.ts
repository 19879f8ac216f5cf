/** The excerpts that evidence shows, chosen from what a source says. */
import { RECORD_LIMITS } from "../../contract/record.ts";
import { MASK } from "../masking/contacts.ts";
import { passageOf } from "./passage.ts";

/** Number of letters and digits from which a short or masked text says something by itself. */
const TELLING_CHARACTERS = 20;

/** The excerpt of one piece of evidence. `index` is that of the excerpt that it was chosen from. */
interface ChosenExcerpt {
  index: number;
  excerpt: string;
}

/** Returns whether a text says more than "See Part 3", a heading, or masked names. */
export function isTelling(text: string): boolean {
  return lettersOf(text) >= TELLING_CHARACTERS;
}

/**
 * Cuts each excerpt to the passage that supports the fact. An excerpt that says little besides
 * masked words is dropped. If all are dropped, the passage of a text replaces them. If no text says
 * more either, the excerpts with any letter at all are kept.
 */
export function chooseExcerpts(
  excerpts: readonly string[],
  { texts, fact }: { texts: readonly string[]; fact: string },
): ChosenExcerpt[] {
  const passage = (text: string) => passageOf(text, fact, RECORD_LIMITS.excerpt_characters);
  const chosen = excerpts.map((text, index) => ({ index, excerpt: passage(text) }));
  const supporting = chosen.filter(({ excerpt }) => !excerpt.includes(MASK) || isTelling(excerpt));
  if (supporting.length > 0) return supporting;
  const instead = texts.map(passage).find(isTelling);
  if (instead !== undefined) return [{ index: 0, excerpt: instead }];
  return chosen.filter(({ excerpt }) => lettersOf(excerpt) > 0);
}

/** Counts the letters and digits that are not masked. */
function lettersOf(text: string): number {
  return text.replaceAll(MASK, "").replace(/[^\p{L}\p{N}]/gu, "").length;
}
