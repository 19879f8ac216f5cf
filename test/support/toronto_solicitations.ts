/** Makes files of the City of Toronto's solicitations. */
import { SOLICITATION_COLUMNS } from "../../src/ingest/sources/toronto/solicitation.ts";

const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;

const CONTACT_COLUMNS = ["Buyer Name", "Buyer Email", "Buyer Phone Number"];

/** Returns a file with one row per part. Columns that a part omits have default values. */
export function csv(
  ...parts: Partial<Record<keyof typeof SOLICITATION_COLUMNS, string>>[]
): string {
  const columns = Object.entries(SOLICITATION_COLUMNS);
  const rows = parts.map((part, index) => {
    const row: Record<string, string> = {
      number: `${4_000_000_000 + index}`,
      type: "RFQ",
      notice: "Notice of Intended Procurement",
      issued: "2026-08-07",
      deadline: "2026-08-31",
      category: "Goods & Services",
      description: "Request for Quotations for road salt.",
      division: "Transportation Services",
      ...part,
    };
    const cells = columns.map(([key]) => row[key] ?? "");
    return [...cells, "Jane Doe", "jane.doe@toronto.ca", "416-397-4141"].map(cell).join(",");
  });
  const header = [...columns.map(([, name]) => name), ...CONTACT_COLUMNS].map(cell).join(",");
  return "\ufeff" + [header, ...rows].join("\r\n") + "\r\n";
}
