/** `admin search`: manages the tables of the search engine of SEARCH_URL. */
import { createTables, planNodes, searchdConfig } from "../search/distributed/create_tables.ts";
import { type AdminCommand, integer } from "./admin_arguments.ts";
import { UsageError } from "./command.ts";

/** Commands about the search engine, by their names. */
export const SEARCH_COMMANDS: Record<string, AdminCommand> = {
  "search create": {
    summary: "Creates the tables on the nodes of SEARCH_URL, or prints their configuration files.",
    required: { shards: "N" },
    options: { config: "DIRECTORY" },
    run: async (_sql, { values }, { settings }) => {
      const { SEARCH_URL } = settings;
      if (SEARCH_URL === undefined) throw new UsageError("SEARCH_URL is not set");
      const shards = integer(values, "shards");
      const nodes = planNodes(SEARCH_URL, shards);
      if (values.config !== undefined) {
        const directory = values.config;
        const texts = nodes.map(({ mysql }, place) =>
          `# Node ${mysql}\n\n${searchdConfig(nodes, place, directory)}`
        );
        return { text: texts.join("\n") };
      }
      if (!await createTables(SEARCH_URL, nodes)) {
        throw new Error(
          "this engine requires configuration files: print them with --config DIRECTORY",
        );
      }
      return { answer: { nodes: nodes.map(({ mysql, shards }) => ({ node: mysql, shards })) } };
    },
  },
};
