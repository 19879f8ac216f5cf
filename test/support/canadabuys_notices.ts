/** Makes files of CanadaBuys tender notices. */
import { COLUMNS, CONTACT_COLUMNS } from "../../src/ingest/sources/canadabuys/cells.ts";

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** Returns a file with one row per part. Columns that a part omits have default values. */
export function csv(...parts: Partial<Record<keyof typeof COLUMNS, string>>[]): string {
  const columns = Object.entries<string>({ ...COLUMNS, ...CONTACT_COLUMNS });
  const rows = parts.map((part) => {
    const notice: Partial<Record<string, string>> = {
      title: "Backpacks",
      reference: "cb-1-2",
      published: "2026-07-29",
      closing: "2026-08-18T16:00:00",
      status: "Open",
      buyer: "Royal Canadian Mounted Police (RCMP)",
      ...part,
    };
    return columns.map(([key]) => cell(notice[key] ?? "")).join(",");
  });
  return [columns.map(([, name]) => cell(name)).join(","), ...rows].join("\r\n") + "\r\n";
}
