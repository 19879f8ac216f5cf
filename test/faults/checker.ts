/**
 * Judges a run by the answers that clients saw, the state of the database, and secrets in the logs.
 * Each rule is a condition that has to hold after every scenario.
 */
import type { Answer, CallRecord, History } from "./history.ts";
import { findDisagreements } from "./checker_answers.ts";
import { findMeteringFaults } from "./checker_metering.ts";
import type { LedgerState, OperationRow } from "./ledger_state.ts";

export type ViolationKind =
  | "counters_differ"
  | "report_differs"
  | "verify_differs"
  | "limit_exceeded"
  | "reservation_left"
  | "operation_unfinished"
  | "message_left"
  | "settled_twice"
  | "settled_without_result"
  | "delivered_without_settlement"
  | "units_differ"
  | "two_operations"
  | "two_outcomes"
  | "two_meanings"
  | "operation_lost"
  | "operation_unasked"
  | "refused_and_stored"
  | "work_failed"
  | "answers_differ"
  | "units_unaccounted"
  | "ingest_lost"
  | "internal_error"
  | "secret_logged";

export interface Violation {
  kind: ViolationKind;
  detail: string;
}

export interface Evidence {
  history: History;
  ledger: LedgerState;
  /** Log lines that contain a secret. */
  leaks: readonly string[];
}

/**
 * All calls with one request key of one account, and the operations that the database has for it.
 */
export interface KeyStory {
  name: string;
  calls: CallRecord[];
  operations: OperationRow[];
}

/** Returns every breach of the conditions; an empty list if there is none. */
export function findViolations({ history, ledger, leaks }: Evidence): Violation[] {
  const stories = groupByKey(history, ledger);
  return [
    ...findMeteringFaults(ledger),
    ...stories.flatMap((story) => findOutcomeFaults(story, history)),
    ...stories.flatMap((story) => findDisagreements(story, { history, ledger })),
    ...history.calls
      .filter(({ answer }) => answer?.status === 500 || answer?.code === "internal_error")
      .map((call) => violation("internal_error", `${call.action} at ${call.replica}`)),
    ...[...history.acknowledged]
      .filter((name) => !ledger.visible.has(name))
      .map((name) => violation("ingest_lost", name)),
    ...leaks.map((line) => violation("secret_logged", line.slice(0, 300))),
  ];
}

export function violation(kind: ViolationKind, detail: string): Violation {
  return { kind, detail };
}

/** Groups calls by key. A poll belongs to the key that its answer names. */
function groupByKey({ calls }: History, { operations }: LedgerState): KeyStory[] {
  const stories = new Map<string, KeyStory>();
  const storyOf = (account_id: number, request_key: string) => {
    const name = `${account_id}/${request_key}`;
    const story = stories.get(name) ?? { name, calls: [], operations: [] };
    stories.set(name, story);
    return story;
  };
  for (const call of calls) {
    const request_key = call.request_key ?? call.answer?.usage?.request_key;
    if (typeof request_key === "string") storyOf(call.account_id, request_key).calls.push(call);
  }
  for (const operation of operations) {
    storyOf(operation.account_id, operation.request_key).operations.push(operation);
  }
  return [...stories.values()];
}

/** Returns whether an answer is about a stored operation, and not about a refused request. */
function isAboutOperation({ usage }: Answer): boolean {
  return usage !== null;
}

/** Returns the outcome of the operation at the time of the answer; null if it had not ended. */
function outcomeOf({ status, code, usage }: Answer): string | null {
  if (usage === null || status === 202) return null;
  return code ?? usage.status;
}

/**
 * Returns whether an answer proves that its request was refused before a claim. A 401 or 503 does
 * not: a key may be revoked, or the database become unreachable, after the claim.
 */
function isRefusedBeforeClaim({ status, usage }: Answer): boolean {
  return usage === null && status !== 401 && status !== 503;
}

function findOutcomeFaults(story: KeyStory, history: History): Violation[] {
  const { name, calls, operations } = story;
  const answers = calls.flatMap(({ answer }) => answer ?? []);
  const about = answers.filter(isAboutOperation);
  const ids = new Set([...about.map(({ usage }) => usage!.id), ...operations.map(({ id }) => id)]);
  const outcomes = new Set(about.flatMap((answer) => outcomeOf(answer) ?? []));
  const accepted = calls.filter(({ answer, request_key }) =>
    answer !== null && request_key !== null && isAboutOperation(answer)
  );
  const faults: Violation[] = [];
  const report = (kind: ViolationKind, detail: string) =>
    faults.push(violation(kind, `${name}: ${detail}`));
  if (ids.size > 1) report("two_operations", [...ids].join());
  if (outcomes.size > 1) report("two_outcomes", [...outcomes].join());
  if (new Set(accepted.map(({ meaning }) => meaning)).size > 1) {
    report("two_meanings", accepted.map(({ meaning }) => meaning).join());
  }
  if (about.length > 0 && operations.length === 0) report("operation_lost", `of ${[...ids]}`);
  if (calls.length === 0) report("operation_unasked", `${operations[0]!.id}`);
  const onlyRefused = calls.length > 0 &&
    calls.every(({ answer }) => answer !== null && isRefusedBeforeClaim(answer));
  if (onlyRefused && operations.length > 0) report("refused_and_stored", answers[0]!.code!);
  for (const { status, failure_code } of operations) {
    const isBad = failure_code === "usage_failed" || status === "expired";
    if (isBad && !history.may_fail.has(name)) report("work_failed", failure_code ?? status);
  }
  return faults;
}
