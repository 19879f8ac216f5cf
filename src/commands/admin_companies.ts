/** `admin company`: which companies are one, and what was known when they were merged. */
import { listMerges, mergeCompanies, showCompany, splitCompany } from "../ingest/company_merges.ts";
import { type Command, found, integer } from "./admin_arguments.ts";
import { UsageError } from "./command.ts";

export const COMPANY_USAGE = `admin company show ID
admin company merge KEPT_ID MERGED_ID [--reason TEXT]
admin company split MERGE_ID
admin company merges [--limit N]`;

const REASON_CHARACTERS = 500;
const MERGES_SHOWN = 100;
const MERGES_MOST = 10_000;

export const COMPANY_COMMANDS: Record<string, Command> = {
  "company show": {
    options: [],
    words: 1,
    run: async (sql, { words }) => {
      const id = integer({ ID: words[0] }, "ID");
      return { answer: found(await showCompany(sql, id), `company ${id}`) };
    },
  },
  "company merge": {
    options: ["reason"],
    words: 2,
    run: async (sql, { words, values }) => {
      const kept = integer({ KEPT_ID: words[0] }, "KEPT_ID");
      const merged = integer({ MERGED_ID: words[1] }, "MERGED_ID");
      const { reason = "by an operator" } = values;
      if (reason.length > REASON_CHARACTERS) {
        throw new UsageError(`--reason: ${REASON_CHARACTERS} characters at most`);
      }
      return { answer: await mergeCompanies(sql, { kept, merged, reason }) };
    },
  },
  "company split": {
    options: [],
    words: 1,
    run: async (sql, { words }) => {
      const merge = integer({ MERGE_ID: words[0] }, "MERGE_ID");
      return { answer: found(await splitCompany(sql, merge), `merge ${merge}`) };
    },
  },
  "company merges": {
    options: ["limit"],
    words: 0,
    run: async (sql, { values }) => {
      const limit = values.limit === undefined
        ? MERGES_SHOWN
        : integer(values, "limit", [1, MERGES_MOST]);
      return { answer: { merges: await listMerges(sql, limit) } };
    },
  },
};
