/**
 * Loads the sets of records and questions by which the search is trained and judged: real texts,
 * real records, and the demo dataset.
 */
import { normalizeRecord, type NormalRecord } from "../../src/ingest/record/normalize.ts";
import { documentOf } from "../../src/search/changes/changes.ts";
import type { ObservationDocument } from "../../src/search/index/document.ts";
import { REAL_DATA } from "../../test/support/real_records.ts";
import { gradeOf, type Wanted } from "../demo_judge.ts";
import { DEMO_MOMENT, DEMO_QUESTIONS } from "../demo_questions.ts";
import { demoDocuments, demoObservations } from "../questions/demo_dataset.ts";
import { nameKey, readQuestions } from "../questions/judge.ts";
import { NONSENSE, SUBJECT_QUESTIONS } from "../questions/subject_questions.ts";
import { readRealDocuments, rowOf } from "../rows.ts";

/** A question with its right records. */
export interface JudgedQuestion {
  id: string;
  /** Kind of question, such as "synonym" or "place". */
  type: string;
  query: string;
  /** Ids of the records about the subject. */
  about: ReadonlySet<number>;
  /** Ids of the records that meet everything that is asked. */
  meets: ReadonlySet<number>;
}

export interface JudgedSet {
  name: string;
  documents: ObservationDocument[];
  questions: JudgedQuestion[];
  /** Moment to which times in questions are relative. */
  now: Date;
}

/** Moment of the questions about real records. */
const REAL_MOMENT = new Date("2026-11-01T00:00:00Z");

/** Loads the texts that people write, with questions by rules over columns. */
export async function realTexts(): Promise<JudgedSet> {
  const folder = `${REAL_DATA}real_texts/`;
  const lines = await readLines(await readGzip(`${folder}records.ndjson.gz`));
  const ids = new Map<string, number>();
  const companies = new Map<string, number>();
  const documents = lines.map((line, place) => {
    const raw = JSON.parse(line);
    const judged = normalizeRecord(raw);
    if (!("record" in judged)) throw new Error(`${raw.external_id}: ${judged.reason}`);
    ids.set(raw.external_id, place + 1);
    const company = raw.company.external_id ?? raw.company.name;
    if (!companies.has(company)) companies.set(company, companies.size + 1);
    return documentAt(judged.record, { id: place + 1, company_id: companies.get(company)! });
  });
  const numbers = (keys: readonly string[]) =>
    new Set(keys.map((key) => ids.get(key)!).filter((id) => id !== undefined));
  const questions = (await readLines(await Deno.readTextFile(`${folder}questions.jsonl`)))
    .map((line) => JSON.parse(line))
    .map(({ id, type, query, about, meets }) => ({
      id,
      type,
      query,
      about: numbers(about),
      meets: numbers(meets),
    }));
  return { name: "real texts", documents, questions, now: REAL_MOMENT };
}

/** Loads the records of all sources, with questions by rules over their columns. */
export async function realRecords(): Promise<JudgedSet> {
  const documents = await readRealDocuments();
  const byName = Map.groupBy(documents, ({ text }) => nameKey(text.company));
  const questions = readQuestions(`${REAL_DATA}questions/questions.jsonl`)
    .map(({ id, kind, query, relevant }) => {
      const meets = new Set(
        relevant.flatMap((name) => byName.get(nameKey(name)) ?? [])
          .map(({ observation_id }) => observation_id),
      );
      return { id, type: kind, query, about: meets, meets };
    })
    .filter(({ meets }) => meets.size > 0);
  return { name: "real records", documents, questions, now: REAL_MOMENT };
}

/** Loads the demo dataset, with questions by the facts from which it is generated. */
export function demo(): JudgedSet {
  const observations = demoObservations();
  const ask = (text: string, wanted: Wanted, place: number): JudgedQuestion => {
    const graded = (grade: number) =>
      new Set(
        observations.flatMap((one, at) => gradeOf(one, wanted) >= grade ? [at + 1] : []),
      );
    return { id: `demo-${place}`, type: "demo", query: text, about: graded(1), meets: graded(2) };
  };
  return {
    name: "demo",
    documents: demoDocuments(observations),
    now: DEMO_MOMENT,
    questions: [
      ...DEMO_QUESTIONS.map(({ text, wanted }, place) => ask(text, wanted, place)),
      ...SUBJECT_QUESTIONS.map(([text, wanted], place) => ask(text, wanted, 1_000 + place)),
      ...NONSENSE.map((query, place) => ({
        id: `nonsense-${place}`,
        type: "nothing",
        query,
        about: new Set<number>(),
        meets: new Set<number>(),
      })),
    ],
  };
}

function documentAt(
  record: NormalRecord,
  ids: { id: number; company_id: number },
): ObservationDocument {
  return { ...documentOf(rowOf(record, ids))!, expires_at: null };
}

async function readGzip(path: string): Promise<string> {
  const file = await Deno.open(path);
  return await new Response(file.readable.pipeThrough(new DecompressionStream("gzip"))).text();
}

function readLines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
