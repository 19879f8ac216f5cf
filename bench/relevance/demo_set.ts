/**
 * Loads the demo dataset with questions about the facts from which it is generated. A company is
 * about the subject of a question if its name or one of its records mentions the subject. If a
 * question names no subject, its hostname, its trade, or its kinds and sectors decide.
 */
import { type DemoObservation, generateDemo } from "../../src/demo/demo.ts";
import { gradeOf, type Wanted } from "../demo_judge.ts";
import { DEMO_MOMENT, DEMO_QUESTIONS } from "../demo_questions.ts";
import { NONSENSE, SUBJECT_QUESTIONS } from "../demo_subject_questions.ts";
import { idsWhere, type JudgedQuestion, type JudgedSet, judgedSet, normalized } from "./sets.ts";

/** Lowest grade of a record that meets everything. */
const GOOD = 2;

export function demo(): JudgedSet {
  const observations = generateDemo(DEMO_MOMENT);
  const questions = [
    ...DEMO_QUESTIONS.map(({ text, wanted }) => ({ text, wanted, type: "demo" })),
    ...SUBJECT_QUESTIONS.map(([text, wanted]) => ({ text, wanted, type: "narrow" })),
  ];
  const judged = questions.map(({ text, wanted, type }, index): JudgedQuestion => {
    const grades = new Map(
      observations.map((one, at) => [at + 1, gradeOf(one, wanted)] as const)
        .filter(([, grade]) => grade > 0),
    );
    const { country, region } = wanted;
    const about = aboutSubject(observations, wanted);
    return {
      ...{ id: `demo-${index}`, type, query: text, has_answer: about.size > 0, about, grades },
      meets: new Set([...grades.keys()].filter((id) => grades.get(id)! >= GOOD)),
      ...(country ?? region) !== undefined && {
        at_place: idsWhere(
          observations,
          ({ record, scene }) =>
            (country === undefined || record.country === country) &&
            (region === undefined || region.test(scene.region)),
        ),
      },
    };
  });
  const nonsense = NONSENSE.map((query, index): JudgedQuestion => ({
    ...{ id: `nonsense-${index}`, type: "nothing", query, has_answer: false },
    ...{ about: new Set(), meets: new Set() },
  }));
  const records = observations.map(({ record }) => normalized(record));
  return judgedSet({
    ...{ name: "demo", records, questions: [...judged, ...nonsense], now: DEMO_MOMENT },
  });
}

/** Returns the records of the companies that are about the subject, or near it. */
export function aboutSubject(
  observations: readonly DemoObservation[],
  wanted: Wanted,
): Set<number> {
  const companies = Map.groupBy(observations, ({ company }) => company.number);
  const about = new Set(
    [...companies].filter(([, all]) => !isUnwanted(all, wanted) && concerns(all, wanted))
      .map(([number]) => number),
  );
  return idsWhere(observations, ({ company }) => about.has(company.number));
}

function concerns(
  observations: readonly DemoObservation[],
  { hostname, trade, about, near, kinds, sectors }: Wanted,
): boolean {
  const [{ company }] = observations as [DemoObservation];
  if (hostname !== undefined) return company.hostnames.includes(hostname);
  if (about !== undefined) {
    const texts = observations.flatMap(textsOf);
    return [about, near].some((pattern) => texts.some((text) => pattern?.test(text)));
  }
  if (trade !== undefined) return trade.test(company.name);
  return observations.some(({ kind }) =>
    (kinds?.includes(kind) ?? true) && (sectors?.includes(company.sector) ?? true)
  );
}

function textsOf({ company, record }: DemoObservation): string[] {
  const { observed_fact, why_it_may_matter, evidence } = record;
  const excerpts = evidence.map(({ excerpt }) => excerpt);
  return [company.name, observed_fact, why_it_may_matter, ...excerpts];
}

/** Returns whether the question excludes the company's business. */
function isUnwanted(observations: readonly DemoObservation[], { not }: Wanted): boolean {
  const [{ company }] = observations as [DemoObservation];
  const { name, products, facility } = company.trade;
  return not !== undefined && [name, ...products, facility].some((text) => not.test(text));
}
