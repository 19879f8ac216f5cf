/**
 * Questions of sales and procurement teams about the demo dataset, in English and French, each with
 * the expected answer in terms that the generator knows. The questions were written before the
 * rules of the planner were tried on any of them. Every third one is held out: no rule is made for
 * it.
 */
import type { Wanted } from "./demo_judge.ts";
import { ENGLISH } from "./demo_questions_en.ts";
import { FRENCH } from "./demo_questions_fr.ts";

/** The day of the demo dataset that times in questions are relative to. */
export const DEMO_MOMENT = new Date("2026-06-15T12:00:00Z");

export interface DemoQuestion {
  text: string;
  language: "en" | "fr";
  wanted: Wanted;
}

/** Returns whether rules must not be made for a question. */
export function isHeldOut(place: number): boolean {
  return place % 3 === 2;
}

export const DEMO_QUESTIONS: readonly DemoQuestion[] = [
  ...ENGLISH.map(([text, wanted]): DemoQuestion => ({ text, language: "en", wanted })),
  ...FRENCH.map(([text, wanted]): DemoQuestion => ({ text, language: "fr", wanted })),
];
