/** Patterns of commands in the documentation that the tests do not run, with the reasons. */
export const NOT_RUN: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^docker /, "the tests must run on a machine without a container engine"],
  [/^(useradd|install|cp|systemctl) |^\(cd \/opt\//, "needs root and systemd"],
  [/^journalctl /, "reads the journal of a systemd unit"],
  [/^claude mcp add /, "test/mcp uses the address and the key of the command"],
  [
    /^npx -y @modelcontextprotocol\/inspector@2 /,
    "test/mcp uses the address, the key and the call of the command",
  ],
  [/^((npx --yes deno@\S+|deno) task test|deno task ok)$/, "would run these tests again"],
  [/^(\w+=\S+ )*deno task test \S/, "runs other tests"],
  [/^(npx --yes deno@\S+ task|DEMO=off deno task|deno task) start$/, "test/task_test.ts starts it"],
  [
    /^(curl -LO https|unzip|DENORT_BIN=)/,
    "downloads a runtime; test/compile_test.ts checks the files that a binary embeds",
  ],
  [/^git checkout /, "would replace the files under test by those of a release"],
  [/^deno task doctor$/, "test/commands/doctor_test.ts runs it"],
  [/^export CE_API_KEY=ce_…$/, "the tests have a key"],
  [
    /^(npx --yes -p deno@\S+ npm pack|mkdir \.\.\/my-program|npm init|npm install|node first\.mjs)/,
    "test/client/package_test.ts packs the client, installs the package and runs the programs",
  ],
  [/^deno task ingest .*(--fetch|https:)/, "fetches from a source"],
  [
    /^deno task admin source (add|schedule|run|remove) region-tenders/,
    "test/commands/first_day_test.ts runs it with another address",
  ],
  [/^export FEED_REGION=/, "is the setting of such a feed"],
  [/^deno task ingest --mapping/, "test/commands/mapping_command_test.ts runs it"],
  [
    /^deno task backup |deno task restore |^deno task move /,
    "test/commands/backup_test.ts runs it",
  ],
  [/^(pg_dump|createdb|pg_restore) /, "test/commands/backup_test.ts runs it with other names"],
  [/^(LOAD_\w+=\S+ )*deno task load$/, "a benchmark"],
  [/^deno task mutants|deno task soak/, "takes longer than all tests together"],
];
