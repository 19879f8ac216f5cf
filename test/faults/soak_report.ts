/** The Markdown that a soak prints at its end. */
import type { Violation } from "./checker.ts";
import type { History } from "./history.ts";
import type { MemoryReport } from "./soak_memory.ts";

export interface SoakResult {
  seed: number;
  minutes: number;
  observations: number;
  operations: number;
  settlements: number;
  differences: number;
  /** Exit code of `admin usage verify`. */
  verify: number;
  faults: Record<string, number>;
  changes: Record<string, number>;
  memory: ReadonlyMap<string, MemoryReport>;
  violations: readonly Violation[];
  problems: readonly string[];
  history: History;
}

const MEBIBYTE = 1024 * 1024;
const VIOLATIONS_SHOWN = 30;
/**
 * Min minutes of a run whose quarters are compared. The quarters of shorter runs differ by garbage
 * that is not collected yet.
 */
const GROWTH_MINUTES = 20;

/** Returns the reasons why a soak has failed; an empty list if it succeeded. */
export function reasonsOfFailure(result: SoakResult): string[] {
  const { violations, problems, verify, differences, memory, minutes } = result;
  return [
    ...violations.slice(0, VIOLATIONS_SHOWN).map(({ kind, detail }) => `${kind}: ${detail}`),
    ...violations.length > VIOLATIONS_SHOWN ? [`${violations.length} violations in all`] : [],
    ...problems,
    ...differences > 0 || verify !== 0 ? [`admin usage verify exits with ${verify}`] : [],
    ...[...memory].flatMap(([name, { grows, isTooLarge }]) => [
      // Only the first replica runs from the start to the end.
      ...grows && name === "a" && minutes >= GROWTH_MINUTES
        ? [`the memory of replica ${name} grows`]
        : [],
      ...isTooLarge ? [`the memory of replica ${name} is too large`] : [],
    ]),
  ];
}

/** Returns tables of the counts and the memory, and the reasons if the soak has failed. */
export function describeSoak(result: SoakResult): string {
  const reasons = reasonsOfFailure(result);
  const faults = Object.values(result.faults).reduce((sum, count) => sum + count, 0);
  return [
    table(["soak", ""], [
      ["minutes", result.minutes.toFixed(1)],
      ["seed", result.seed],
      ["observations", result.observations],
      ["faults", faults],
      ["calls", result.history.calls.length],
      ["operations", result.operations],
      ["settlements", result.settlements],
      ["differences", result.differences],
      ["violations", result.violations.length],
      ["`admin usage verify`", `exit ${result.verify}`],
    ]),
    table(["faults", "count"], sorted(result.faults)),
    table(["calls by outcome", "count"], sorted(countOutcomes(result.history))),
    table(["changes of the dataset", "count"], sorted(result.changes)),
    table(
      ["resident memory, MiB", "after warm-up", "1st", "2nd", "3rd", "4th quarter", "max"],
      [...result.memory].map(([name, { warm, quarters, max }]) => [
        name === "a" ? "replica a, never restarted" : `replica ${name}, restarted`,
        ...[warm, ...quarters, max].map((bytes) => (bytes / MEBIBYTE).toFixed(0)),
      ]),
    ),
    ...reasons.length > 0 ? [["FAILED:", ...reasons.map((one) => `- ${one}`)].join("\n")] : [],
  ].join("\n\n");
}

function countOutcomes({ calls }: History): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { answer } of calls) {
    const outcome = answer === null ? "lost" : answer.code ??
      (answer.status === 202 ? "accepted" : answer.replayed ? "replayed" : "answered");
    counts[outcome] = (counts[outcome] ?? 0) + 1;
  }
  return counts;
}

function sorted(counts: Record<string, number>): [string, number][] {
  return Object.entries(counts).sort(([, a], [, b]) => b - a);
}

function table(head: string[], rows: (string | number)[][]): string {
  const lines = [head, head.map((_, n) => n === 0 ? "---" : "---:"), ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
