/** Defines the mappings of job boards, which say where the facts of a posting are. */
import { z } from "zod";

const Path = z.string().min(1);

/** Conditions on a member: its value as text is one of a list. */
const Condition = z.strictObject({ path: Path, in: z.array(z.string()) });

/** A place, or one place for each element of the list at `each`. */
const Place = z.strictObject({
  each: Path.optional(),
  /** The place in the board's words. */
  text: Path.optional(),
  city: Path.optional(),
  region: Path.optional(),
  /** Name of the country, which is shown if the text lacks it. */
  country: Path.optional(),
  /** ISO 3166-1 code of the country, which is not shown. */
  country_code: Path.optional(),
});

const Pay = z.strictObject({
  each: Path.optional(),
  only: Condition.optional(),
  min: Path,
  max: Path,
  currency: Path,
  period: Path,
});

/** A text, of which the first filled alternative counts, or the lines of each element of a list. */
const Text = z.union([
  z.array(Path).min(1),
  z.strictObject({ each: Path, lines: z.array(Path).min(1) }),
]);

/** The requests for boards. One answer contains all open postings of a board. */
const BoardRequest = z.strictObject({
  /** Base address. Below an address without `{board}`, each board has a folder. */
  address: z.string(),
  /** The rest of the address after the board. */
  path: z.string(),
  accept: z.string().optional(),
  /** The meaning of a board's name in words, and its pattern. */
  target: z.strictObject({ meaning: z.string(), pattern: z.string() }),
});

/**
 * A mapping of a job board. A path leads to a member by the names before it, with dots between
 * them. `*` stands for all elements of a list.
 */
export const BoardMapping = z.strictObject({
  source: z.string(),
  title: z.string(),
  /** The interface, in words of the licence: "Lever's public Postings API". */
  api: z.string(),
  natural_key: z.string(),
  /** Facts that are left out, in addition to those that are left out from all boards. */
  left_out: z.string(),
  remote: BoardRequest,
  /** JSON: the member with the postings. Absent: the document is the list. */
  array: z.string().optional(),
  /** The name of the elements that are postings, if the format is XML. */
  element: z.string().optional(),
  id: Path,
  job: Path,
  /** The address of the posting: a path, or a template with paths and `{board}`. */
  url: Path,
  /**
   * Pattern of the hostname, path and query of addresses at the board's host. The first filled
   * group is the name of the board.
   */
  hosts: z.string().optional(),
  board: Path.optional(),
  /**
   * True if employers show postings on sites of their own. The hostname of such a site, or that of
   * the company that the operator stated, identifies the records if no board is known.
   */
  own_sites: z.boolean().optional(),
  employer: Path.optional(),
  posted_at: z.strictObject({
    path: Path,
    /** A form of dates, as in mappings of records. Absent: ISO 8601. */
    form: z.string().optional(),
  }),
  /** The time of the last change. It is used for a posting without a time of publication. */
  updated_at: Path.optional(),
  expires_at: Path.optional(),
  department: z.array(Path).optional(),
  commitment: z.array(Path).optional(),
  /** Words for the workplace, or a member that is true for a workplace. The first match counts. */
  workplace: z.array(z.union([
    Path,
    z.strictObject({ path: Path, means: z.enum(["on_site", "hybrid", "remote"]) }),
  ])).optional(),
  places: z.array(Place).min(1),
  pay: z.array(Pay).optional(),
  /** Pay that the board asks not to show is not read. */
  pay_hidden: Condition.optional(),
  /** Texts about the pay alone, which are read before the text of the posting. */
  pay_text: Path.optional(),
  text: z.array(Text).optional(),
  leave_out: z.array(Condition.extend({ reason: z.string() })).optional(),
});

export type BoardMapping = z.infer<typeof BoardMapping>;
export type BoardPlace = z.infer<typeof Place>;

/** Lists the paths that a mapping reads, except those of conditions and of long texts. */
export function pathsOf(mapping: BoardMapping): string[] {
  const { department = [], commitment = [], workplace = [], places, pay = [] } = mapping;
  const within = (each: string | undefined, paths: readonly string[]) =>
    each === undefined ? paths : paths.map((path) => `${each}.*.${path}`);
  const { id, job, url, board, employer, posted_at, updated_at, expires_at } = mapping;
  return [
    ...[id, job, url, board, employer, posted_at.path, updated_at, expires_at],
    ...department,
    ...commitment,
    ...workplace.map((one) => typeof one === "string" ? one : one.path),
    ...places.flatMap(({ each, ...paths }) => within(each, Object.values(paths))),
    ...pay.flatMap(({ each, only: _, ...paths }) => within(each, Object.values(paths))),
  ].filter((path) => path !== undefined);
}
