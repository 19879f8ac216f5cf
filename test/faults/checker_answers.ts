/** The rule that all answers to one request key agree, except for withdrawn content. */
import type { KeyStory, Violation, ViolationKind } from "./checker.ts";
import type { Answer, History } from "./history.ts";
import type { LedgerState } from "./ledger_state.ts";

/** Returns every disagreement among the answers to one request key, or of one with the ledger. */
export function findDisagreements(
  { name, calls, operations }: KeyStory,
  { history, ledger }: { history: History; ledger: LedgerState },
): Violation[] {
  const answers = calls.flatMap(({ answer }) => answer ?? [])
    .filter(({ status, usage }) => status === 200 && usage?.status === "delivered");
  const [first] = answers;
  if (first === undefined) return [];
  const faults: Violation[] = [];
  const report = (kind: ViolationKind, detail: string) => {
    faults.push({ kind, detail: `${name}: ${detail}` });
  };
  const settled = operations[0] && isSettled(ledger, operations[0].id);
  if (operations.length > 0 && !settled) report("delivered_without_settlement", "was answered");
  if (operations[0] && operations[0].delivered_units !== first.usage!.delivered_units) {
    report("units_differ", `answered ${first.usage!.delivered_units}`);
  }
  for (const answer of answers) {
    const withheld = answer.withheld_units ?? 0;
    if (answer.shown_units + withheld !== answer.usage!.delivered_units) {
      report("units_unaccounted", `${answer.shown_units} + ${withheld}`);
    }
    const difference = differenceOf(first, answer, history);
    if (difference !== undefined) report("answers_differ", difference);
  }
  return faults;
}

const settledIds = new WeakMap<LedgerState, Set<number>>();

function isSettled(ledger: LedgerState, id: number): boolean {
  const settled = settledIds.get(ledger) ??
    new Set(ledger.settlements.map(({ operation_id }) => operation_id));
  settledIds.set(ledger, settled);
  return settled.has(id);
}

function differenceOf(one: Answer, two: Answer, { disturbed }: History): string | undefined {
  if (JSON.stringify(one.usage) !== JSON.stringify(two.usage)) return "usage";
  if (one.frame !== two.frame) return "members that no withdrawal changes";
  const isDisturbed = (place: string) => place.split("/").some((part) => disturbed.has(part));
  const stable = (answer: Answer) =>
    JSON.stringify(answer.entries.filter(([place]) => !isDisturbed(place)));
  if (stable(one) !== stable(two)) return `entries ${stable(one)} and ${stable(two)}`;
  const outcomes = (answer: Answer) =>
    answer.lookups.filter(([, outcome]) => {
      const [status, company] = outcome.split(" ");
      return status !== "unavailable" && !disturbed.has(`c${company}`);
    });
  const shown = new Map(outcomes(one));
  for (const [target, outcome] of outcomes(two)) {
    if ((shown.get(target) ?? outcome) !== outcome) return `lookup of a target: ${outcome}`;
  }
  // A lookup outcome may be missing only if a company or an observation was hidden or changed.
  const isQuiet = disturbed.size === 0;
  if (isQuiet && JSON.stringify(one.lookups) !== JSON.stringify(two.lookups)) return "lookups";
}
