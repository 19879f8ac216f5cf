/**
 * `admin usage`: prints the charges of accounts, and compares the counters with the ledger.
 */
import { listAccounts } from "../accounts/account.ts";
import { withoutControls } from "../contract/control_characters.ts";
import type { Sql } from "../db/connect.ts";
import { UsageError } from "../failures.ts";
import {
  type LedgerRow,
  listLedger,
  sumUsage,
  type UsagePeriod,
  type UsageRow,
  verifyUsage,
} from "../operations/report.ts";
import {
  type AdminArguments,
  type AdminCommand,
  day,
  integer,
  requireFound,
} from "./admin_arguments.ts";

const PERIOD_OPTIONS = { account: "N", from: "DAY", to: "DAY" };

/** Commands about usage, by their names. */
export const USAGE_COMMANDS: Record<string, AdminCommand> = {
  "usage report": {
    summary: "Prints what accounts were charged from one day to another, both included, in UTC.",
    options: { ...PERIOD_OPTIONS, by: "day|action" },
    run: async (sql, { values }) => {
      const { by } = values;
      if (by !== undefined && by !== "day" && by !== "action") {
        throw new UsageError("--by: day or action is required");
      }
      return { usage: await sumUsage(sql, await periodOf(sql, values), by) };
    },
  },
  "usage export": {
    summary: "Prints CSV for invoices: every settlement of a period, or with --month one row per " +
      "customer and day. Days are in UTC, and both are included.",
    options: { ...PERIOD_OPTIONS, month: "YYYY-MM" },
    run: async (sql, { values }, { print }) => {
      if (values.json) throw new UsageError("--json: usage export prints CSV, usage report JSON");
      if (values.month !== undefined) {
        const rows = await sumUsage(sql, await periodOf(sql, monthIn(values)), "day");
        print(
          csvOf([MONTH_COLUMNS, ...rows.map((row) => MONTH_COLUMNS.map((name) => row[name]!))]),
        );
        return;
      }
      const period = await periodOf(sql, values);
      print(csvOf([COLUMNS]));
      for await (const rows of listLedger(sql, period)) {
        print(csvOf(rows.map((row) => COLUMNS.map((column) => row[column]))));
      }
    },
  },
  "usage verify": {
    summary: "Compares the counters with the ledger. Exits with 1 if they differ.",
    run: async (sql, _args, { fail }) => {
      const answer = await verifyUsage(sql);
      if (answer.differences.length > 0) fail();
      return answer;
    },
  },
};

/**
 * Reads the period and the account of a report.
 * @throws UsageError; Error if the account is unknown, because its invoice would be empty
 */
async function periodOf(sql: Sql, values: AdminArguments["values"]): Promise<UsagePeriod> {
  const period = {
    account_id: values.account === undefined ? undefined : integer(values, "account"),
    from: day(values, "from"),
    to: day(values, "to"),
  };
  if (period.from !== undefined && period.to !== undefined && period.from > period.to) {
    throw new UsageError("--from is later than --to");
  }
  const { account_id: id } = period;
  if (id !== undefined) requireFound((await listAccounts(sql, id))[0], `account ${id}`);
  return period;
}

/** Replaces a month by its first and its last day. @throws UsageError */
function monthIn({ month, ...values }: AdminArguments["values"]): AdminArguments["values"] {
  if (values.from !== undefined || values.to !== undefined) {
    throw new UsageError("--month: not together with --from and --to");
  }
  const [year, number] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(month!)?.slice(1).map(Number) ?? [];
  if (year === undefined) throw new UsageError("--month: a month such as 2026-11 is required");
  const last = new Date(Date.UTC(year, number!, 0)).getUTCDate();
  return { ...values, from: `${month}-01`, to: `${month}-${last}` };
}

/** Columns of the export of a month. They may be extended but never changed. */
const MONTH_COLUMNS = [
  "day",
  "account_id",
  "account",
  "operations",
  "request_units",
  "delivered_units",
  "fresh_evidence_units",
] as const satisfies (keyof UsageRow)[];

/**
 * Columns of the export. Programs of operators read them, so columns may be added but never
 * changed.
 */
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
  return rows.map((row) => row.map(csvCell).join()).join("\n");
}

/**
 * Quotes a cell by RFC 4180. A "'" precedes a text that a spreadsheet would evaluate as a formula.
 * Control characters, which change how a terminal shows the rest, are removed.
 */
function csvCell(value: string | number): string {
  const plain = withoutControls(`${value}`);
  const text = typeof value === "string" && /^[=+\-@]/.test(plain) ? `'${plain}` : plain;
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
