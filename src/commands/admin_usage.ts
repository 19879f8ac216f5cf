/** `admin usage`: what accounts were charged, and whether the counters agree with the ledger. */
import { verifyUsage } from "../operations/report.ts";
import {
  type Division,
  type LedgerRow,
  listLedger,
  type Span,
  sumUsage,
  type UsageRow,
} from "../operations/usage_report.ts";
import { type Arguments, type Command, day, integer } from "./admin_arguments.ts";
import { UsageError } from "./command.ts";
import { drawTable } from "./table.ts";

const SPAN = { account: "N", from: "DAY", to: "DAY" };

/** Commands about usage, by their names. */
export const USAGE_COMMANDS: Record<string, Command> = {
  "usage report": {
    summary: "Prints what accounts were charged from one day to another, both included, in UTC.",
    options: { ...SPAN, by: "day|action", json: "" },
    run: async (sql, { values }, { draws = false }) => {
      const rows = await sumUsage(sql, spanOf(values), divisionOf(values));
      return values.json ? { answer: { usage: rows } } : { text: tableOf(rows, draws) };
    },
  },
  "usage export": {
    summary: "Prints every settlement as CSV, for invoices. The days are included, in UTC.",
    options: SPAN,
    run: async (sql, { values }, { print }) => {
      print(csvOf([COLUMNS]));
      for await (const rows of listLedger(sql, spanOf(values))) {
        print(csvOf(rows.map((row) => COLUMNS.map((column) => row[column]))));
      }
      return {};
    },
  },
  "usage verify": {
    summary: "Compares the counters with the ledger. Exits with 1 if they differ.",
    run: async (sql) => {
      const answer = await verifyUsage(sql);
      return { answer, exit_code: answer.differences.length === 0 ? 0 : 1 };
    },
  },
};

function spanOf(values: Arguments["values"]): Span {
  const span = {
    account_id: values.account === undefined ? undefined : integer(values, "account"),
    from: day(values, "from"),
    to: day(values, "to"),
  };
  if (span.from !== undefined && span.to !== undefined && span.from > span.to) {
    throw new UsageError("--from is later than --to");
  }
  return span;
}

function divisionOf({ by }: Arguments["values"]): Division | undefined {
  if (by === undefined || by === "day" || by === "action") return by;
  throw new UsageError("--by: day or action is required");
}

/** Draws a bar of the request units beside each row if the output is a terminal. */
function tableOf(rows: UsageRow[], draws: boolean): string {
  const divided = rows.some(({ day, action }) => (day ?? action) !== undefined);
  return drawTable({
    head: ["account", ...divided ? ["by"] : [], "operations", "requests", "delivered", "fresh"],
    texts: divided ? 2 : 1,
    rows: rows.map((row) => [
      `${row.account_id} ${row.account}`,
      ...divided ? [row.day ?? row.action!] : [],
      row.operations,
      row.request_units,
      row.delivered_units,
      row.fresh_evidence_units,
    ]),
    bars: draws ? rows.map(({ request_units }) => request_units) : undefined,
  });
}

/** Columns of the export. Programs of operators read them: they may be added to, never changed. */
const COLUMNS = [
  "settlement_id",
  "settled_at",
  "account_id",
  "account",
  "operation_id",
  "action",
  "request_units",
  "delivered_units",
  "fresh_evidence_units",
] as const satisfies (keyof LedgerRow)[];

function csvOf(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => row.map(csvCell).join()).join("\r\n");
}

/** Quotes a cell as RFC 4180 asks. A name that a spreadsheet would take for a formula gets a "'". */
function csvCell(value: string | number): string {
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
