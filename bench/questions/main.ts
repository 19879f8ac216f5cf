/**
 * Asks the shared questions to the real records, our own sixty, or those to the demo dataset, and
 * prints how good the answers are:
 * `deno run -A bench/questions/main.ts [--own|--demo] [--fast] [--lexical] [--worst N] [--questions FILE]`.
 *
 * Without options it asks the public interface over a throwaway PostgreSQL. With `--fast` it asks an
 * index in this process. The rows of the real records are kept in a file from its first run on.
 */
import { parseArgs } from "node:util";
import { ownQuestions } from "../../test/search/questions/own_questions.ts";
import { hasRealData } from "../../test/support/real_records.ts";
import { say } from "../child.ts";
import { questionTable, realQuestions } from "./ask.ts";
import { type DemoScores, demoTable } from "./demo_ask.ts";
import { askDemoApi, askDemoFast } from "./demo_runs.ts";
import { readQuestions } from "./judge.ts";
import { type AskedReal, askRealApi, askRealFast } from "./runs.ts";

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
  say("skipped: the real records are not at ../shared/data");
} else {
  const questions = values.questions !== undefined
    ? readQuestions(values.questions)
    : values.own
    ? await ownQuestions()
    : realQuestions();
  const asked = await (values.fast ? askRealFast(questions, { hybrid }) : askRealApi(questions));
  if (asked === undefined) say("skipped: there are no binaries of a PostgreSQL server");
  else {
    say(questionTable(asked.scores));
    sayWorst(asked);
  }
}
say(`${((performance.now() - started) / 1_000).toFixed(1)} s`);

/** Shows which questions have the lowest scores, and what was delivered for them. */
function sayWorst({ scores, keys }: AskedReal): void {
  const lowest = scores.toSorted((a, b) => a.score - b.score).slice(0, worst);
  for (const { question, score, delivered } of lowest) {
    say(`\n${score.toFixed(3)} ${question.id} ${question.kind}: ${question.query}`);
    say(`  relevant: ${question.relevant.slice(0, 12).join(", ")}`);
    say(`  delivered: ${delivered.map((id) => [...keys.get(id) ?? []][0]).join(", ")}`);
  }
}

/** Shows the questions with the lowest figure of each sort. */
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
