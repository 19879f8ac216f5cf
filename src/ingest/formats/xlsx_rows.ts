/** Reads the cells of a sheet of a workbook. */
import { dateOfNumber } from "./xlsx_dates.ts";
import type { XmlEvents } from "./xml_events.ts";

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
  /** The table of texts. */
  texts: readonly string[];
  /** True for the index of each style that shows a date. */
  date_styles: readonly boolean[];
  /** True if day 0 is 1 January 1904. */
  is1904: boolean;
}

/** Max number of columns of a sheet. */
const COLUMNS_MAX = 16_384;
/** Max characters of a cell. A longer cell has a fault, and its rest is not held in memory. */
const CELL_CHARACTERS_MAX = 32_767;

interface OpenCell {
  reference: string;
  column: number;
  type: string;
  style: number;
  text: string;
  isFormula: boolean;
}

/** Collects the rows of a sheet from the events of its XML. */
export class SheetRows implements XmlEvents {
  readonly #context: CellContext;
  #rows: SheetRow[] = [];
  #row: SheetRow | undefined;
  #cell: OpenCell | undefined;
  #number = 0;
  #column = -1;
  #isValue = false;
  #isGuide = false;

  constructor(context: CellContext) {
    this.#context = context;
  }

  /** Returns the rows that have ended since the last call. */
  take(): SheetRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  open(name: string, { r: reference, t: type = "n", s: style = "-1" }: Record<string, string>) {
    switch (name) {
      case "row":
        this.#number = reference === undefined ? this.#number + 1 : Number(reference);
        this.#row = { number: this.#number, cells: new Map() };
        this.#column = -1;
        break;
      case "c":
        this.#column = reference === undefined ? this.#column + 1 : columnOf(reference);
        this.#cell = {
          reference: reference ?? `${this.#number}`,
          column: this.#column,
          type,
          style: Number(style),
          text: "",
          isFormula: false,
        };
        break;
      case "f":
        if (this.#cell !== undefined) this.#cell.isFormula = true;
        break;
      case "rPh":
        this.#isGuide = true;
        break;
      case "v":
      case "t":
        this.#isValue = !this.#isGuide;
    }
  }

  text(part: string) {
    const cell = this.#cell;
    if (!this.#isValue || cell === undefined) return;
    if (cell.text.length <= CELL_CHARACTERS_MAX) cell.text += part;
  }

  close(name: string) {
    if (name === "v" || name === "t") this.#isValue = false;
    else if (name === "rPh") this.#isGuide = false;
    else if (name === "c" && this.#cell !== undefined) {
      const value = valueOf(this.#cell, this.#context);
      if (value !== "" && this.#cell.column < COLUMNS_MAX) {
        this.#row?.cells.set(this.#cell.column, value);
      }
      this.#cell = undefined;
    } else if (name === "row" && this.#row !== undefined) {
      if (this.#row.cells.size > 0) this.#rows.push(this.#row);
      this.#row = undefined;
    }
  }
}

function valueOf(
  { reference, type, style, text, isFormula }: OpenCell,
  { texts, date_styles, is1904 }: CellContext,
): CellValue {
  if (text.length > CELL_CHARACTERS_MAX) {
    return new CellFault(`${reference} is longer than ${CELL_CHARACTERS_MAX} characters`);
  }
  if (type === "e") return new CellFault(`${reference} is the error ${text}`);
  if (text === "" && isFormula && type !== "str") {
    return new CellFault(`${reference} is a formula without a stored value`);
  }
  switch (type) {
    case "s":
      return withoutEscapes(texts[Number(text)] ?? "");
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
  return date_styles[style] ? dateOfNumber(number, { is1904 }) ?? number : number;
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
