/** Plants one violation in each run. The checker has to report it. */
import assert from "node:assert/strict";
import { type Evidence, findViolations, type ViolationKind } from "./checker.ts";
import { type CallRecord, digest, History, readAnswer } from "./history.ts";
import type { CounterRow, OperationRow, SettlementRow } from "./ledger_state.ts";
import { LogScanner } from "./log_scanner.ts";

/** A run in which a fault can be planted. Its rows are not shared with other runs. */
interface Run {
  history: History;
  operations: OperationRow[];
  settlements: SettlementRow[];
  counters: CounterRow[];
  ledger: Omit<Evidence["ledger"], "operations" | "settlements" | "counters">;
  logs: LogScanner;
}

const USAGE = {
  id: 1,
  status: "delivered",
  request_key: "k",
  request_units: 1,
  delivered_units: 2,
  fresh_evidence_units: 0,
} as const;

/** Returns the body of a delivered search: two companies with one observation each. */
function body(part: object = {}, { shown = [7, 8], fact = "It is so." } = {}) {
  return {
    usage: USAGE,
    request_allowance: { window_seconds: 1, window_remaining: 1, weekly_remaining: 1 },
    delivery_unit: "company",
    withheld_units: 2 - shown.length,
    next_cursor: "c",
    coverage: { stop_reason: "limit_reached" },
    companies: shown.map((id) => ({ id, observations: [{ id: id * 10, observed_fact: fact }] })),
    ...part,
  };
}

function call(raw: { status?: number; body: object } | null, part: Partial<CallRecord> = {}) {
  return {
    account_id: 3,
    request_key: "k",
    action: "search_companies",
    meaning: digest("a search"),
    replica: "a",
    door: "http",
    started: 0,
    ended: 1,
    answer: raw && readAnswer(raw.status ?? 200, raw.body, false),
    ...part,
  } satisfies CallRecord;
}

const OPERATION: OperationRow = {
  id: 1,
  account_id: 3,
  subscription_id: 4,
  request_key: "k",
  status: "delivered",
  failure_code: null,
  delivered_units: 2,
  stored_units: 2,
};

/**
 * Returns a run without violations: a lost call, a search, its retry, a poll, an ingested record.
 */
function rightRun(): Run {
  const history = new History();
  history.calls.push(
    call(null),
    call({ body: body() }),
    call({ body: body() }, { replica: "b", door: "mcp" }),
    call({ body: body() }, { action: "get_operation", request_key: null }),
  );
  history.acknowledged.add("invented/1");
  const settlement = { operation_id: 1, subscription_id: 4, request_units: 1, delivered_units: 2 };
  const report = {
    subscription: {
      plan: "builder",
      status: "active",
      current_period_start: "2026-01-01T00:00:00Z",
      current_period_end: "2026-02-01T00:00:00Z",
    },
    usage: {
      request_units: 1,
      weekly_request_units: 1,
      delivered_units: 2,
      weekly_delivered_units: 2,
      fresh_evidence_units: 0,
    },
    limits: {
      request_units: 9,
      weekly_request_units: 9,
      delivered_units: 9,
      weekly_delivered_units: 9,
    },
    reservations: { request_units: 0, delivered_units: 0 },
  };
  return {
    history,
    operations: [{ ...OPERATION }],
    settlements: [{ ...settlement, window_start: 100 }],
    counters: [{
      account_id: 3,
      subscription_id: 4,
      window_start: 100,
      window_request_units: 1,
      window_delivered_units: 2,
      week_request_units: 1,
      week_delivered_units: 2,
      reserved_request_units: 0,
      reserved_delivered_units: 0,
      limit_request_units: 9,
      limit_week_request_units: 9,
      limit_week_delivered_units: 9,
      limit_delivered_units: 9,
    }],
    ledger: {
      reports: [{ account_id: 3, replica: "a", report }],
      differences: [],
      messages: 0,
      visible: new Set(["invented/1"]),
    },
    logs: new LogScanner(),
  };
}

function judge({ history, ledger, operations, settlements, counters, logs }: Run) {
  return findViolations({
    history,
    ledger: { ...ledger, operations, settlements, counters },
    leaks: logs.leaks,
  });
}

