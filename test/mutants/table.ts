/** The tables of mutants in Markdown. */
import type { Mutant } from "./mutant.ts";
import type { Verdict } from "./run.ts";

/** Returns the table of the documentation: each mutant, its broken promise, and its test. */
export function mutantTable(mutants: readonly Mutant[]): string {
  return table(
    ["mutant", "broken promise", "noticed by"],
    mutants.map((mutant) => [mutant.name, mutant.promise, noticedBy(mutant)]),
  );
}

/** Returns the table at the end of a run: the outcome of each mutant. */
export function resultTable(verdicts: readonly Verdict[]): string {
  return table(
    ["mutant", "outcome", "seconds", "broken promise"],
    verdicts.map(({ mutant, outcome, seconds }) => [
      mutant.name,
      mutant.survives_because && outcome === "survived"
        ? `survived: ${mutant.survives_because}`
        : outcome,
      seconds.toFixed(0),
      mutant.promise,
    ]),
  );
}

function noticedBy({ noticed_by, survives_because }: Mutant): string {
  if (survives_because !== undefined) return `no test: ${survives_because}`;
  return noticed_by.file.replace(/^test\//, "");
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) =>
    `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
