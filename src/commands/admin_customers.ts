/** `admin customer`: manages customers by one command per step. */
import { listAccounts, showAccount } from "../accounts/account.ts";
import {
  addCustomer,
  findCustomer,
  resumeCustomer,
  suspendCustomer,
} from "../accounts/customer.ts";
import { listApiKeys } from "../accounts/key.ts";
import { hasControls } from "../contract/control_characters.ts";
import type { Sql } from "../db/connect.ts";
import { type AdminArguments, type AdminCommand, required } from "./admin_arguments.ts";
import { UsageError } from "./command.ts";

/** Commands about customers, by their names. CUSTOMER is an account id or an exact name. */
export const CUSTOMER_COMMANDS: Record<string, AdminCommand> = {
  "customer add": {
    summary: "Creates an account, its subscription and a key, and prints the key, only this once.",
    words: ["NAME"],
    required: { plan: "P" },
    options: { status: "S", "key-name": "TEXT" },
    run: async (sql, { words, values }) => {
      const key_name = values["key-name"] ?? "";
      if (hasControls(key_name)) {
        throw new UsageError("--key-name: no control characters or line breaks, please");
      }
      const plan = required(values, "plan");
      const status = values.status ?? "active";
      const made = await addCustomer(sql, { name: words[0]!, plan, status, key_name });
      return { answer: { ...made, name: words[0]!, plan, status } };
    },
  },
  "customer list": {
    summary: "Lists the customers with their plans, and the day on which each was last seen.",
    run: async (sql) => {
      const accounts = await listAccounts(sql);
      return {
        answer: {
          customers: accounts.filter(({ is_demo }) => !is_demo).map((
            { is_demo: _, ...customer },
          ) => customer),
        },
      };
    },
  },
  "customer show": {
    summary: "Prints a customer, by id or name, with its limits, its usage and its keys.",
    words: ["CUSTOMER"],
    run: async (sql, args) => {
      const id = await customerOf(sql, args);
      return { answer: { ...await showAccount(sql, id), keys: await listApiKeys(sql, id) } };
    },
  },
  "customer suspend": {
    summary: "Refuses the requests of a customer from the next one on, until it is resumed.",
    words: ["CUSTOMER"],
    run: async (sql, args) => {
      const account_id = await customerOf(sql, args);
      return { answer: { account_id, status: await suspendCustomer(sql, account_id) } };
    },
  },
  "customer resume": {
    summary: "Gives a suspended customer the status from before the suspension.",
    words: ["CUSTOMER"],
    run: async (sql, args) => {
      const account_id = await customerOf(sql, args);
      return { answer: { account_id, status: await resumeCustomer(sql, account_id) } };
    },
  },
};

async function customerOf(sql: Sql, { words }: AdminArguments): Promise<number> {
  return await findCustomer(sql, words[0]!);
}
