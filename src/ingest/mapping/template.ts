/** Evaluates templates: texts in which braces enclose the names of columns. */

/** Returns the value of a column or path in a row; undefined if the row has none. */
export type Row = (column: string) => unknown;

/** A parsed template: constant texts and columns, in their order. */
type Part = { text: string } | { column: string };

const PARTS = /\{\{|\}\}|\{([^{}]+)\}|[{}]/g;

/** A template, ready to be evaluated for many rows. */
export interface Template {
  columns: string[];
  /**
   * Returns the text for a row. A template with columns gives an empty text if all of its columns
   * are empty.
   */
  textOf(row: Row): string;
  /** The only column of a template that consists of it; undefined for another template. */
  column?: string;
}

/** Parses a template. Doubled braces stand for one brace. @throws Error for a single brace */
export function parseTemplate(template: string): Template {
  const parts = partsOf(template);
  const columns = parts.flatMap((part) => "column" in part ? [part.column] : []);
  const [only] = parts;
  return {
    columns,
    column: parts.length === 1 && only !== undefined && "column" in only ? only.column : undefined,
    textOf(row) {
      let filled = columns.length === 0;
      let text = "";
      for (const part of parts) {
        const piece = "text" in part ? part.text : textOf(row(part.column));
        if ("column" in part && piece !== "") filled = true;
        text += piece;
      }
      return filled ? text.trim() : "";
    },
  };
}

/** Returns the names of the columns of a template. @throws Error for a single brace */
export function columnsOf(template: string): string[] {
  return parseTemplate(template).columns;
}

function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let constant = "";
  let end = 0;
  const flush = () => {
    if (constant !== "") parts.push({ text: constant });
    constant = "";
  };
  for (const match of template.matchAll(PARTS)) {
    constant += template.slice(end, match.index);
    end = match.index + match[0].length;
    const [found, column] = match;
    if (column !== undefined) {
      flush();
      parts.push({ column: column.trim() });
    } else if (found === "{{" || found === "}}") constant += found[0];
    else throw new Error(`a brace without its partner in ${JSON.stringify(template)}`);
  }
  constant += template.slice(end);
  flush();
  return parts;
}

/** Returns a value of a row as text. Values of a list are joined by commas. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value.trim();
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return value.map(textOf).filter((text) => text !== "").join(", ");
  return "";
}

/**
 * Returns the member with this name. If there is none, follows the dots of the name as a path. In a
 * list, a number is the position of an element from 0, and `*` stands for all elements. In XML, a
 * list of one element is that element.
 */
export function valueIn(value: unknown, path: string): unknown {
  return hasMember(value, path) ? value[path] : valueAt(value, path.split("."));
}

function valueAt(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return value;
  if (name === "*") return [value ?? []].flat().flatMap((element) => valueAt(element, rest) ?? []);
  return hasMember(value, name) ? valueAt(value[name], rest) : undefined;
}

/** Returns a copy of a value in which that at the path, as valueIn() finds it, is undefined. */
export function withoutValueIn(value: unknown, path: string): unknown {
  return withoutValueAt(value, hasMember(value, path) ? [path] : path.split("."));
}

function withoutValueAt(value: unknown, [name, ...rest]: string[]): unknown {
  if (name === undefined) return undefined;
  if (name === "*") return [value ?? []].flat().map((element) => withoutValueAt(element, rest));
  if (!hasMember(value, name)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  return Object.assign(copy, { [name]: withoutValueAt(value[name], rest) });
}

function hasMember(value: unknown, name: string): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name);
}
