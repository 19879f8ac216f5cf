/** Operation and Allowance (specification 2), the error envelope (7), the usage report (2). */
import { z } from "zod";

const units = z.int().min(0);
export const instant = z.iso.datetime({ offset: true });

/** The `usage` object. */
export const Operation = z.strictObject({
  id: z.int().min(1),
  status: z.enum(["pending", "processing", "delivered", "failed"]),
  request_key: z.string(),
  request_units: units,
  delivered_units: units,
  fresh_evidence_units: units,
});
export type Operation = z.infer<typeof Operation>;

/** The `request_allowance` object: request units left in this window and week. */
export const Allowance = z.strictObject({
  window_seconds: units,
  window_remaining: units,
  weekly_remaining: units,
});
export type Allowance = z.infer<typeof Allowance>;

/** The answer about an operation that is pending or processing, with HTTP status 202. */
export const PendingResult = z.strictObject({ usage: Operation, request_allowance: Allowance });
export type PendingResult = z.infer<typeof PendingResult>;

export const ErrorEnvelope = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    retry_at: instant.optional(),
    retry_after_seconds: units.optional(),
  }),
  usage: Operation.optional(),
  request_allowance: Allowance.optional(),
});
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>;

/** The subscription usage report. Unprefixed amounts are those of the current window. */
export const UsageReport = z.strictObject({
  subscription: z.strictObject({
    plan: z.string(),
    status: z.string(),
    current_period_start: instant,
    current_period_end: instant,
  }),
  usage: z.strictObject({
    request_units: units,
    weekly_request_units: units,
    delivered_units: units,
    weekly_delivered_units: units,
    fresh_evidence_units: units,
  }),
  limits: z.strictObject({
    request_units: units,
    weekly_request_units: units,
    delivered_units: units,
    weekly_delivered_units: units,
  }),
  reservations: z.strictObject({ request_units: units, delivered_units: units }),
});
export type UsageReport = z.infer<typeof UsageReport>;
