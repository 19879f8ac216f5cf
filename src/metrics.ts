/**
 * Metrics of one process in Prometheus' format. Names and buckets of `http_server_*`, `db_client_*`
 * and `mcp_server_*` are those of OpenTelemetry's semantic conventions. No label names an account,
 * and none contains text of a caller.
 */
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Upper bounds of buckets, in seconds, that OpenTelemetry recommends for HTTP requests. */
const HTTP_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Upper bounds of buckets, in seconds, that OpenTelemetry recommends for database operations. */
const DB_BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10];
/** Upper bounds of buckets, in seconds, that OpenTelemetry recommends for MCP operations. */
const MCP_BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
/** Upper bounds of buckets, in seconds, for searches of the index, which take milliseconds. */
const SEARCH_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Door through which an operation was requested. */
export type Door = "http" | "mcp" | "background";

/**
 * Status of a request for a metered action. `delivered` and `failed` end an operation, `accepted`
 * queues one, and `replayed` repeats the answer to an earlier request. `refused` is the caller's
 * fault, and `error` is the service's.
 */
export type OperationStatus =
  | "delivered"
  | "failed"
  | "accepted"
  | "replayed"
  | "refused"
  | "error";

/** Units that an operation was charged, and new evidence that it brought. */
export interface ChargedUnits {
  request_units: number;
  delivered_units: number;
  fresh_evidence_units: number;
}

/** Codes of the refusals for an exhausted allowance. */
const ALLOWANCE_CODES = ["request_limit_reached", "delivery_limit_reached"] as const;

type Timed<Event> = Event & { seconds: number };

/** Everything that this process counts and times. */
export class Metrics {
  readonly registry = new Registry();
  readonly #http = this.#histogram(
    "http_server_request_duration_seconds",
    "Duration of HTTP requests, by route.",
    HTTP_BUCKETS,
    ["http_request_method", "http_route", "http_response_status_code"],
  );
  readonly #httpActive = new Gauge({
    name: "http_server_active_requests",
    help: "HTTP requests that have no answer yet.",
    registers: [this.registry],
  });
  readonly #mcp = this.#histogram(
    "mcp_server_operation_duration_seconds",
    "Duration of MCP requests, by method and tool.",
    MCP_BUCKETS,
    ["mcp_method_name", "gen_ai_tool_name", "error_type"],
  );
  readonly #db = this.#histogram(
    "db_client_operation_duration_seconds",
    "Duration of statements, without the wait for a connection.",
    DB_BUCKETS,
    ["db_system_name", "error_type"],
  );
  readonly #dbWait = this.#histogram(
    "db_client_connection_wait_time_seconds",
    "Time that statements waited for a connection of the pool.",
    DB_BUCKETS,
  );
  readonly #operations = this.#counter(
    "ce_operations_total",
    "Requests for metered actions, by status.",
    ["action", "door", "status"],
  );
  readonly #units = this.#counter(
    "ce_units_total",
    "Units that operations of this process were charged, and new evidence that they brought.",
    ["unit"],
  );
  readonly #refusals = this.#counter(
    "ce_allowance_refusals_total",
    "Requests that were refused because an allowance is used up.",
    ["code"],
  );
  readonly #leases = this.#counter(
    "ce_leases_expired_total",
    "Operations that this process has queued again because their lease expired.",
  );
  readonly #searches = this.#histogram(
    "ce_search_duration_seconds",
    "Duration of searches of the index.",
    SEARCH_BUCKETS,
  );
  readonly #records = this.#counter(
    "ce_source_records_total",
    "Records that this process has received from sources, by outcome.",
    ["source", "outcome"],
  );

  constructor() {
    // Series that alerts watch exist from the start, with zero.
    for (const code of ALLOWANCE_CODES) this.#refusals.inc({ code }, 0);
    for (const unit of ["request", "delivered", "fresh_evidence"]) this.#units.inc({ unit }, 0);
  }

  /** Counts an active request. Returns the function to call when it ends. */
  requestStarted(): () => void {
    this.#httpActive.inc();
    return () => this.#httpActive.dec();
  }

  /** Records an answer. @param route in the notation of the route table, never a path */
  requestEnded(
    { method, route, status, seconds }: Timed<{ method: string; route: string; status: number }>,
  ): void {
    this.#http.observe({
      http_request_method: method,
      http_route: route,
      http_response_status_code: status,
    }, seconds);
  }

  /**
   * Records an MCP request. The caller replaces the name of an unknown method by `_OTHER`, and
   * omits the name of an unknown tool.
   */
  mcpEnded(
    { method, tool = "", error = "", seconds }: Timed<{
      method: string;
      tool?: string;
      error?: string;
    }>,
  ): void {
    this.#mcp.observe(
      { mcp_method_name: method, gen_ai_tool_name: tool, error_type: error },
      seconds,
    );
  }

  /** Records a statement. */
  statementEnded(
    { waited_seconds, seconds, error = "" }: Timed<{ waited_seconds: number; error?: string }>,
  ): void {
    this.#dbWait.observe(waited_seconds);
    this.#db.observe({ db_system_name: "postgresql", error_type: error }, seconds);
  }

  /** Records the outcome of a request for a metered action. */
  operation(
    { action, door, status, code, units }: {
      action: string;
      door: Door;
      status: OperationStatus;
      /** Code of the failure or refusal. */
      code?: string;
      /** Present if this request was charged. */
      units?: ChargedUnits;
    },
  ): void {
    this.#operations.inc({ action, door, status });
    if (ALLOWANCE_CODES.some((one) => one === code)) this.#refusals.inc({ code });
    if (units === undefined) return;
    this.#units.inc({ unit: "request" }, units.request_units);
    this.#units.inc({ unit: "delivered" }, units.delivered_units);
    this.#units.inc({ unit: "fresh_evidence" }, units.fresh_evidence_units);
  }

  /** Counts operations that were queued again because their lease expired. */
  leasesExpired(count: number): void {
    this.#leases.inc(count);
  }

  /** Records a search of the index. */
  searched(seconds: number): void {
    this.#searches.observe(seconds);
  }

  /** Counts records of a source, such as `{recorded: 3, rejected: 1}`. */
  sourceRecords(source: string, counts: Readonly<Record<string, number>>): void {
    for (const [outcome, count] of Object.entries(counts)) {
      if (count > 0) this.#records.inc({ source, outcome }, count);
    }
  }

  #counter(name: string, help: string, labelNames: string[] = []): Counter {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  #histogram(name: string, help: string, buckets: number[], labelNames: string[] = []): Histogram {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}
