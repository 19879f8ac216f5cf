/**
 * Asks questions, and prints the scores of the answers:
 * `deno run -A bench/questions/main.ts [--own|--demo] [--fast] [--lexical] [--worst N] [--questions FILE]`.
 *
 * The questions are the shared ones about the real records. With `--own`, they are our sixty about
 * the same records, and with `--questions` those of a file. With `--demo`, they are those about the
 * demo dataset. They are asked over the public interface, with a temporary PostgreSQL, or with an
 * embedded database for the demo dataset.
 * With `--fast`, they are asked over an index in this process. The first such run saves the rows of
 * the real records in a file. `--lexical` leaves out the learned model of a fast run. `--worst`
 * prints the N questions with the lowest scores.
 */
import { parseArgs } from "node:util";
import { ownQuestions } from "../../test/search/questions/own_questions.ts";
import { hasRealData } from "../../test/support/real_records.ts";
import { say } from "../child.ts";
import { questionTable, realQuestions } from "./ask.ts";
import { type DemoScores, demoTable } from "./demo_ask.ts";
import { askDemoApi, askDemoFast } from "./demo_runs.ts";
import { readQuestions } from "./judge.ts";
import { askRealApi, askRealFast, type RealScores } from "./runs.ts";

const { values } = parseArgs({
  args: Deno.args,
  options: {
    own: { type: "boolean", default: false },
    demo: { type: "boolean", default: false },
    fast: { type: "boolean", default: false },
    lexical: { type: "boolean", default: false },
    questions: { type: "string" },
    worst: { type: "string", default: "0" },
  },
});
const hybrid = !values.lexical;
const worst = Number(values.worst);

const started = performance.now();
if (values.demo) {
  const scores = await (values.fast ? askDemoFast({ hybrid }) : askDemoApi());
  say(demoTable(scores));
  sayWorstOfDemo(scores);
} else if (!hasRealData()) {
  say("skipped: ../shared/data does not contain the real records");
} else {
  const questions = values.questions !== undefined
    ? readQuestions(values.questions)
    : values.own
    ? await ownQuestions()
    : realQuestions();
  const answers = await (values.fast ? askRealFast(questions, { hybrid }) : askRealApi(questions));
  if (answers === undefined) say("skipped: there are no binaries of a PostgreSQL server");
  else {
    say(questionTable(answers.scores));
    sayWorst(answers);
  }
}
say(`${((performance.now() - started) / 1_000).toFixed(1)} s`);

/** Prints the questions with the lowest scores, and their delivered companies. */
function sayWorst({ scores, keys }: RealScores): void {
  const lowest = scores.toSorted((a, b) => a.score - b.score).slice(0, worst);
  for (const { question, score, delivered } of lowest) {
    say(`\n${score.toFixed(3)} ${question.id} ${question.kind}: ${question.query}`);
    say(`  relevant: ${question.relevant.slice(0, 12).join(", ")}`);
    say(`  delivered: ${delivered.map((id) => [...keys.get(id) ?? []][0]).join(", ")}`);
  }
}

/** Prints the questions with the lowest precision, recall and nDCG. */
function sayWorstOfDemo({ graded, subjects }: DemoScores): void {
  const all = [...graded, ...subjects];
  for (const figure of ["precision", "recall", "ndcg"] as const) {
    const lowest = all.filter((score) => score[figure] !== undefined)
      .toSorted((a, b) => a[figure]! - b[figure]!).slice(0, worst);
    if (lowest.length > 0) say(`\nlowest ${figure}`);
    for (const score of lowest) {
      say(`${score[figure]!.toFixed(2)} of ${score.delivered} delivered: ${score.text}`);
    }
  }
}
