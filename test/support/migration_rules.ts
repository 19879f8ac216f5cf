/**
 * Rules of migrations that run while processes of the previous version serve (CONTRIBUTING.md).
 */

interface Rule {
  fault: string;
  pattern: RegExp;
  /** Pattern of statements that are harmless although they match `pattern`. */
  unless?: RegExp;
  /** True if the statement is harmless for a table that the same script creates. */
  new_table?: boolean;
}

const RULES: readonly Rule[] = [
  { fault: "removes", pattern: /\bdrop\b/ },
  { fault: "renames", pattern: /\brename\b/ },
  { fault: "changes a type", pattern: /^alter type\b|\balter (column )?\w+ (set data )?type\b/ },
  { fault: "requires a value", pattern: /\bset not null\b/ },
  { fault: "requires a value", pattern: /\badd column .*\bnot null\b/, unless: /\bdefault\b/ },
  {
    fault: "checks all rows",
    pattern: /\badd constraint .*\b(check|foreign key|references)\b/,
    unless: /\bnot valid\b/,
    new_table: true,
  },
  {
    fault: "builds an index",
    pattern: /^create (unique )?index\b/,
    unless: /\bindex if not exists\b/,
    new_table: true,
  },
];

/**
 * Returns the faults of a migration, each with the first words of its statement. A statement after
 * the comment `-- contract: REASON` is not checked, because no supported version notices it.
 */
export function migrationFaults(text: string): string[] {
  const statements = text.replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''").split(/;\s*$/m);
  const created = new Set(statements.flatMap((one) => tableOf(one, /^create table (\w+)/) ?? []));
  return statements.flatMap((whole) => {
    if (/^\s*-- contract: \S/m.test(whole)) return [];
    const statement = withoutComments(whole);
    const table = tableOf(whole, /^(?:alter table|create (?:unique )?index .*? on) (\w+)/);
    return RULES
      .filter(({ pattern, unless, new_table = false }) =>
        pattern.test(statement) && !unless?.test(statement) &&
        !(new_table && table !== undefined && created.has(table))
      )
      .map(({ fault }) => `${fault}: ${statement.split(" ").slice(0, 5).join(" ")}`);
  });
}

function withoutComments(statement: string): string {
  return statement.replaceAll(/--.*$/gm, "").replaceAll(/\s+/g, " ").trim().toLowerCase();
}

function tableOf(statement: string, pattern: RegExp): string | undefined {
  return pattern.exec(withoutComments(statement))?.[1];
}
