/** The text of an observation that is embedded. */
import { createHash } from "node:crypto";
import type { ObservationDocument } from "../index/document.ts";

/** Models read a few hundred words; what matters most comes first. */
const CHARACTERS_MAX = 2_000;

/** Labels are left out: they are the same in many, and would bring those together. */
export function embeddedText({ text }: ObservationDocument): string {
  const { company, observed_fact, why_it_may_matter, texts } = text;
  const all = [company, observed_fact, why_it_may_matter, ...texts].join("\n");
  return all.slice(0, CHARACTERS_MAX).toWellFormed();
}

/** Tells texts from each other; in hexadecimal. */
export function contentKey(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
