/**
 * Reads the rows of a sheet of an XLSX workbook (ECMA-376, part 1, section 18). Holds the packed
 * file, the table of its texts and one chunk of the sheet in memory, because each part of the
 * archive is unpacked in chunks.
 */
import { UnreadableSource } from "../record/entry.ts";
import { readBytes } from "./lines.ts";
import { isDateFormat } from "./xlsx_dates.ts";
import {
  CELL_CHARACTERS_MAX,
  type CellContext,
  rowOf,
  type SheetRow,
  textOf,
} from "./xlsx_cells.ts";
import { readXmlElements, type XmlElement } from "./xml.ts";

/** Max bytes of a workbook, which is held in memory. */
const WORKBOOK_BYTES_MAX = 128 * 1_048_576;
/** Max unpacked bytes of a sheet. A million rows of 20 cells have about half of it. */
const SHEET_BYTES_MAX = 2_048 * 1_048_576;
/** Max unpacked bytes of every other part. The texts of cells are one of them. */
const PART_BYTES_MAX = 256 * 1_048_576;

/**
 * Yields the rows with at least one filled cell.
 * @param sheet name of the sheet, or its number from 1; absent: the first visible sheet
 * @throws UnreadableSource if the file is not such a workbook, or has no such sheet
 */
export async function* readSheet(
  stream: AsyncIterable<Uint8Array>,
  sheet?: string | number,
): AsyncGenerator<SheetRow> {
  const bytes = await readBytes(stream, WORKBOOK_BYTES_MAX);
  if (bytes.subarray(0, 4).toHex() !== "504b0304") {
    throw new UnreadableSource(
      "the file is not an XLSX workbook; save an old or encrypted Excel file as .xlsx without a password",
    );
  }
  const parts = zipParts(bytes);
  const { path, context } = await openWorkbook(parts, sheet);
  const sheetPart = parts.get(path);
  if (sheetPart === undefined) throw new UnreadableSource(`the workbook has no part ${path}`);
  let before = 0;
  for await (const element of elementsOf(sheetPart(SHEET_BYTES_MAX), ["row"])) {
    const row = rowOf(element, { before, context });
    before = row.number;
    if (row.cells.size > 0) yield row;
  }
}

/** Reads elements of a part. The texts of cells are cut at a length at which they have a fault. */
function elementsOf(
  part: AsyncIterable<Uint8Array>,
  names: readonly string[],
): AsyncGenerator<XmlElement> {
  return readXmlElements(part, names, CELL_CHARACTERS_MAX + 1);
}

async function openWorkbook(
  parts: ReadonlyMap<string, ReadPart>,
  wanted: string | number | undefined,
): Promise<{ path: string; context: CellContext }> {
  const root = await relationsOf(parts, "");
  const workbookPath = root.find(({ type }) => type === "officeDocument")?.path;
  if (workbookPath === undefined) throw new UnreadableSource("the file is not an XLSX workbook");
  const relations = await relationsOf(parts, workbookPath);
  const { sheets, is1904 } = await readWorkbook(parts, workbookPath);
  const sheet = typeof wanted === "number"
    ? sheets[wanted - 1]
    : sheets.find(({ name, isVisible }) => wanted === undefined ? isVisible : name === wanted);
  const path = relations.find(({ id }) => id === sheet?.relation)?.path;
  if (path === undefined) {
    if (wanted === undefined && sheets.length > 0) {
      throw new UnreadableSource("the workbook has no visible sheet; name one as `sheet`");
    }
    const names = sheets.map(({ name }) => JSON.stringify(name)).join(", ");
    throw new UnreadableSource(`the workbook has no sheet ${wanted ?? 1}; its sheets: ${names}`);
  }
  const pathOf = (kind: string) => relations.find(({ type }) => type === kind)?.path;
  const context = {
    texts: await Array.fromAsync(
      readPart(parts, pathOf("sharedStrings"), ["si"]),
      (text) => text.isCut ? null : textOf(text),
    ),
    date_styles: await readDateStyles(parts, pathOf("styles")),
    is1904,
  };
  return { path, context };
}

/** Reads the elements of some names of a part, if there is such a part. */
async function* readPart(
  parts: ReadonlyMap<string, ReadPart>,
  path: string | undefined,
  names: readonly string[],
): AsyncGenerator<XmlElement> {
  const part = path === undefined ? undefined : parts.get(path);
  if (part !== undefined) yield* elementsOf(part(PART_BYTES_MAX), names);
}

interface Relation {
  id: string;
  /** Last segment of the type, which is the same in both variants of the standard. */
  type: string;
  path: string;
}

/** Reads the relations of a part, or of the package for an empty path. */
async function relationsOf(
  parts: ReadonlyMap<string, ReadPart>,
  path: string,
): Promise<Relation[]> {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const part = `${folder}_rels/${path.slice(folder.length)}.rels`;
  return await Array.fromAsync(
    readPart(parts, part, ["Relationship"]),
    ({ attributes: { Id = "", Type = "", Target = "" } }) => ({
      id: Id,
      type: Type.slice(Type.lastIndexOf("/") + 1),
      path: pathOf(Target, folder),
    }),
  );
}

