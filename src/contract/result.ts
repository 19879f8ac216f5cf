/** Parts that results share (specification 2, Common result fields). */
import { z } from "zod";
import { Allowance, instant, Operation } from "./operation.ts";

/** Fields of every delivered result. */
export const delivered = {
  usage: Operation,
  request_allowance: Allowance,
  as_of: instant.describe(
    "When this was answered. For a listing, the moment up to which nothing is missing: pass it " +
      "as the next since, with all its digits.",
  ),
  coverage_status: z.literal("partial")
    .describe("Always partial: a company or fact that is missing here may exist."),
  limitations: z.array(z.string())
    .describe(
      "Limitations of this answer. limited_source_coverage: always present. dataset_read_only: " +
        "no source was asked. hybrid_unavailable: ranked by words alone. " +
        "spelling_changed: a word or name that the dataset does not know was read as the nearest " +
        "known one. acquisition_incomplete: a source that was asked for more records failed or " +
        "was late.",
    ),
  withheld_units: z.int().min(0).describe(
    "Number of delivered units that are missing here, because they may no longer be shown.",
  ),
};

/** Cursor of the next page in every result with pages. */
export const nextCursor = z.string().nullable().describe(
  "Cursor of the next page, which needs a new key. Null if there is no further page.",
);

/** Limitations of every answer (specification 1, rules 3 and 4). */
export const LIMITATIONS = ["limited_source_coverage", "dataset_read_only"];
