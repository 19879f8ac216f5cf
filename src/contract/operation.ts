/** Schemas of operations, allowances and usage reports (specification 2), and of errors (7). */
import { z } from "zod";

const units = z.int().min(0);
export const instant = z.iso.datetime({ offset: true });

/** The `usage` object. */
export const Operation = z.strictObject({
  id: z.int().min(1).describe("Id for polling the operation: GET /api/usages/{id}."),
  status: z.enum(["pending", "processing", "delivered", "failed"])
    .describe("pending and processing come with status 202; the other two are final."),
  request_key: z.string().describe("The idempotency key that names the operation."),
  request_units: units.describe("Request units settled: 0 until delivered, then 1."),
  delivered_units: units.describe("Delivered units settled, one for each distinct delivery unit."),
  fresh_evidence_units: units.describe("Delivered observations that this operation acquired."),
}).describe("One metered request, with its outcome and its cost.");
export type Operation = z.infer<typeof Operation>;

/** The `request_allowance` object: remaining request units of this window and week. */
export const Allowance = z.strictObject({
  window_seconds: units.describe("The length of a window."),
  window_remaining: units.describe("Request units left in this window."),
  weekly_remaining: units.describe("Request units left in this week."),
}).describe("The remaining request units of the subscription. All its keys share them.");
export type Allowance = z.infer<typeof Allowance>;

/** The answer about an operation that is pending or processing, with HTTP status 202. */
export const PendingResult = z.strictObject({ usage: Operation, request_allowance: Allowance })
  .describe("The operation is not finished: poll it, or repeat the request with the same key.");
export type PendingResult = z.infer<typeof PendingResult>;

export const ErrorEnvelope = z.strictObject({
  error: z.strictObject({
    code: z.string().describe("The code by which programs decide."),
    message: z.string()
      .describe("The message for people. It names the faulty field if there is one."),
    retry_at: instant.optional().describe("When the same request may succeed."),
    retry_after_seconds: units.optional().describe("Seconds from the refusal to retry_at."),
  }),
  usage: Operation.optional(),
  request_allowance: Allowance.optional(),
}).describe(
  "The request did not succeed. usage is present if a stored operation ended with this error.",
);
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

const subscription = z.strictObject({
  plan: z.string(),
  status: z.string().describe("active or trialing; requests with another status are refused."),
  current_period_start: instant,
  current_period_end: instant,
});

const limits = z.strictObject({
  request_units: units,
  weekly_request_units: units,
  delivered_units: units,
  weekly_delivered_units: units,
});

/** The subscription usage report. Unprefixed amounts are those of the current window. */
export const UsageReport = z.strictObject({
  subscription,
  usage: z.strictObject({
    request_units: units,
    weekly_request_units: units,
    delivered_units: units,
    weekly_delivered_units: units,
    fresh_evidence_units: units,
  }),
  limits,
  reservations: z.strictObject({ request_units: units, delivered_units: units })
    .describe("Units that are reserved for unfinished operations."),
}).describe(
  "The usage and the limits of the subscription. Amounts without weekly_ are those of the window.",
);
export type UsageReport = z.infer<typeof UsageReport>;

/** The result of a diagnostic. */
export const DiagnosticResult = z.strictObject({
  usage: Operation,
  request_allowance: Allowance,
  subscription,
  limits,
}).describe(
  "Subscription and limits at the time of the request, which took all steps of a metered request.",
);
export type DiagnosticResult = z.infer<typeof DiagnosticResult>;
