/** Defines how the next page of a feed is found. */
import { z } from "zod";

const Path = z.string().min(1).describe(
  "Member of the JSON document outside of arrays, such as `links.next`. Empty, null or absent on " +
    "the last page.",
);
const Parameter = z.string().min(1).describe("Name of the parameter in the address.");

/** The member `pages` of a mapping. */
export const Pages = z.discriminatedUnion("by", [
  z.strictObject({
    by: z.literal("link"),
    path: Path.optional(),
  }).describe("The answer names the next address: in the header Link, or at `path`."),
  z.strictObject({
    by: z.literal("number"),
    parameter: Parameter,
    first: z.int().min(0).optional().describe("Number of the first page. Absent: 1."),
    step: z.int().min(1).optional()
      .describe("Difference of two numbers. Absent: 1. For offsets, the rows of a page."),
    size: z.int().min(1).optional()
      .describe("Rows of a full page; a shorter page is the last. Absent: a page without rows is."),
  }).describe("The address contains the number of the page, or the offset of its first row."),
  z.strictObject({
    by: z.literal("cursor"),
    parameter: Parameter,
    path: Path,
  }).describe("The answer contains the value of a parameter for the next address."),
]).describe("How a feed continues after an answer. Absent: one answer contains all rows.");

export type Pages = z.infer<typeof Pages>;
