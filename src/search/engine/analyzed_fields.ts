/** Analyzes the texts of one document: splits them into words, and detects the language of each. */
import type { Field } from "./scoring.ts";
import { type Analysis, ANALYZER, languageOf } from "./text.ts";
import { type Language, LANGUAGES } from "./words.ts";

/** A text of a field: its words, and the place of its language in LANGUAGES. */
interface AnalyzedText {
  analysis: Analysis;
  space: number;
}

/**
 * Analyzes one document after the other. Results are valid until the next call of `ANALYZER.begin`.
 */
export class AnalyzedFields {
  readonly #fields: readonly Field[];
  /** Texts of the current document, field by field. */
  readonly #analyses: Analysis[][];
  #leading: Language = "english";

  constructor(fields: readonly Field[]) {
    this.#fields = fields;
    this.#analyses = fields.map(() => []);
  }

  /** Analyzes the texts of the next document. */
  read(texts: readonly (string | readonly string[])[]): void {
    ANALYZER.begin();
    for (let field = 0; field < texts.length; field++) {
      const analyses = this.#analyses[field]!;
      analyses.length = 0;
      const text = texts[field]!;
      if (typeof text === "string") analyses.push(ANALYZER.add(text));
      else for (const part of text) analyses.push(ANALYZER.add(part));
    }
    this.#leading = this.#leadingLanguage();
  }

  /** Returns the texts of a field. */
  textsOf(field: number): AnalyzedText[] {
    return this.#analyses[field]!.map((analysis) => ({
      analysis,
      space: LANGUAGES.indexOf(languageOf(analysis, this.#leading)),
    }));
  }

  /**
   * Returns the language of texts whose own cues do not decide. It is detected from all leading
   * fields together (see Field), or from all fields if none leads.
   */
  #leadingLanguage(): Language {
    const sums = { english: 0, french: 0 };
    const leads = this.#fields.some((field) => field.leads);
    for (let field = 0; field < this.#fields.length; field++) {
      if (leads && !this.#fields[field]!.leads) continue;
      for (const { english, french } of this.#analyses[field]!) {
        sums.english += english;
        sums.french += french;
      }
    }
    return languageOf(sums, "english");
  }
}
