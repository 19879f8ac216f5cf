/** Makes XLSX workbooks for tests. */
import { strToU8, zipSync } from "fflate";

/** Parts of a workbook in the XML of the standard. */
export interface WorkbookParts {
  /** The content of `sheetData` of each sheet, by its name. */
  sheets: Record<string, string>;
  /** The table of texts: the content of each `si`. */
  texts?: string[];
  /** Ids of formats of cells. Each is a style. */
  formats?: number[];
  /** Codes of custom formats, by their ids. */
  codes?: Record<number, string>;
  /** Value of the attribute: "1" or "true" for the date system of 1904. */
  date1904?: string;
}

const SHEET_TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';

/** Returns the bytes of a workbook. */
export function workbook(
  { sheets, texts = [], formats = [], codes = {}, date1904 = "0" }: WorkbookParts,
): Uint8Array {
  const names = Object.keys(sheets);
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${SHEET_TYPE}/${type}" Target="${target}"/>`;
  const relations = (content: string) =>
    `<?xml version="1.0"?><Relationships>${content}</Relationships>`;
  const parts: Record<string, string> = {
    "_rels/.rels": relations(relation(1, "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": `<workbook ${MAIN} xmlns:r="${SHEET_TYPE}">` +
      `<workbookPr date1904="${date1904}"/><sheets>` +
      names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join("") +
      "</sheets></workbook>",
    "xl/_rels/workbook.xml.rels": relations(
      names.map((_, at) => relation(at + 1, "worksheet", `worksheets/sheet${at + 1}.xml`)).join(
        "",
      ) +
        relation(98, "styles", "/xl/styles.xml") +
        relation(99, "sharedStrings", "sharedStrings.xml"),
    ),
    "xl/styles.xml": `<styleSheet ${MAIN}><numFmts>` +
      Object.entries(codes).map(([id, code]) =>
        `<numFmt numFmtId="${id}" formatCode="${code.replaceAll('"', "&quot;")}"/>`
      ).join("") + '</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>' +
      formats.map((id) => `<xf numFmtId="${id}"/>`).join("") + "</cellXfs></styleSheet>",
    "xl/sharedStrings.xml": `<sst ${MAIN}>${
      texts.map((text) => `<si>${text}</si>`).join("")
    }</sst>`,
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet ${MAIN}><sheetData>${sheets[name]}</sheetData>` +
        '<mergeCells><mergeCell ref="B2:B3"/></mergeCells></worksheet>',
      ]),
    ),
  };
  return zipSync(
    Object.fromEntries(Object.entries(parts).map(([path, xml]) => [path, strToU8(xml)])),
  );
}

/** Returns a row of cells, which are given as XML or as texts. An empty text is no cell. */
export function sheetRow(number: number, cells: readonly string[]): string {
  const written = cells.map((cell, at) => {
    const reference = `r="${String.fromCharCode(65 + at)}${number}"`;
    if (cell === "") return "";
    return cell.startsWith("<c")
      ? cell.replace("<c", `<c ${reference}`)
      : `<c ${reference} t="inlineStr"><is><t>${cell}</t></is></c>`;
  });
  return `<row r="${number}">${written.join("")}</row>`;
}
