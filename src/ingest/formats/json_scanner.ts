/** Splits the bytes of a JSON document by its brackets and quotes, without parsing it. */
import { UnreadableSource } from "../record/entry.ts";
import { HeldLine, type TextLine } from "./lines.ts";

const LINE_FEED = 0x0a;
/** ASCII codes of the characters with a meaning in JSON. */
export const QUOTE = 0x22;
export const COMMA = 0x2c;
const COLON = 0x3a;
export const OPEN_ARRAY = 0x5b;
export const BACKSLASH = 0x5c;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Returns whether JSON allows the byte between its values. */
export function isWhiteSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d && byte !== 0x0b && byte !== 0x0c);
}

/** Recognizes which bytes of a document belong to strings. */
class Strings {
  #open = false;
  #escaped = false;

  /** True within a string. */
  get isOpen(): boolean {
    return this.#open;
  }

  /** Reads a byte. Returns whether it belongs to a string, quotes included. */
  take(byte: number): boolean {
    if (!this.#open) {
      this.#open = byte === QUOTE;
      return this.#open;
    }
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) this.#open = false;
    return true;
  }
}

/**
 * Finds the bracket that opens the array. With an empty path, the array is the whole document.
 * Otherwise the path names the members that lead from the top-level object to the array.
 */
export class ArrayFinder {
  found = false;
  /** Number of the current line, from 1. */
  line = 1;
  /** Number of bytes of the byte order mark that were read. */
  #mark = 0;
  #depth = 0;
  /** Number of members of the path whose values have been opened. */
  #entered = 0;
  #strings = new Strings();
  /**
   * Strings of the current member of the object at the end of the entered path, with their quotes:
   * its name, then any string value. They are cut when they are longer than the wanted name.
   */
  #name = "";
  /** The byte that must be the next one that is not white space; undefined for any byte. */
  #next: number | undefined;

  constructor(readonly path: readonly string[]) {
    this.#next = path.length === 0 ? OPEN_ARRAY : undefined;
  }

  /** Description of the array in messages: `an array "jobs"`. */
  get sought(): string {
    return this.path.length === 0 ? "an array" : `an array "${this.path.join(".")}"`;
  }

  /**
   * Searches a chunk. Returns the index after the bracket, or the chunk's length if it has no such
   * bracket.
   * @throws UnreadableSource if the array can no longer follow
   */
  find(chunk: Uint8Array): number {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === LINE_FEED) this.line++;
      if (isWhiteSpace(byte) && !this.#strings.isOpen) continue;
      if (this.#depth === 0 && byte === BYTE_ORDER_MARK[this.#mark]) {
        this.#mark++;
        continue;
      }
      if (this.#next !== undefined) {
        if (byte !== this.#next) throw this.#fault();
        if (byte === OPEN_ARRAY) {
          this.found = true;
          return at + 1;
        }
        this.#entered++;
        this.#next = undefined;
        this.#name = "";
      }
      this.#take(byte);
    }
    return chunk.length;
  }

  #take(byte: number) {
    if (this.#depth === 0 && byte !== OPEN_OBJECT) throw this.#fault();
    if (this.#strings.take(byte)) return this.#spell(byte);
    if (byte === COLON) this.#next = this.#opener();
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
    else if (byte === COMMA) this.#name = "";
    if (this.#depth === this.#entered) throw this.#fault();
  }

  /** Returns the byte that opens the value of the current member, if the member is on the path. */
  #opener(): number | undefined {
    const isOnPath = this.#depth === this.#entered + 1 && this.#name === `"${this.#wanted}"`;
    if (!isOnPath) return undefined;
    return this.#entered === this.path.length - 1 ? OPEN_ARRAY : OPEN_OBJECT;
  }

  get #wanted(): string {
    return this.path[this.#entered]!;
  }

  #spell(byte: number) {
    if (this.#depth > this.#entered + 1 || this.#name.length > this.#wanted.length + 2) return;
    this.#name += String.fromCharCode(byte);
  }

  #fault() {
    return new UnreadableSource(`the document is not a JSON document with ${this.sought}`);
  }
}

/**
 * Reads the rest of the top-level object after the array. A document without the end of this object
 * is incomplete.
 */
export class ObjectRest {
  /** True if the object has ended. */
  closed = false;
  #depth: number;
  /** Number of objects around the array that are still open. */
  #open: number;
  #strings = new Strings();
  /** Name of the current member with its quotes, as in ArrayFinder. */
  #name = "";

  constructor(readonly path: readonly string[]) {
    this.#depth = path.length;
    this.#open = path.length;
  }

  /**
   * Reads a chunk.
   * @throws UnreadableSource if there is a second array or document, which would not be read
   */
  take(chunk: Uint8Array) {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.closed) {
        if (isWhiteSpace(byte)) continue;
        throw new UnreadableSource("the document goes on after its object");
      }
      const name = this.path[this.#open - 1]!;
      if (this.#strings.take(byte)) {
        const isKept = this.#depth === this.#open && this.#name.length <= name.length + 2;
        if (isKept) this.#name += String.fromCharCode(byte);
        continue;
      }
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
      else if (byte === COMMA) this.#name = "";
      else if (byte === COLON && this.#depth === this.#open && this.#name === `"${name}"`) {
        throw new UnreadableSource(`the document has more than one member "${name}"`);
      }
      if (this.#depth < this.#open) {
        this.#open = this.#depth;
        this.#name = "";
      }
      this.closed = this.#depth === 0;
    }
  }
}

/** Splits an array into its elements, starting after the opening bracket. */
export class Elements {
  /** True if the closing bracket has been read. */
  closed = false;
  #line: number;
  #depth = 0;
  #strings = new Strings();
  #held: HeldLine;
  /** The line on which the current element starts; 0 between elements. */
  #number = 0;
  #isFirst = true;

  constructor(line: number, readonly longest: number) {
    this.#line = line;
    this.#held = new HeldLine(longest);
  }

  /**
   * Yields the elements that end in the chunk. Returns the index after the array, or the chunk's
   * length if the array continues.
   */
  *split(chunk: Uint8Array, start: number): Generator<TextLine, number> {
    let from = start;
    let at = start;
    for (; at < chunk.length && !this.closed; at++) {
      const byte = chunk[at]!;
      if (byte === LINE_FEED) this.#line++;
      if (isWhiteSpace(byte)) continue;
      if (this.#ends(byte)) {
        const isElement = this.#number > 0 || byte === COMMA || !this.#isFirst;
        if (this.#number > 0) this.#held.add(chunk.subarray(from, at));
        if (isElement) yield this.#element();
        this.closed = byte === CLOSE_ARRAY;
      } else if (this.#number === 0) {
        this.#number = this.#line;
        from = at;
      }
    }
    if (this.#number > 0) this.#held.add(chunk.subarray(from));
    this.#held.detach();
    return at;
  }

  /** Reads a byte. Returns whether it ends an element. */
  #ends(byte: number): boolean {
    if (this.#strings.take(byte)) return false;
    if (this.#depth === 0) {
      if (byte === COMMA || byte === CLOSE_ARRAY) return true;
      // An unmatched closing brace is an error within the element and does not end it.
      if (byte === CLOSE_OBJECT) return false;
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#depth--;
    return false;
  }

  #element(): TextLine {
    const line = this.#held.line(this.#number || this.#line);
    this.#held = new HeldLine(this.longest);
    this.#number = 0;
    this.#isFirst = false;
    return { ...line, text: line.text.trimEnd() };
  }
}
