/**
 * Tells what an error of the database means: unavailable, answer lost, or a fault of a statement.
 */
import { Failure } from "../failures.ts";

/** Codes of the driver and the network for a connection that cannot be opened. */
const NO_CONNECTION_CODES = new Set(
  "EAI_AGAIN ECONNREFUSED EHOSTUNREACH ENETUNREACH ENOENT ENOTFOUND POOL_EXHAUSTED".split(" "),
);

/**
 * Codes after which the server may have executed the statement: the connection is lost or does not
 * answer, or the server has crashed (57P02), perhaps between the commit and its answer.
 */
const LOST_ANSWER_CODES = new Set(
  "CONNECTION_CLOSED DEADLINE ECONNRESET EPIPE ETIMEDOUT 57P02".split(" "),
);

/** Codes of the server for temporary conditions, with their names in PostgreSQL's appendix A. */
const SERVER_CODES = new Set([
  "25006", // read_only_sql_transaction: the primary has moved
  "25P03", // idle_in_transaction_session_timeout
  "53100", // disk_full
  "53200", // out_of_memory
  "40001", // serialization_failure
  "40P01", // deadlock_detected
  "53300", // too_many_connections
  "53400", // configuration_limit_exceeded
  "55P03", // lock_not_available: lock_timeout
  "57014", // query_canceled: statement_timeout
  "57P01", // admin_shutdown
  "57P03", // cannot_connect_now
  "57P05", // idle_session_timeout
]);

/**
 * Converts the error of a database call. If a retry may succeed, returns the Failure `unavailable`
 * with the error as its cause. Returns any other error unchanged.
 */
export function toFailure(error: unknown): unknown {
  return isTemporary(error) ? new Failure("unavailable", {}, { cause: error }) : error;
}

/** Returns whether an error means that the database cannot answer at present. */
export function isUnavailable(error: unknown): error is Failure & { code: "unavailable" } {
  return error instanceof Failure && error.code === "unavailable";
}

/**
 * Returns whether the statement may have been committed although its answer was lost. True for
 * LOST_ANSWER_CODES and for SQLSTATE class 08. False for any other error of the server, and if the
 * statement was never sent.
 */
export function isAnswerLost(error: unknown): boolean {
  const code = codeOf(error) ?? "";
  return LOST_ANSWER_CODES.has(code) || /^08...$/.test(code);
}

/** Returns whether an error means that a pooler does not keep sessions. */
export function isSessionLoss(error: unknown): boolean {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  // A statement that one client prepared is unknown to the next server process, or already there.
  return code === "26000" || code === "42P05" ||
    typeof message === "string" && message.includes("unsupported startup parameter");
}

/** An address of the database that leads through a pooler which does not keep sessions. */
export class SessionLost extends Error {
  constructor(cause?: unknown) {
    super(
      "The database's address leads through a pooler that does not keep sessions, such as " +
        "PgBouncer in transaction mode. Name the address of PostgreSQL itself: this program has " +
        "a pool of its own.",
      { cause },
    );
  }
}

/** Returns whether the database could not be reached, or could not finish the call in time. */
function isTemporary(error: unknown): boolean {
  if (error instanceof Failure) return false;
  const code = codeOf(error) ?? "";
  // ENOENT may also mean a missing file. Only a missing socket counts.
  if (code === "ENOENT") return (error as { syscall?: unknown }).syscall === "connect";
  return isAnswerLost(error) || SERVER_CODES.has(code) || NO_CONNECTION_CODES.has(code);
}

/**
 * Returns the code of an error, or of the cause of a Failure: a SQLSTATE, or a name such as
 * `DEADLINE`. Returns undefined if there is none.
 */
export function codeOf(error: unknown): string | undefined {
  const { code } = Object(error instanceof Failure ? error.cause : error) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}
