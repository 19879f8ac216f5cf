/** Chooses, from the texts of a source, the excerpts that are shown as evidence. */
import { RECORD_LIMITS } from "../../contract/record.ts";
import { MASK } from "../masking/contacts.ts";
import { passageOf } from "./passage.ts";

/** Min number of letters and digits of an informative text. */
const INFORMATIVE_CHARACTERS = 20;

/** A chosen excerpt, and the index of the evidence that provides its address and times. */
interface ChosenExcerpt {
  index: number;
  excerpt: string;
}

/** Returns whether a text is informative. "See Part 3", a heading, or masked names are not. */
export function isInformative(text: string): boolean {
  return letterCount(text) >= INFORMATIVE_CHARACTERS;
}

/**
 * Cuts each excerpt to the passage that supports the fact. An excerpt is dropped if it contains a
 * mask and is not informative. If all are dropped, an informative passage of a text replaces them.
 * If there is none, the excerpts with at least one letter are kept.
 */
export function chooseExcerpts(
  excerpts: readonly string[],
  { texts, fact }: { texts: readonly string[]; fact: string },
): ChosenExcerpt[] {
  const passage = (text: string) => passageOf(text, fact, RECORD_LIMITS.excerpt_characters);
  const chosen = excerpts.map((text, index) => ({ index, excerpt: passage(text) }));
  const supporting = chosen.filter(({ excerpt }) =>
    !excerpt.includes(MASK) || isInformative(excerpt)
  );
  if (supporting.length > 0) return supporting;
  const instead = texts.map(passage).find(isInformative);
  if (instead !== undefined) return [{ index: 0, excerpt: instead }];
  return chosen.filter(({ excerpt }) => letterCount(excerpt) > 0);
}

/** Returns the number of letters and digits that are not masked. */
function letterCount(text: string): number {
  return text.replaceAll(MASK, "").replace(/[^\p{L}\p{N}]/gu, "").length;
}
