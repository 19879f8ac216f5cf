/** The structure of a regular expression, as far as it is needed to tell what its matches begin with. */

export type PatternNode =
  /** Matches between characters: an assertion. */
  | { kind: "nothing" }
  /** One of some code units; null: perhaps any character. */
  | { kind: "character"; units: readonly number[] | null }
  | { kind: "sequence"; parts: readonly PatternNode[] }
  | { kind: "either"; options: readonly PatternNode[] }
  | { kind: "repeated"; node: PatternNode; min: number };

const NOTHING: PatternNode = { kind: "nothing" };

const ANY: PatternNode = { kind: "character", units: null };

/** Code units that `\s` stands for are alike to whoever compares letters and digits. */
const SPACE = 32;

const DIGITS = Array.from("0123456789", (digit) => digit.charCodeAt(0));

/**
 * Reads the source of a regular expression with the flag u. Returns null for syntax that is not
 * known. Every match of the expression is a match of the nodes, which may match more.
 */
export function readPattern(source: string): PatternNode | null {
  return new PatternReader(source).read();
}

class PatternReader {
  readonly #source: string;
  #at = 0;
  #isKnown = true;

  constructor(source: string) {
    this.#source = source;
  }

  read(): PatternNode | null {
    const pattern = this.#readOptions();
    return this.#isKnown && this.#at === this.#source.length ? pattern : null;
  }

  #readOptions(): PatternNode {
    const options = [this.#readSequence()];
    while (this.#take("|")) options.push(this.#readSequence());
    return options.length === 1 ? options[0]! : { kind: "either", options };
  }

  #readSequence(): PatternNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!)) {
      parts.push(this.#readRepeated());
    }
    return { kind: "sequence", parts };
  }

  #readRepeated(): PatternNode {
    const node = this.#readAtom();
    const quantifier = this.#match(/(?:[?*+]|\{(\d+)(?:,\d*)?\})\??/y);
    if (quantifier === null) return node;
    const min = quantifier[1] ?? (quantifier[0].startsWith("+") ? 1 : 0);
    return { kind: "repeated", node, min: Number(min) };
  }

  #readAtom(): PatternNode {
    if (this.#take("(")) return this.#readGroup();
    if (this.#take("[")) return this.#readClass();
    if (this.#take("\\")) return this.#readEscape();
    if (this.#take(".")) return ANY;
    if (this.#take("^") || this.#take("$")) return NOTHING;
    return { kind: "character", units: [this.#source.charCodeAt(this.#at++)] };
  }

  #readGroup(): PatternNode {
    const isAssertion = this.#match(/\?<?[=!]/y) !== null;
    // Named groups and flags of a group do not occur.
    if (!isAssertion && !this.#take("?:") && this.#source[this.#at] === "?") this.#isKnown = false;
    const inside = this.#readOptions();
    if (!this.#take(")")) this.#isKnown = false;
    return isAssertion ? NOTHING : inside;
  }

  /** Reads a class of single characters; ranges and other classes inside it stand for any. */
  #readClass(): PatternNode {
    const text = this.#match(/((?:[^\]\\]|\\.)*)\]/y)?.[1];
    if (text === undefined) {
      this.#isKnown = false;
      return ANY;
    }
    const characters = text.replaceAll("\\s", " ");
    if (/^\^|\\|[^]-[^]/.test(characters)) return ANY;
    return { kind: "character", units: Array.from(characters, (one) => one.charCodeAt(0)) };
  }

  #readEscape(): PatternNode {
    const escaped = this.#source[this.#at++] ?? "";
    if (escaped === "d") return { kind: "character", units: DIGITS };
    if (escaped === "s") return { kind: "character", units: [SPACE] };
    if (escaped === "b" || escaped === "B") return NOTHING;
    if (/[^\p{L}\p{N}]/u.test(escaped)) {
      return { kind: "character", units: [escaped.charCodeAt(0)] };
    }
    const isProperty = /[pP]/.test(escaped) && this.#match(/\{\w+\}/y) !== null;
    if (!isProperty && !/[DSwW]/.test(escaped)) this.#isKnown = false;
    return ANY;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#source);
    this.#at += match?.[0].length ?? 0;
    return match;
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }
}
