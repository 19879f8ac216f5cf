/** `admin company`: merges, splits and shows companies. */
import {
  listMerges,
  mergeCompanies,
  showCompany,
  splitCompany,
} from "../ingest/record/company_merges.ts";
import { type AdminCommand, integer, requireFound } from "./admin_arguments.ts";
import { UsageError } from "./command.ts";

/** Max number of characters of a reason. */
const REASON_CHARACTERS = 500;
const MERGES_SHOWN = 100;
const MERGES_MAX = 10_000;

/** Commands about companies, by their names. */
export const COMPANY_COMMANDS: Record<string, AdminCommand> = {
  "company show": {
    summary: "Prints the stored data of a company, without its observations.",
    words: ["ID"],
    run: async (sql, { words }) => {
      const id = integer({ ID: words[0] }, "ID");
      return { answer: requireFound(await showCompany(sql, id), `company ${id}`) };
    },
  },
  "company merge": {
    summary: "Joins two companies into one. `company split` undoes it.",
    words: ["KEPT_ID", "MERGED_ID"],
    options: { reason: "TEXT" },
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
    summary: "Undoes a merge.",
    words: ["MERGE_ID"],
    run: async (sql, { words }) => {
      const merge = integer({ MERGE_ID: words[0] }, "MERGE_ID");
      return { answer: requireFound(await splitCompany(sql, merge), `merge ${merge}`) };
    },
  },
  "company merges": {
    summary: `Lists the latest merges, ${MERGES_SHOWN} by default.`,
    options: { limit: "N" },
    run: async (sql, { values }) => {
      const limit = values.limit === undefined
        ? MERGES_SHOWN
        : integer(values, "limit", [1, MERGES_MAX]);
      return { answer: { merges: await listMerges(sql, limit) } };
    },
  },
};
