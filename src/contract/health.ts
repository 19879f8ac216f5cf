/** Answers of the operational endpoints. */
import { z } from "zod";

export const Alive = z.strictObject({ status: z.literal("alive") });

export const Ready = z.strictObject({ status: z.literal("ready") });

export const NotReady = z.strictObject({
  status: z.literal("not ready"),
  reason: z.string().describe("The reason, for operators."),
  progress_percent: z.int().min(0).max(100).optional()
    .describe("Share of the index that is built, while it is being built."),
});
