/** Phrases around what readers read, such as words right before a time: see cues.tsv. */
import { readPhrases } from "../facets/patterns.ts";
import table from "./cues.tsv" with { type: "text" };

/** Returns the pattern of the phrases with a name. */
export const cue = readPhrases(table);