function pathOf(target: string, folder: string): string {
  try {
    return decodeURIComponent(new URL(target, `file:///${folder}`).pathname).slice(1);
  } catch {
    throw new UnreadableSource(`the workbook has a part with the invalid address ${target}`);
  }
}

async function readWorkbook(parts: ReadonlyMap<string, ReadPart>, path: string) {
  const sheets: { name: string; relation: string; isVisible: boolean }[] = [];
  let is1904 = false;
  for await (const { name, attributes } of readPart(parts, path, ["workbookPr", "sheet"])) {
    if (name === "workbookPr") is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? "");
    else {
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1];
      const isVisible = (attributes.state ?? "visible") === "visible";
      sheets.push({ name: attributes.name ?? "", relation: relation ?? "", isVisible });
    }
  }
  return { sheets, is1904 };
}

/** Reads which styles of cells show dates. */
async function readDateStyles(parts: ReadonlyMap<string, ReadPart>, path: string | undefined) {
  const codes = new Map<string, string>();
  const styles: boolean[] = [];
  for await (const { name, attributes, children } of readPart(parts, path, ["numFmt", "cellXfs"])) {
    const { numFmtId = "0", formatCode = "" } = attributes;
    if (name === "numFmt") codes.set(numFmtId, formatCode);
    for (const { attributes: { numFmtId = "0" } } of children) {
      styles.push(isDateFormat(Number(numFmtId), codes.get(numFmtId)));
    }
  }
  return styles;
}

/** Returns the unpacked chunks of a file. @throws UnreadableSource beyond `max` unpacked bytes */
type ReadPart = (max: number) => AsyncGenerator<Uint8Array>;

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
/** Max bytes from the start of the end record to the end of the file: the record and a comment. */
const END_DISTANCE_MAX = END_BYTES + 0xffff;
const ENTRY_SIGNATURE = 0x02014b50;
const ENTRY_BYTES = 46;
const LOCAL_SIGNATURE = 0x04034b50;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;

/**
 * Lists the files of an archive by their names, from the directory at its end (PKWARE APPNOTE,
 * section 4.3). ZIP64 is not read, because it is for archives beyond 4 GB.
 * @throws UnreadableSource if there is no such directory, or it is damaged
 */
function zipParts(bytes: Uint8Array): Map<string, ReadPart> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const end = endOf(view);
    const parts = new Map<string, ReadPart>();
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      if (view.getUint32(at, true) !== ENTRY_SIGNATURE) throw damaged();
      const name = bytes.subarray(
        at + ENTRY_BYTES,
        at + ENTRY_BYTES + view.getUint16(at + 28, true),
      );
      const method = view.getUint16(at + 10, true);
      const packed = packedBytes(bytes, view, {
        local: view.getUint32(at + 42, true),
        size: view.getUint32(at + 20, true),
      });
      parts.set(new TextDecoder().decode(name), (max) => unpack(packed, { method, max }));
      at += ENTRY_BYTES + name.length + view.getUint16(at + 30, true) +
        view.getUint16(at + 32, true);
    }
    return parts;
  } catch (error) {
    // An offset beyond the end of the file.
    if (error instanceof RangeError) throw damaged();
    throw error;
  }
}

function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - END_DISTANCE_MAX);
  for (let at = view.byteLength - END_BYTES; at >= first; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  throw new UnreadableSource("the ZIP archive has no directory; the file may have been cut");
}

function packedBytes(
  bytes: Uint8Array,
  view: DataView,
  { local, size }: { local: number; size: number },
): Uint8Array {
  if (view.getUint32(local, true) !== LOCAL_SIGNATURE) throw damaged();
  const start = local + LOCAL_BYTES + view.getUint16(local + 26, true) +
    view.getUint16(local + 28, true);
  if (start + size > bytes.length) throw damaged();
  return bytes.subarray(start, start + size);
}

async function* unpack(
  packed: Uint8Array,
  { method, max }: { method: number; max: number },
): AsyncGenerator<Uint8Array> {
  if (method !== STORED && method !== DEFLATED) {
    throw new UnreadableSource("the ZIP archive is compressed in another way than deflate");
  }
  const stored = ReadableStream.from(chunksOf(packed));
  const stream = method === STORED
    ? stored
    : stored.pipeThrough(new DecompressionStream("deflate-raw"));
  let length = 0;
  try {
    for await (const chunk of stream) {
      length += chunk.length;
      if (length > max) {
        throw new UnreadableSource(`a file of the ZIP archive is longer than ${max} bytes`);
      }
      yield chunk;
    }
  } catch (error) {
    if (error instanceof TypeError) throw damaged();
    throw error;
  }
}

/** Number of bytes that are unpacked at once. They become up to 1,032 times longer: about 4 MiB. */
const CHUNK_BYTES = 4_096;

function* chunksOf(bytes: Uint8Array): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    yield bytes.slice(at, at + CHUNK_BYTES);
  }
}

function damaged(): UnreadableSource {
  return new UnreadableSource("the ZIP archive is damaged");
}
