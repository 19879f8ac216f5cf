/** Reads job boards of employers on Greenhouse from its public Job Board API. */
import { decodeHTML } from "entities";
import { z } from "zod";
import { FIELD_CHARACTERS, LIST_ELEMENTS } from "../../record/field_bounds.ts";
import { textOf } from "../../mapping/template.ts";
import { textOfMarkup } from "../../text/clean_text.ts";
import { sourceOfBoard } from "../kit/job_board.ts";
import { workplaceOf, workplaceOfPlaces } from "../kit/job_terms.ts";
import mapping from "./mapping.json" with { type: "json" };

const text = z.string().max(FIELD_CHARACTERS).nullish().transform((text) => text ?? "");
const listOf = <Element extends z.ZodType>(element: Element) =>
  z.array(element).max(LIST_ELEMENTS).nullish().transform((list) => list ?? []);

/**
 * The members of a job that the mapping cannot read as they are
 * (developers.greenhouse.io/job-board.html).
 */
const GreenhouseJob = z.looseObject({
  location: z.object({ name: text }).nullish(),
  /** HTML whose tags are escaped as entities. The answer contains it only with `content=true`. */
  content: z.string().nullish().transform((content) => decodeHTML(content ?? "")),
  offices: listOf(z.object({ name: text, location: z.unknown() })),
  /** Custom fields of the employer. */
  metadata: listOf(z.object({ name: text, value: z.unknown() })),
  /** Pay ranges in cents. Titles describe the ranges: "Annual salary", "US, zone 1". */
  pay_input_ranges: listOf(z.object({
    min_cents: z.number().nullish(),
    max_cents: z.number().nullish(),
    currency_type: text,
    title: text,
  })),
});
type GreenhouseJob = z.output<typeof GreenhouseJob>;

/** Adds the members that the mapping reads. */
const schema = GreenhouseJob.transform((job) => ({
  ...job,
  commitment: metadataOf(job, /^(?:employment|job|time|position) ?type$|^commitment$/i),
  places: placesOf(job),
  workplace: workplaceOf(metadataOf(job, WORKPLACE_FIELD)) ??
    workplaceOfPlaces([job.location?.name ?? ""]),
  pay: payOf(job),
  pay_blocks: [...job.content.matchAll(PAY_BLOCK)].map(([, title, range]) =>
    `Pay, ${textOfMarkup(title!)}\n${textOfMarkup(range!)}`
  ),
}));

const WORKPLACE_FIELD =
  /^(?:work ?place|work|location|office)[ -]?(?:type|model|arrangement|policy)$|^work ?place$|^remote\??$/i;
const PAY_BLOCK = /<div class="title">([^<]*)<\/div>\s*<div class="pay-range">(.*?)<\/div>/gs;
const NO_PLACE =
  /^[\s\W]*(?:(?:fully |100% )?remote|hybrid|on-?site|in-?office|multiple(?: locations?)?|various(?: locations?)?|flexible|n\/a)?[\s\W]*$/i;

export const greenhouse = sourceOfBoard(mapping, schema);

/**
 * Returns the location. If it states only a kind of workplace, such as "Remote", the offices
 * follow.
 */
function placesOf({ location, offices }: GreenhouseJob): string[] {
  const place = location?.name ?? "";
  if (!NO_PLACE.test(place)) return [place];
  const named = offices.map(({ name, location }) => textOf(location) || name);
  return [place, ...named].filter((text) => text.trim() !== "");
}

function metadataOf({ metadata }: GreenhouseJob, name: RegExp): string {
  return textOf(metadata.find((field) => name.test(field.name.trim()))?.value);
}

const Range = z.object({
  unit: z.string(),
  min_value: z.coerce.number().nullish(),
  max_value: z.coerce.number().nullish(),
});

/** Returns the pay ranges, and those of custom fields. */
function payOf({ pay_input_ranges, metadata }: GreenhouseJob) {
  const units = (cents: number | null | undefined) => cents == null ? null : cents / 100;
  return [
    ...pay_input_ranges.map(({ min_cents, max_cents, currency_type: currency, title }) => (
      { min: units(min_cents), max: units(max_cents), currency, title }
    )),
    ...metadata.flatMap(({ name: title, value }) => {
      const { data } = Range.safeParse(value);
      if (!/\b(?:salary|pay|compensation)\b/i.test(title) || data === undefined) return [];
      return [{ min: data.min_value, max: data.max_value, currency: data.unit, title }];
    }),
  ];
}
