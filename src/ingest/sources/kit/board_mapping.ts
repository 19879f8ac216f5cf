/** Defines the mappings of job boards, which say where the facts of a posting are. */
import { z } from "zod";
import { neededInstant, neededText, webAddress } from "./job_board.ts";

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

/**
 * A mapping of a job board. A path leads to a member by the names before it, with dots between
 * them. `*` stands for all elements of a list.
 */
export const BoardMapping = z.strictObject({
  source: z.string(),
  title: z.string(),
  format: z.enum(["json", "xml"]),
  /** JSON: the member with the postings. Absent: the document is the list. */
  array: z.string().optional(),
  /** XML: the name of the elements that are postings. */
  element: z.string().optional(),
  id: z.strictObject({ path: Path, type: z.enum(["text", "number"]) }),
  job: Path,
  /** The address of the posting: a path, or a template with paths and `{board}`. */
  url: Path,
  /**
   * Pattern of the hostnames of boards. The board is the first group of the pattern or, without a
   * group, the first segment of the address's path.
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
    /** Milliseconds since 1970, or a form of dates as in mappings of records. Absent: ISO 8601. */
    form: z.string().optional(),
  }),
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
  text: z.array(Text).optional(),
  leave_out: z.array(Condition.extend({ reason: z.string() })).optional(),
});

export type BoardMapping = z.infer<typeof BoardMapping>;
export type BoardPlace = z.infer<typeof Place>;

/** Form of times that are numbers of milliseconds. */
export const MILLISECONDS = "milliseconds";

const optionalText = z.string().nullish();
const optionalNumber = z.union([z.number(), z.string()]).nullish();
const optionalScalar = z.union([z.string(), z.number(), z.boolean()]).nullish();
/** Last milliseconds of the year 2099. */
const MILLISECONDS_MAX = 4_102_444_800_000;

/** Lists the paths that a mapping reads, with the schemas of their values. */
function typesOf(mapping: BoardMapping): [path: string, type: z.ZodType][] {
  const { id, job, url, posted_at } = mapping;
  const within = (each: string | undefined, path: string) => each ? `${each}.*.${path}` : path;
  const named = (paths: readonly (string | undefined)[] | undefined): [string, z.ZodType][] =>
    (paths ?? []).flatMap((path) => path === undefined ? [] : [[path, optionalText]]);
  const conditions = [mapping.pay_hidden ?? [], mapping.leave_out ?? []].flat();
  return [
    [id.path, id.type === "number" ? z.int() : neededText],
    [job, neededText],
    ...(url.includes("{") ? [] : [[url, webAddress] as [string, z.ZodType]]),
    [
      posted_at.path,
      posted_at.form === undefined
        ? neededInstant
        : posted_at.form === MILLISECONDS
        ? z.int().min(0).max(MILLISECONDS_MAX)
        : neededText,
    ],
    ...named([mapping.board, mapping.employer, mapping.expires_at]),
    ...named(mapping.department),
    ...named(mapping.commitment),
    ...(mapping.workplace ?? []).map((one): [string, z.ZodType] =>
      typeof one === "string" ? [one, optionalText] : [one.path, optionalScalar]
    ),
    ...mapping.places.flatMap(({ each, ...members }) =>
      named(Object.values(members).map((path) => within(each, path)))
    ),
    ...(mapping.pay ?? []).flatMap(({ each, only, min, max, currency, period }) => [
      ...named([currency, period, ...only === undefined ? [] : [only.path]]
        .map((path) => within(each, path))),
      ...[min, max].map((path): [string, z.ZodType] => [within(each, path), optionalNumber]),
    ]),
    ...conditions.map(({ path }): [string, z.ZodType] => [path, optionalScalar]),
    ...(mapping.text ?? []).flatMap((text) =>
      named(Array.isArray(text) ? text : text.lines.map((path) => within(text.each, path)))
    ),
  ];
}

/** A node of the tree of paths. */
interface Node {
  type?: z.ZodType;
  members: Map<string, Node>;
}

/** Returns the schema of the members of a posting that a mapping reads. */
export function schemaOf(mapping: BoardMapping): z.ZodType {
  const root: Node = { members: new Map() };
  for (const [path, type] of typesOf(mapping)) {
    let node = root;
    for (const name of path.split(".")) {
      const next = node.members.get(name) ?? { members: new Map() };
      node.members.set(name, next);
      node = next;
    }
    node.type ??= type;
  }
  return objectOf(root, mapping.format === "xml");
}

function objectOf({ members }: Node, isXml: boolean): z.ZodType {
  return z.object(
    Object.fromEntries([...members].map(([name, node]) => [name, memberOf(node, isXml)])),
  );
}

function memberOf(node: Node, isXml: boolean): z.ZodType {
  if (node.type !== undefined) return node.type;
  const element = node.members.get("*");
  if (element === undefined) {
    const object = objectOf(node, isXml).nullish();
    // An element of XML without content is an empty text.
    return isXml ? z.preprocess((value) => value === "" ? undefined : value, object) : object;
  }
  const list = z.array(element.type ?? objectOf(element, isXml)).nullish();
  // In XML, a list of one element is that element.
  return isXml ? z.preprocess((value) => value === "" ? [] : [value ?? []].flat(), list) : list;
}
