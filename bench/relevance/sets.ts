/**
 * Loads the sets of records and questions by which the search is trained and judged: real texts,
 * real records, the demo dataset, and public test collections.
 */
import { normalizeInstant } from "../../src/contract/instant.ts";
import type { Country, DemandClass, Kind } from "../../src/contract/vocabulary.ts";
import { normalizeRecord, type NormalRecord } from "../../src/ingest/record/normalize.ts";
import { SOURCES } from "../../src/ingest/sources/sources.ts";
import { documentOf } from "../../src/search/changes/changes.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { REAL_DATA, realFiles } from "../../test/support/real_records.ts";

/** A question with its right records. The id of a record is its place in the set, plus 1. */
export interface JudgedQuestion {
  id: string;
  /** Kind of question, such as "synonym" or "place". */
  type: string;
  query: string;
  /** False if nothing may be charged for the question. */
  has_answer: boolean;
  /** Records about the subject. */
  about: ReadonlySet<number>;
  /** Records that meet everything that is asked. */
  meets: ReadonlySet<number>;
  /** Grades of records, above 0; absent if all records of `meets` are equally good. */
  grades?: ReadonlyMap<number, number>;
  /** Records at the place that is asked for; absent if the question is not about a place. */
  at_place?: ReadonlySet<number>;
}

export interface JudgedSet {
  name: string;
  records: readonly NormalRecord[];
  /** Documents of an index of the records. They do not expire. */
  documents: readonly ObservationDocument[];
  questions: JudgedQuestion[];
  /** Moment to which times in questions are relative. */
  now: Date;
}

/** A question, and the names of the relevant companies as raw records spell them. */
export interface NamedQuestion {
  id: string;
  kind: string;
  query: string;
  relevant: readonly string[];
  conditions?: { state?: string; city?: string; region?: string };
}

/** Moment of the questions about real records. */
const REAL_MOMENT = new Date("2026-11-01T00:00:00Z");

/** Number of years by which the closing dates of tenders are moved, so that all tenders are open. */
const YEARS_MOVED = 20;

/** Loads the texts that people write, with questions by rules over columns. */
export async function realTexts(): Promise<JudgedSet> {
  const folder = `${REAL_DATA}real_texts/`;
  const file = await Deno.open(`${folder}records.ndjson.gz`);
  const text = await new Response(file.readable.pipeThrough(new DecompressionStream("gzip")))
    .text();
  const records = linesOf(text).map(normalized);
  const ids = new Map(records.map(({ external_id }, index) => [external_id, index + 1]));
  const idsOf = (keys: string[]) => new Set(keys.flatMap((key) => ids.get(key) ?? []));
  const questions = linesOf(await Deno.readTextFile(`${folder}questions.jsonl`))
    .map(({ id, type, query, about, meets }): JudgedQuestion => {
      const right = idsOf(meets);
      const cities = new Set([...right].flatMap((record) => citiesOf(records[record - 1]!)));
      return {
        ...{ id, type, query, has_answer: type !== "nothing", about: idsOf(about), meets: right },
        ...type === "place" && {
          at_place: idsWhere(records, (record) => citiesOf(record).some((one) => cities.has(one))),
        },
      };
    });
  return judgedSet({ name: "real texts", records, questions, now: REAL_MOMENT });
}

/** Loads the records of all sources, with questions by rules over their columns. */
export async function realRecords(): Promise<JudgedSet> {
  const records: NormalRecord[] = [];
  for (const { format, path, company } of realFiles()) {
    using file = await Deno.open(REAL_DATA + path);
    const context = { retrieved_at: REAL_MOMENT, company };
    for await (const { judged } of SOURCES.get(format)!.read(file.readable, context)) {
      if ("record" in judged) records.push(opened(judged.record));
    }
  }
  const named = linesOf(await Deno.readTextFile(`${REAL_DATA}questions/questions.jsonl`));
  const questions = namedQuestions(named, records);
  return judgedSet({ name: "real records", records, questions, now: REAL_MOMENT });
}

/** Loads a public test collection. Each document is the profile of a company without a name. */
export async function collection(name: string): Promise<JudgedSet> {
  const [docs, queries, qrels] = await Promise.all(
    ["docs.jsonl", "queries.jsonl", "qrels.tsv"].map((file) =>
      Deno.readTextFile(`${REAL_DATA}ir/${name}/${file}`)
    ),
  );
  const documents = linesOf(docs!);
  const ids = new Map(documents.map(({ id }, index) => [id, index + 1]));
  const graded = Map.groupBy(
    qrels!.split("\n").map((line) => line.split("\t")).filter(([, , grade]) => Number(grade) > 0),
    ([query]) => query!,
  );
  const questions = linesOf(queries!).filter(({ id }) => graded.has(id))
    .map(({ id, text }): JudgedQuestion => {
      const grades = new Map(graded.get(id)!.map(([, key, grade]) => [ids.get(key!)!, +grade!]));
      const meets = new Set(grades.keys());
      return { id, type: name, query: text, has_answer: true, about: meets, meets, grades };
    });
  const records = documents.map(recordOfDocument).map(normalized);
  return judgedSet({ name, records, questions, now: REAL_MOMENT });
}

