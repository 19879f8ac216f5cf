/**
 * Questions of sales and procurement teams about the demo dataset, in English and French. The
 * criteria of a good answer refer to the facts from which the dataset is generated. The questions
 * were written before any rule that reads queries was tried on them. Every third one is held out:
 * no rule is made for it.
 */
import type { Wanted } from "./demo_judge.ts";
import { ENGLISH } from "./demo_questions_en.ts";
import { FRENCH } from "./demo_questions_fr.ts";

/** Moment to which times in questions are relative. */
export const DEMO_MOMENT = new Date("2026-06-15T12:00:00Z");

/** A question with the criteria of a good answer. */
export interface DemoQuestion {
  text: string;
  language: "en" | "fr";
  wanted: Wanted;
}

/** Returns whether a question is held out. @param place index in DEMO_QUESTIONS */
export function isHeldOut(place: number): boolean {
  return place % 3 === 2;
}

/** Questions in English, then in French. */
export const DEMO_QUESTIONS: readonly DemoQuestion[] = [
  ...ENGLISH.map(([text, wanted]): DemoQuestion => ({ text, language: "en", wanted })),
  ...FRENCH.map(([text, wanted]): DemoQuestion => ({ text, language: "fr", wanted })),
];
