/** Splits the bytes of a JSON document by its brackets and quotes, without parsing it. */
import { UnreadableSource } from "../record/entry.ts";
import { GrowingBytes, HeldLine, type TextLine } from "./lines.ts";

const LINE_FEED = 0x0a;
/** ASCII codes of the characters with a meaning in JSON. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** Bytes of a byte order mark in UTF-8. */
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** Returns whether JSON allows the byte between its values. */
function isWhiteSpace(byte: number): boolean {
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
 * Reads the objects around an array: first until the bracket that opens the array, then from the
 * bracket that closes it. With an empty path, the array is the whole document. Otherwise the path
 * names the members that lead from the top-level object to the array.
 */
export class Surroundings {
  /** True if the bracket that opens the array has been read. */
  found = false;
  /** Number of the current line until then, from 1. */
  line = 1;
  readonly #path: readonly string[];
  /** Names of the path in UTF-8 with their quotes, one character per byte. */
  readonly #names: readonly string[];
  #depth = 0;
  /** Number of open objects that lead to the array. */
  #open = 0;
  #strings = new Strings();
  /**
   * Strings of the current member of the innermost of these objects, with their quotes: its name,
   * then any string value. They are cut when they are longer than the wanted name.
   */
  #name = "";
  /** The byte that must be the next one that is not white space; undefined for any byte. */
  #next: number | undefined;
  #isRestSeen = false;

  constructor(path: readonly string[]) {
    this.#path = path;
    this.#names = path.map((name) => new TextEncoder().encode(`"${name}"`))
      .map((bytes) => String.fromCharCode(...bytes));
    this.#next = path.length === 0 ? OPEN_ARRAY : OPEN_OBJECT;
  }

  /** Description of the array in messages: `an array "jobs"`. */
  get sought(): string {
    return this.#path.length === 0 ? "an array" : `an array "${this.#path.join(".")}"`;
  }

  /** True if the array and all objects around it have ended. */
  get closed(): boolean {
    return this.found && this.#depth === 0;
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
      if (this.#depth === 0 && BYTE_ORDER_MARK.includes(byte)) continue;
      if (this.#next === undefined) this.#take(byte);
      else if (byte !== this.#next) throw this.#fault();
      else if (byte === OPEN_ARRAY) {
        this.found = true;
        return at + 1;
      } else {
        this.#open = ++this.#depth;
        this.#name = "";
        this.#next = undefined;
      }
    }
    return chunk.length;
  }

  /**
   * Reads what follows the array.
   * @throws UnreadableSource if there is a second array or document, which would not be read
   */
  takeRest(chunk: Uint8Array) {
    for (const byte of chunk) {
      if (isWhiteSpace(byte) && !this.#strings.isOpen) continue;
      // Unbalanced brackets can end the array too early.
      const isExpected = this.#isRestSeen || byte === COMMA || byte === CLOSE_OBJECT;
      if (this.#path.length === 0 || !isExpected) {
        throw new UnreadableSource(
          "the document goes on where its array ends: brackets do not match",
        );
      }
      this.#isRestSeen = true;
      if (this.closed) throw new UnreadableSource("the document goes on after its object");
      this.#take(byte);
    }
  }

  #take(byte: number) {
    const name = this.#names[this.#open - 1]!;
    const isMember = this.#depth === this.#open;
    if (this.#strings.take(byte)) {
      const isKept = isMember && this.#name.length <= name.length;
      if (isKept) this.#name += String.fromCharCode(byte);
    } else if (byte === COLON && isMember && this.#name === name) this.#enter();
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#leave();
    else if (byte === COMMA) this.#name = "";
  }

  /** Expects the value of the member of the path. */
  #enter() {
    if (this.found) {
      const name = this.#path[this.#open - 1];
      throw new UnreadableSource(`the document has more than one member "${name}"`);
    }
    this.#next = this.#open === this.#path.length ? OPEN_ARRAY : OPEN_OBJECT;
  }

  #leave() {
    if (--this.#depth >= this.#open) return;
    if (!this.found) throw this.#fault();
    this.#open = this.#depth;
    this.#name = "";
  }

  #fault() {
    return new UnreadableSource(`the document is not a JSON document with ${this.sought}`);
  }
}

/** Splits an array into its elements, starting after the opening bracket. */
export class Elements {
  /** True if the closing bracket has been read. */
  closed = false;
  /** Index after the part of the last chunk that belongs to the array. */
  end = 0;
  #line: number;
  #depth = 0;
  #strings = new Strings();
  readonly #held: HeldLine;
  /** The line on which the current element starts; 0 between elements. */
  #number = 0;
  #isFirst = true;

  constructor(line: number, longest: number) {
    this.#line = line;
    this.#held = new HeldLine(longest);
  }

  /** Yields the elements that end in the chunk. */
  *split(chunk: Uint8Array, start: number): Generator<TextLine> {
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
    this.end = at;
  }

  /** Reads a byte. Returns whether it ends an element. */
  #ends(byte: number): boolean {
    if (this.#strings.take(byte)) return false;
    if (this.#depth === 0 && (byte === COMMA || byte === CLOSE_ARRAY)) return true;
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#depth++;
    // An unmatched closing brace is an error within the element and does not end it.
    else if (this.#depth > 0 && (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY)) this.#depth--;
    return false;
  }

  #element(): TextLine {
    const line = this.#held.take(this.#number || this.#line);
    this.#number = 0;
    this.#isFirst = false;
    return { ...line, text: line.text.trimEnd() };
  }
}

/**
 * Max bytes that OutsideArrays keeps. Parsing them takes a few milliseconds, so that a hostile
 * document does not block the event loop.
 */
const KEPT_BYTES = 1_048_576;

/** The members of a document without the elements of its arrays, while a reader reads it. */
export class OutsideArrays {
  readonly #kept = new GrowingBytes();
  readonly #strings = new Strings();
  /** Number of open arrays. */
  #depth = 0;

  /** Yields the chunks of a document in an encoding that extends ASCII, and keeps their part. */
  async *watch(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of stream) {
      this.#read(chunk);
      yield chunk;
    }
  }

  /** The bytes that were kept so far: a document whose arrays are empty. */
  get bytes(): Uint8Array {
    return this.#kept.bytes;
  }

  #read(chunk: Uint8Array): void {
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#strings.take(byte)) continue;
      if (byte === OPEN_ARRAY && this.#depth++ === 0) this.#keep(chunk.subarray(start, at + 1));
      else if (byte === CLOSE_ARRAY && --this.#depth === 0) start = at;
    }
    if (this.#depth <= 0) this.#keep(chunk.subarray(start));
  }

  #keep(part: Uint8Array): void {
    if (this.#kept.length + part.length > KEPT_BYTES) {
      throw new UnreadableSource(`more than ${KEPT_BYTES} bytes are outside of arrays`);
    }
    this.#kept.add(part);
  }
}