/** Adds the documents of an index to records and questions. */
export function judgedSet(set: Omit<JudgedSet, "documents">): JudgedSet {
  const companies = new Map<string, number>();
  const documents = set.records.map((record, index) => {
    const { company_external_id: id, source, normalized_name } = record;
    const company = id === null ? normalized_name : `${source} ${id}`;
    if (!companies.has(company)) companies.set(company, companies.size + 1);
    return { ...documentAt(record, index + 1, companies.get(company)!), expires_at: null };
  });
  return { ...set, documents };
}

/** Returns questions with the records of the relevant companies. Others are left out. */
export function namedQuestions(
  questions: readonly NamedQuestion[],
  records: readonly NormalRecord[],
): JudgedQuestion[] {
  const byName = Map.groupBy(records.keys(), (index) => nameKey(records[index]!.company_name));
  return questions.map(({ id, kind, query, relevant, conditions }) => {
    const ids = relevant.flatMap((name) => byName.get(nameKey(name)) ?? [])
      .map((index) => index + 1);
    const meets = new Set(ids);
    const { state, city, region } = conditions ?? {};
    const asks_place = (state ?? city ?? region) !== undefined;
    return {
      ...{ id, type: kind, query, has_answer: true, about: meets, meets },
      ...asks_place && {
        at_place: idsWhere(
          records,
          (record) =>
            placesOf(record).some((place) =>
              (state === undefined || place.region === state) &&
              (city === undefined || place.city === city) &&
              (region === undefined || place.metro === region)
            ),
        ),
      },
    };
  }).filter(({ meets }) => meets.size > 0);
}

/** Returns a key that is equal for names that differ only in case, accents, spaces and signs. */
export function nameKey(name: string): string {
  return name.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "") || name.trim();
}

/** Returns the ids of the records that meet a condition. */
export function idsWhere<One>(all: readonly One[], meets: (one: One) => boolean): Set<number> {
  return new Set(all.flatMap((one, index) => meets(one) ? [index + 1] : []));
}

/** Normalizes a raw record. @throws Error if it is not valid */
export function normalized(raw: unknown): NormalRecord {
  const judged = normalizeRecord(raw);
  if ("reason" in judged) throw new Error(`${JSON.stringify(raw).slice(0, 80)}: ${judged.reason}`);
  return judged.record;
}

function placesOf({ facets }: NormalRecord) {
  return facets.places ?? [];
}

function citiesOf(record: NormalRecord): string[] {
  return placesOf(record).flatMap(({ city }) => city ?? []);
}

/** Reopens a tender, by moving its closing date into the future. */
function opened(record: NormalRecord): NormalRecord {
  const { facets: { deadline } } = record;
  if (record.kind !== "procurement_request" || deadline == null) return record;
  const moved = deadline.replace(/^\d{4}/, (year) => String(Number(year) + YEARS_MOVED));
  return { ...record, facets: { ...record.facets, deadline: moved } };
}

function documentAt(record: NormalRecord, id: number, company_id: number): ObservationDocument {
  const { texts, evidence } = record;
  return documentOf({
    ...record,
    id,
    change_seq: id,
    company_id,
    kind: record.kind as Kind,
    demand_class: record.demand_class as DemandClass,
    country: record.country as Country,
    occurred_at: record.occurred_at && normalizeInstant(record.occurred_at)!,
    observed_at: normalizeInstant(record.observed_at)!,
    texts: texts.length > 0 ? texts : evidence.map(({ excerpt }) => excerpt),
  })!;
}

/** Text without a word, for fields that must not be empty. */
const NO_WORDS = "–";

function recordOfDocument({ id, title, text }: { id: string; title: string; text: string }) {
  // The name occurs in no text, and no other company has it.
  const letters = [...id].map((digit) => "bcdfghjklm"[Number(digit)] ?? "x").join("o");
  return {
    source: "collection",
    external_id: id,
    company: { name: `Zu${letters}ozu`, external_id: id },
    kind: "company_profile",
    observed_fact: title.trim() || NO_WORDS,
    why_it_may_matter: NO_WORDS,
    demand_class: "structural",
    country: "US",
    confidence: 1,
    observed_at: "2026-01-01T00:00:00Z",
    text: text.trim() || NO_WORDS,
    evidence: [{ source_uri: "https://collection.example", excerpt: NO_WORDS }],
  };
}

/** Parses lines of JSON. */
// deno-lint-ignore no-explicit-any
function linesOf(text: string): any[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
