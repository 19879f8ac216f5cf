/**
 * The rules of metering: ledger, counters and reports agree, and no work or reservation is left.
 */
import type { Violation, ViolationKind } from "./checker.ts";
import type { CounterRow, LedgerState } from "./ledger_state.ts";

/** Returns every breach of the rules of metering. */
export function findMeteringFaults(ledger: LedgerState): Violation[] {
  const { differences, messages, operations } = ledger;
  const unfinished = operations.filter(({ status }) =>
    status === "pending" || status === "processing"
  );
  return [
    ...differences.map((one) => fault("verify_differs", JSON.stringify(one))),
    ...messages > 0 ? [fault("message_left", `${messages}`)] : [],
    ...unfinished.map(({ id, status }) => fault("operation_unfinished", `${id} ${status}`)),
    ...ledger.counters.flatMap((counter) => findCounterFaults(counter, ledger)),
    ...findSettlementFaults(ledger),
  ];
}

function fault(kind: ViolationKind, detail: string): Violation {
  return { kind, detail };
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

function findCounterFaults(counter: CounterRow, { settlements, reports }: LedgerState) {
  const { subscription_id, account_id } = counter;
  const rows = settlements.filter((row) => row.subscription_id === subscription_id);
  const current = rows.filter(({ window_start }) => window_start >= counter.window_start);
  const expected = {
    window_request_units: sum(current.map(({ request_units }) => request_units)),
    window_delivered_units: sum(current.map(({ delivered_units }) => delivered_units)),
    week_request_units: sum(rows.map(({ request_units }) => request_units)),
    week_delivered_units: sum(rows.map(({ delivered_units }) => delivered_units)),
  };
  const faults: Violation[] = [];
  for (const [name, units] of Object.entries(expected)) {
    const counted = counter[name as keyof typeof expected];
    if (counted !== units) {
      faults.push(
        fault("counters_differ", `${subscription_id} ${name}: ${counted}, ledger ${units}`),
      );
    }
  }
  for (const window of new Set(rows.map(({ window_start }) => window_start))) {
    const windowRows = rows.filter(({ window_start }) => window_start === window);
    const requests = sum(windowRows.map(({ request_units }) => request_units));
    const delivered = sum(windowRows.map(({ delivered_units }) => delivered_units));
    if (requests > counter.limit_request_units || delivered > counter.limit_delivered_units) {
      faults.push(fault("limit_exceeded", `${subscription_id}: ${requests}, ${delivered}`));
    }
  }
  const { week_request_units, week_delivered_units } = expected;
  if (
    week_request_units > counter.limit_week_request_units ||
    week_delivered_units > counter.limit_week_delivered_units
  ) {
    const week = `${subscription_id} in its week: ${week_request_units}, ${week_delivered_units}`;
    faults.push(fault("limit_exceeded", week));
  }
  if (counter.reserved_request_units + counter.reserved_delivered_units !== 0) {
    faults.push(fault("reservation_left", `${subscription_id}`));
  }
  for (const { report, replica } of reports.filter((one) => one.account_id === account_id)) {
    const { usage, reservations } = report;
    const reported = [usage.weekly_request_units, usage.weekly_delivered_units];
    const derived = [expected.week_request_units, expected.week_delivered_units];
    if (reported.join() !== derived.join()) {
      const units = `${reported}, ledger ${derived}`;
      faults.push(fault("report_differs", `${account_id} at ${replica}: ${units}`));
    }
    if (reservations.request_units + reservations.delivered_units !== 0) {
      faults.push(fault("reservation_left", `${account_id} as reported by ${replica}`));
    }
  }
  return faults;
}

function findSettlementFaults({ settlements, operations }: LedgerState): Violation[] {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  const counts = new Map<number, number>();
  const faults: Violation[] = [];
  for (const { operation_id, delivered_units } of settlements) {
    counts.set(operation_id, (counts.get(operation_id) ?? 0) + 1);
    const operation = byId.get(operation_id);
    if (operation === undefined || operation.status !== "delivered") {
      faults.push(fault("settled_without_result", `${operation_id} ${operation?.status}`));
    } else if (operation.stored_units !== delivered_units) {
      faults.push(
        fault("units_differ", `${operation_id}: ${delivered_units}, ${operation.stored_units}`),
      );
    }
  }
  for (const [id, count] of counts) {
    if (count > 1) faults.push(fault("settled_twice", `${id}: ${count} settlements`));
  }
  for (const { id, status } of operations) {
    if (status === "delivered" && !counts.has(id)) {
      faults.push(fault("delivered_without_settlement", `${id}`));
    }
  }
  return faults;
}
