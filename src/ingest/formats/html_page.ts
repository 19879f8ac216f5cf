/** Reads how a web page describes itself: title, meta elements and JSON-LD. */
import { Parser } from "htmlparser2";
import { Slices } from "../../slices.ts";
import { UnreadableSource } from "../record/entry.ts";
import { parseJson } from "./json.ts";
import { readBytes } from "./lines.ts";

/** A page's description of itself. Texts are decoded, not cleaned. */
export interface HtmlPage {
  title: string;
  /** Language of the html element, such as "en-CA". */
  language: string;
  /**
   * Contents of meta elements by `name` or `property` in lower case ("description",
   * "og:site_name"). Only the first element of each name counts.
   */
  meta: ReadonlyMap<string, string>;
  /** Values of its blocks of JSON-LD. Blocks that are not JSON are skipped. */
  linked_data: unknown[];
}

/** Max bytes of a page. */
export const PAGE_BYTES = 2 * 1_048_576;
/** Number of first bytes within which a page declares its encoding (HTML standard, 4.2.5.4). */
const DECLARATION_BYTES = 1_024;
/** Max length of a block of JSON-LD. Longer blocks are skipped. */
const DATA_CHARACTERS = 524_288;
/** Number of characters that are kept of a title or a meta element. */
const TEXT_CHARACTERS = 10_000;
/**
 * Max number of attributes per element. After an element with more attributes, the rest of the page
 * is not read.
 */
export const ATTRIBUTES_MAX = 1_000;
/** Number of characters that are parsed before the event loop may run. */
const CHUNK_CHARACTERS = 16_384;
/**
 * Max nesting depth of elements, as in browsers. Deeper elements end the reading, because the
 * parsing time grows with the square of the depth.
 */
const DEPTH = 512;

/**
 * Matches the elements with which an HTML document can begin. Feeds and SVG images can also have a
 * title, but begin with other elements.
 */
const FIRST_ELEMENTS =
  /^(?:html|head|title|meta|link|base|script|style|body|div|main|header|h1|p|center)$/;

/**
 * Reads a page. Scripts are not run, and nothing that the page refers to is fetched.
 *
 * @throws UnreadableSource if the bytes are not HTML, or more than PAGE_BYTES
 */
export async function readHtmlPage(stream: AsyncIterable<Uint8Array>): Promise<HtmlPage> {
  const bytes = await readBytes(stream, PAGE_BYTES);
  return await new PageReader().read(decoderOf(bytes).decode(bytes));
}

/** Returns a decoder for the page's declared encoding. It replaces bytes that do not fit. */
function decoderOf(bytes: Uint8Array): TextDecoder {
  const start = new TextDecoder().decode(bytes.subarray(0, DECLARATION_BYTES));
  const declared = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(start)?.[1] ??
    "utf-8";
  try {
    // A declaration that can be read as ASCII is not written in UTF-16 (HTML standard, 13.2.3.3).
    return new TextDecoder(/^utf-16/i.test(declared) ? "utf-8" : declared);
  } catch {
    return new TextDecoder();
  }
}

class PageReader {
  #parser = new Parser({
    onopentag: (name, attributes) => this.#open(name, attributes),
    onclosetag: (name) => this.#close(name),
    onattribute: () => this.#countAttribute(),
    ontext: (text) => this.#collect(text),
  });
  #depth = 0;
  /** Number of attributes of the element that is being opened. */
  #attributes = 0;
  #stopped = false;
  #isHtml: boolean | undefined;
  /** Text that is being collected, and the part of the page that it belongs to. */
  #collected: { into: "title" | "data"; text: string } | undefined;
  #meta = new Map<string, string>();
  #page = { title: "", language: "", linked_data: [] as unknown[] };

  async read(markup: string): Promise<HtmlPage> {
    const slices = new Slices();
    for (let at = 0; at < markup.length && !this.#stopped; at += CHUNK_CHARACTERS) {
      this.#parser.write(markup.slice(at, at + CHUNK_CHARACTERS));
      if (slices.isOver) await slices.turn();
    }
    if (!this.#stopped) this.#parser.end();
    if (!this.#isHtml) throw new UnreadableSource("the document is not HTML");
    return { ...this.#page, meta: this.#meta };
  }

  #open(name: string, attributes: Record<string, string>) {
    this.#isHtml ??= FIRST_ELEMENTS.test(name);
    this.#attributes = 0;
    if (++this.#depth > DEPTH || !this.#isHtml) this.#stop();
    if (name === "html") this.#page.language ||= attributes.lang ?? "";
    else if (name === "meta") this.#addMeta(attributes);
    else if (name === "title" && this.#page.title === "") {
      this.#collected = { into: "title", text: "" };
    } else if (name === "script" && /^\s*application\/ld\+json\b/i.test(attributes.type ?? "")) {
      this.#collected = { into: "data", text: "" };
    }
  }

  #countAttribute() {
    if (++this.#attributes > ATTRIBUTES_MAX) this.#stop();
  }

  #stop() {
    this.#stopped = true;
    this.#parser.pause();
  }

  #addMeta({ name, property, content }: Record<string, string>) {
    const key = (name ?? property ?? "").trim().toLowerCase();
    if (content === undefined || this.#meta.has(key)) return;
    this.#meta.set(key, content.slice(0, TEXT_CHARACTERS));
  }

  #collect(text: string) {
    const collected = this.#collected;
    if (collected !== undefined && collected.text.length <= DATA_CHARACTERS) collected.text += text;
  }

  #close(name: string) {
    this.#depth--;
    if (name !== "title" && name !== "script") return;
    if (this.#collected?.into === "title") {
      this.#page.title = this.#collected.text.trim().slice(0, TEXT_CHARACTERS);
    }
    if (this.#collected?.into === "data") this.#addLinkedData(this.#collected.text);
    this.#collected = undefined;
  }

  #addLinkedData(text: string) {
    if (text.length > DATA_CHARACTERS) return;
    // Some publishers enclose the JSON in a comment, to hide it from very old browsers.
    const parsed = parseJson(
      text.replace(/^\s*(?:<!--|\/\*<!\[CDATA\[\*\/)/, "")
        .replace(/(?:-->|\/\*\]\]>\*\/)\s*$/, ""),
    );
    if ("value" in parsed) this.#page.linked_data.push(parsed.value);
  }
}