/** Functions that plant a fault, by the violation that the checker has to report for each. */
const PLANTED: Record<ViolationKind, ((run: Run) => void)[]> = {
  counters_differ: [
    ({ counters }) => void counters[0]!.week_request_units++,
    ({ counters }) => void counters[0]!.window_delivered_units--,
  ],
  report_differs: [({ ledger }) => void ledger.reports[0]!.report.usage.weekly_delivered_units++],
  verify_differs: [(run) => void (run.ledger = { ...run.ledger, differences: [{ what: "x" }] })],
  limit_exceeded: [
    ({ counters }) => void (counters[0]!.limit_request_units = 0),
    ({ counters }) => void (counters[0]!.limit_delivered_units = 1),
    ({ counters }) => void (counters[0]!.limit_week_request_units = 0),
    ({ counters }) => void (counters[0]!.limit_week_delivered_units = 1),
  ],
  reservation_left: [
    ({ counters }) => void counters[0]!.reserved_delivered_units++,
    ({ ledger }) => void ledger.reports[0]!.report.reservations.request_units++,
  ],
  operation_unfinished: [({ operations }) => void (operations[0]!.status = "processing")],
  message_left: [(run) => void (run.ledger = { ...run.ledger, messages: 1 })],
  settled_twice: [({ settlements }) => void settlements.push({ ...settlements[0]! })],
  settled_without_result: [
    ({ operations }) => void (operations[0]!.status = "failed"),
    ({ operations }) => void operations.pop(),
  ],
  delivered_without_settlement: [({ settlements }) => void settlements.pop()],
  units_differ: [
    ({ settlements }) => void settlements[0]!.delivered_units++,
    ({ operations }) => void (operations[0]!.delivered_units = 1),
  ],
  two_operations: [
    ({ operations }) => void operations.push({ ...OPERATION, id: 2 }),
    ({ history }) => history.calls.push(call({ body: body({ usage: { ...USAGE, id: 2 } }) })),
  ],
  two_outcomes: [({ history }) => {
    const usage = { ...USAGE, status: "failed" };
    history.calls.push(call({ status: 422, body: { usage, error: { code: "usage_failed" } } }));
  }],
  two_meanings: [({ history }) => {
    history.calls.push(call({ body: body() }, { meaning: digest("another search") }));
  }],
  operation_lost: [({ operations }) => void operations.pop()],
  operation_unasked: [({ operations }) => {
    operations.push({ ...OPERATION, id: 2, request_key: "nobody's" });
  }],
  refused_and_stored: [({ history, operations }) => {
    const refused = { status: 429, body: { error: { code: "request_limit_reached" } } };
    history.calls.push(call(refused, { request_key: "refused" }));
    operations.push({ ...OPERATION, id: 2, request_key: "refused" });
  }],
  work_failed: [
    ({ operations }) =>
      void Object.assign(operations[0]!, { status: "failed", failure_code: "usage_failed" }),
    ({ operations }) => void (operations[0]!.status = "expired"),
  ],
  answers_differ: [
    ({ history }) => history.calls.push(call({ body: body({ next_cursor: "d" }) })),
    ({ history }) => history.calls.push(call({ body: body({}, { shown: [8, 7] }) })),
    ({ history }) => history.calls.push(call({ body: body({}, { shown: [7] }) })),
    ({ history }) => history.calls.push(call({ body: body({}, { fact: "It is not." }) })),
    ({ history }) => {
      history.calls.push(call({ body: body({ usage: { ...USAGE, fresh_evidence_units: 1 } }) }));
    },
    ({ history }) => {
      history.calls.push(call({ body: body({ lookups: [{ id: 7, status: "not_found" }] }) }));
    },
  ],
  units_unaccounted: [
    ({ history }) => history.calls.push(call({ body: body({ withheld_units: 1 }) })),
  ],
  ingest_lost: [({ history }) => void history.acknowledged.add("invented/2")],
  internal_error: [({ history }) => {
    const defect = { status: 500, body: { error: { code: "internal_error" } } };
    history.calls.push(call(defect, { request_key: null }));
  }],
  secret_logged: [
    ({ logs }) => logs.add("a", `{"message":"request","key":"ce_${"a".repeat(38)}"}`),
    ({ logs }) => logs.add("a", '{"message":"request","query":"zqbadefi"}'),
  ],
};

Deno.test("findViolations() returns nothing for a run without violations", () => {
  assert.deepEqual(judge(rightRun()), []);
});

for (const [kind, plants] of Object.entries(PLANTED)) {
  Deno.test(`findViolations() reports ${kind}`, () => {
    for (const plant of plants) {
      const run = rightRun();
      plant(run);
      const kinds = judge(run).map((violation) => violation.kind);
      assert.ok(kinds.includes(kind as ViolationKind), `${plant}: ${kinds}`);
    }
  });
}

Deno.test("findViolations() accepts withdrawals, refusals and expected failures", () => {
  const run = rightRun();
  const { history, operations } = run;
  history.disturbed.add("c8");
  history.calls.push(call({ body: body({}, { shown: [7] }) }));
  const refused = { status: 422, body: { error: { code: "idempotency_conflict" } } };
  history.calls.push(call(refused, { meaning: digest("another search") }));
  history.may_fail.add("3/gone");
  history.calls.push(call(null, { request_key: "gone" }));
  const expired = { ...OPERATION, id: 2, request_key: "gone", stored_units: null };
  operations.push({ ...expired, status: "expired", delivered_units: 0 });
  assert.deepEqual(judge(run), []);
});
