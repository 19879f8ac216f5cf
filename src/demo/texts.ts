/**
 * Writes the texts of observations from the templates of texts.tsv. Each line has a language, a
 * kind, a fact, the reason why it may matter, and an excerpt. A line without a fact is the excerpt
 * of a second page. "{city}" stands for a value, and "{an facility}" for a value with its article.
 */
import type { Kind } from "../contract/vocabulary.ts";
import table from "./texts.tsv" with { type: "text" };

/** A language of the demo. */
export type DemoLanguage = "en" | "fr";

/** The subject of one invented observation, in the language of the company. */
export interface Scene {
  company: string;
  /** True for a public body, which has no founder and no investors. */
  is_public: boolean;
  city: string;
  region: string;
  product: string;
  second_product: string;
  need: string;
  facility: string;
  technology: string;
  role: string;
  /** Another company of the sector. */
  partner: string;
  investor: string;
  lender: string;
  /** Amount in millions of dollars. */
  millions: number;
  /** Number of people, such as employees or customers. */
  count: number;
  square_feet: number;
  /** Duration in months or weeks. The templates state which. */
  months: number;
  /** Years since the company was founded, for which its founder has worked. */
  years: number;
}

/** The texts of an observation, or templates for them. */
interface ObservationText {
  fact: string;
  why: string;
  excerpt: string;
}

const ROWS = table.split("\n").map((line) => line.split("\t"));

/**
 * Returns the templates of a kind. Several templates for the first page make the observations
 * differ.
 */
export function templatesOf(
  language: DemoLanguage,
  kind: Kind,
): { first: ObservationText[]; second: string } {
  const templates = ROWS.filter((row) => row[0] === language && row[1] === kind)
    .map(([, , fact = "", why = "", excerpt = ""]) => ({ fact, why, excerpt }));
  return {
    first: templates.filter(({ fact }) => fact !== ""),
    second: templates.find(({ fact }) => fact === "")!.excerpt,
  };
}

/** Returns a template with the values of a scene. */
export function written(template: string, scene: Scene, language: DemoLanguage): string {
  const [founder, administrator] = language === "fr"
    ? ["fondateur", "directeur général"]
    : ["founder", "chief administrator"];
  const values: Record<string, unknown> = {
    ...scene,
    head: scene.is_public ? administrator : founder,
    openings: 2 + scene.count % 11,
    square_feet: scene.square_feet.toLocaleString("en-CA"),
  };
  return template.replace(/\{(an |de )?(\w+)\}/g, (_, article: string | undefined, name) => {
    const value = String(values[name]);
    return article === undefined ? value : article === "an " ? an(value) : de(value);
  });
}

function an(noun: string): string {
  return /^(?:[aeio]|u(?!s|ni))/i.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** Returns "de" and a name. "de" is elided before a vowel or a mute h ("haut" has no mute h). */
export function de(name: string): string {
  return /^(?!haut)[aeiouyhàâäéèêëîïôöùûü]/i.test(name) ? `d'${name}` : `de ${name}`;
}
