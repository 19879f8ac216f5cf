/** Reads the cells of a sheet of a workbook. */
import { exactNumber } from "./json.ts";
import { dateOfNumber } from "./xlsx_dates.ts";
import { CUT_FAULT, type XmlElement } from "./xml.ts";

/** Value of a cell. Dates are texts such as "2026-11-03" or "2026-11-03 14:30:00". */
export type CellValue = string | number | boolean | CellFault;

/** A cell without a usable value. */
export class CellFault {
  /** @param reason completes a sentence about the cell: "E7 is the error #REF!" */
  constructor(readonly reason: string) {}
}

/** A row with at least one filled cell. */
export interface SheetRow {
  /** Number of the row in the sheet, from 1. */
  number: number;
  /** Values of its filled cells, by the index of the column from 0. */
  cells: Map<number, CellValue>;
}

/** Parts of the workbook by which cells are read. */
export interface CellContext {
  /** The table of texts. A text that is too long is null. */
  texts: readonly (string | null)[];
  /** True for the index of each style that shows a date. */
  date_styles: readonly boolean[];
  /** True if day 0 is 1 January 1904. */
  is1904: boolean;
}

/** Max number of columns of a sheet. */
const COLUMNS_MAX = 16_384;
/** Max characters of a cell. A longer cell has a fault. */
export const CELL_CHARACTERS_MAX = 32_767;

/** Reads a row. `before` is the number of the row before it. */
export function rowOf(
  { attributes, children, isCut }: XmlElement,
  { before, context }: { before: number; context: CellContext },
): SheetRow {
  const number = attributes.r === undefined ? before + 1 : Number(attributes.r);
  const cells = new Map<number, CellValue>();
  let column = -1;
  for (const cell of children.filter(({ name }) => name === "c")) {
    const { r: reference } = cell.attributes;
    column = reference === undefined ? column + 1 : columnOf(reference);
    const value = isCut
      ? new CellFault(`row ${number} ${CUT_FAULT}`)
      : valueOf(cell, { reference: reference ?? `${number}`, context });
    if (value !== "" && column < COLUMNS_MAX) cells.set(column, value);
  }
  return { number, cells };
}

/** Returns the text of a cell or of an entry of the table. Phonetic guides are not part of it. */
export function textOf({ name, text, children }: XmlElement): string {
  if (name === "rPh") return "";
  return (name === "v" || name === "t" ? text : "") + children.map(textOf).join("");
}

function valueOf(
  cell: XmlElement,
  { reference, context: { texts, date_styles, is1904 } }: {
    reference: string;
    context: CellContext;
  },
): CellValue {
  const text = textOf(cell);
  const { t: type = "n", s: style = "-1" } = cell.attributes;
  const isFormula = cell.children.some(({ name }) => name === "f");
  const shared = type === "s" && text !== "" ? texts[Number(text)] : text;
  if (shared === undefined) {
    return new CellFault(`${reference} is text ${text} of the workbook, which is missing`);
  }
  if (shared === null || text.length > CELL_CHARACTERS_MAX) {
    return new CellFault(`${reference} is longer than ${CELL_CHARACTERS_MAX} characters`);
  }
  if (type === "e") return new CellFault(`${reference} is the error ${text}`);
  if (text === "" && isFormula && type !== "str") {
    return new CellFault(`${reference} is a formula without a stored value`);
  }
  switch (type) {
    case "s":
      return withoutEscapes(shared);
    case "str":
    case "inlineStr":
      return withoutEscapes(text);
    case "b":
      return text === "1" || text === "true";
    case "d":
      return text.replace("T", " ").replace(/\.\d+$/, "").replace(/ 00:00:00$/, "");
  }
  const number = Number(text);
  if (text === "" || Number.isNaN(number)) return text;
  if (date_styles[Number(style)]) return dateOfNumber(number, { is1904 }) ?? number;
  // A spreadsheet keeps 15 digits of a number, so several ids may have become one.
  if (Math.abs(number) > Number.MAX_SAFE_INTEGER && /e/i.test(text)) {
    return new CellFault(`${reference} is rounded (${text}); a long id has to be stored as text`);
  }
  return exactNumber(number, text);
}

/** Returns the index of the column of a reference such as "AB12", from 0. */
function columnOf(reference: string): number {
  let column = 0;
  for (let at = 0; at < 3; at++) {
    const letter = reference.charCodeAt(at) - 64;
    if (!(letter >= 1 && letter <= 26)) break;
    column = column * 26 + letter;
  }
  return column - 1;
}

/** Replaces escapes of control characters: "_x000D_" is a carriage return. */
function withoutEscapes(text: string): string {
  return text.replace(
    /_x([0-9A-Fa-f]{4})_/g,
    (_, code: string) => String.fromCharCode(parseInt(code, 16)),
  );
}
