/** Fields that every delivered result has (specification 2, Common result fields). */
import { z } from "zod";
import { Allowance, instant, Operation } from "./operation.ts";

export const delivered = {
  usage: Operation,
  request_allowance: Allowance,
  as_of: instant.describe(
    "When this was answered; of a listing, the moment up to which nothing is missing: the one to " +
      "pass on as since, with all its digits.",
  ),
  coverage_status: z.literal("partial")
    .describe("Always: what is missing here may well exist."),
  limitations: z.array(z.string())
    .describe(
      "limited_source_coverage; dataset_read_only, unless this search has asked a source; and " +
        "what else holds of this answer: " +
        "hybrid_unavailable and reduced_ranking, ranked by words alone; spelling_changed, a word or name that the " +
        "dataset does not know was searched for as the nearest one that it knows; " +
        "acquisition_incomplete, a source that was asked for more has failed or was late.",
    ),
  withheld_units: z.int().min(0).describe(
    "Delivered units that are missing here because they have lost their support since.",
  ),
};

export const nextCursor = z.string().nullable().describe(
  "For the next page, under a new key. Null when there is no further page.",
);

/** Limitations of every answer (specification 1, rules 3 and 4). */
export const LIMITATIONS = ["limited_source_coverage", "dataset_read_only"];
