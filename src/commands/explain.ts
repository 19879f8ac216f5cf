/**
 * `ask --explain`: says how a search reads a question, and why it charges each company. It reads the
 * database of the settings and charges nothing.
 */
import { NO_FILTERS } from "../contract/filters.ts";
import { FEATURES } from "../search/judge/features.ts";
import { type JudgedRecord, WEIGHTS } from "../search/judge/judge.ts";
import type { AskedPlace, Condition, Exclusion, Way } from "../search/question/question.ts";
import { type Explained, Retriever } from "../search/retriever.ts";
import { refuseUnsupported } from "../search/unsupported.ts";
import type { Sql } from "../db/sql.ts";
import { escapeControls } from "../contract/control_characters.ts";
import { integer } from "./admin_arguments.ts";
import { EXPLAIN_USAGE, questionIn } from "./ask.ts";
import { type CommandContext, parseWords } from "./command.ts";
import { ASK_OPTIONS } from "./command_options.ts";
import { drawColumns } from "./text_columns.ts";

/**
 * Number of companies that are explained without --limit. It is the page size of the plan builder.
 */
const COMPANIES = 25;

/** Options of `ask --explain`, which asks no service. */
const { key: _, url: __, ...EXPLAIN_OPTIONS } = ASK_OPTIONS;

/** Number of ways of a unit that are printed. The number is chosen for the width of a terminal. */
const WAYS = 8;

/** A company with its best record, as the judge sees it. */
interface ExplainedCompany extends JudgedRecord {
  name: string;
  fact: string;
  verdict: "charged" | "not charged" | "contradicts";
  /** Places in the question, from 0, of the conditions that the record contradicts. */
  contradicts?: readonly number[];
}

/** Explains a search. @throws UsageError; Failure if the service refuses the question */
export async function explain(
  args: string[],
  { database, draws, log }: CommandContext,
  print: (text: string) => void,
): Promise<number> {
  const { values, positionals } = parseWords(args, EXPLAIN_OPTIONS, EXPLAIN_USAGE);
  const query = questionIn(positionals, EXPLAIN_USAGE);
  const limit = integer({ limit: values.limit ?? `${COMPANIES}` }, "limit");
  refuseUnsupported(query);
  await using stack = new AsyncDisposableStack();
  const { sql } = stack.adopt(await database(), (db) => db.close());
  const retriever = stack.use(new Retriever({ sql, log }));
  await retriever.source.start();
  const explained = await retriever.explain({ query, filters: NO_FILTERS });
  const companies = await companiesOf(sql, explained, limit);
  const { question, units } = explained;
  print(
    values.json
      ? JSON.stringify({ question, weights: units.map(({ weight }) => weight), companies })
      : drawExplanation(explained, companies, draws ? Deno.consoleSize().columns : undefined),
  );
  return 0;
}

/** Returns the best companies, then some that contradict a condition, each with its best record. */
async function companiesOf(
  sql: Sql,
  { judged, contradicting }: Explained,
  limit: number,
): Promise<ExplainedCompany[]> {
  const verdictOf = ({ probability }: JudgedRecord) =>
    probability >= WEIGHTS.threshold ? "charged" as const : "not charged" as const;
  const chosen = [
    ...bestOf(judged, limit).map((record) => ({ record, verdict: verdictOf(record) })),
    ...bestOf(contradicting, limit).map((record) => ({ record, verdict: "contradicts" as const })),
  ];
  const ids = chosen.map(({ record }) => record.observation_id);
  const rows = await sql<{ id: number; name: string; observed_fact: string }[]>`
    select o.id, c.name, o.observed_fact
    from observations o join companies c on c.id = o.company_id
    where o.id = any(${ids}::bigint[])
  `;
  const texts = new Map(rows.map((row) => [Number(row.id), row]));
  return chosen.map(({ record, verdict }) => {
    const { name = "", observed_fact: fact = "" } = texts.get(record.observation_id) ?? {};
    return { ...record, name, fact, verdict };
  });
}

function bestOf<Judged extends JudgedRecord>(judged: readonly Judged[], limit: number): Judged[] {
  const companies = new Map<number, Judged>();
  for (const record of judged) {
    if (!companies.has(record.company_id)) companies.set(record.company_id, record);
  }
  return [...companies.values()].slice(0, limit);
}

function drawExplanation(
  { question, units }: Explained,
  companies: readonly ExplainedCompany[],
  width: number | undefined,
): string {
  const read = units.map(({ unit, weight }) => [
    unit.text,
    unit.is_filler
      ? "filler"
      : unit.condition === undefined
      ? weight.toFixed(2)
      : `condition ${unit.condition + 1}`,
    unit.ways.slice(0, WAYS).map(wayText).join("; ") + (unit.ways.length > WAYS ? "; …" : ""),
  ]);
  const asked = [
    ...question.conditions.map((condition, place) => [
      `condition ${place + 1}`,
      conditionText(condition),
    ]),
    ...question.excluded.map((exclusion) => ["excluded", exclusionText(exclusion)]),
  ];
  const heads = FEATURES.map((feature) => feature.toUpperCase().replaceAll("_", " "));
  const found = companies.map(({ name, fact, verdict, contradicts, probability, features }) => [
    escapeControls(name),
    [verdict, contradicts?.map((place) => place + 1).join(", ")].join(" ").trim(),
    probability.toFixed(3),
    ...features.map((value) => value.toFixed(2)),
    escapeControls(fact),
  ]);
  return [
    drawColumns({ head: ["UNIT", "WEIGHT", "WAYS WITH THEIR SIMILARITY"], rows: read, width }),
    ...asked.length > 0 ? [drawColumns({ head: ["CONDITION", "VALUES"], rows: asked, width })] : [],
    `A company is charged from a probability of ${WEIGHTS.threshold}.`,
    drawColumns({
      head: ["COMPANY", "VERDICT", "PROBABILITY", ...heads, "FACT"],
      rows: found,
      width,
    }),
  ].join("\n\n");
}

function wayText({ origin, text, similarity }: Way): string {
  return `${text} ${similarity.toFixed(2)}${origin === "words" ? "" : ` (${origin})`}`;
}

function conditionText(condition: Condition): string {
  switch (condition.on) {
    case "place":
      return `place: ${placesText(condition.places)}`;
    case "amount":
      return `amount: ${condition.min} to ${condition.max}`;
    case "occurred":
    case "closes":
      return `${condition.on}: ${dayOf(condition.after)} to ${dayOf(condition.before)}`;
    default:
      return `${condition.on}: ${condition.text}`;
  }
}

/** Returns the day of an instant in microseconds; "any" for an open end. */
function dayOf(microseconds: number): string {
  return Number.isFinite(microseconds)
    ? new Date(microseconds / 1000).toISOString().slice(0, 10)
    : "any";
}

function exclusionText(exclusion: Exclusion): string {
  switch (exclusion.on) {
    case "words":
      return exclusion.text;
    case "kind":
      return exclusion.kinds.join(", ");
    case "place":
      return placesText(exclusion.places);
  }
}

function placesText(places: readonly AskedPlace[]): string {
  return places.map((place) => Object.values(place).join(" ")).join(", ");
}
