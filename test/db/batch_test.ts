import assert from "node:assert/strict";
import { Batch } from "../../src/db/batch.ts";

/** A batch whose statements are answered or failed by hand. */
class Statements {
  readonly #sent: { questions: number[]; settle: PromiseWithResolvers<string[]> }[] = [];
  #changed = Promise.withResolvers<void>();

  readonly batch = new Batch<number, string>((questions) => {
    const settle = Promise.withResolvers<string[]>();
    this.#sent.push({ questions, settle });
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
    return settle.promise;
  });

  /** Returns the questions of a statement once it was sent. */
  async questionsOf(number: number): Promise<number[]> {
    while (this.#sent.length <= number) await this.#changed.promise;
    return this.#sent[number]!.questions;
  }

  answer(number: number): void {
    const { questions, settle } = this.#sent[number]!;
    settle.resolve(questions.map((question) => `answer ${question}`));
  }

  fail(number: number): void {
    this.#sent[number]!.settle.reject(new Error("away"));
  }
}

Deno.test("Batch.ask() shares a statement within a turn, and after two between turns", async () => {
  const statements = new Statements();
  const first = [1, 2].map((question) => statements.batch.ask(question));
  assert.deepEqual(await statements.questionsOf(0), [1, 2]);
  const second = statements.batch.ask(3);
  assert.deepEqual(await statements.questionsOf(1), [3]);
  const third = [4, 5].map((question) => statements.batch.ask(question));
  statements.answer(1);
  assert.equal(await second, "answer 3");
  assert.deepEqual(await statements.questionsOf(2), [4, 5]);
  for (const number of [0, 2]) statements.answer(number);
  assert.deepEqual(await Promise.all(first), ["answer 1", "answer 2"]);
  assert.deepEqual(await Promise.all(third), ["answer 4", "answer 5"]);
  const fourth = statements.batch.ask(6);
  assert.deepEqual(await statements.questionsOf(3), [6]);
  statements.answer(3);
  assert.equal(await fourth, "answer 6");
});

Deno.test("Batch.ask() puts at most 64 questions into a statement", async () => {
  const statements = new Statements();
  const answers = Array.from({ length: 65 }, (_, question) => statements.batch.ask(question));
  assert.equal((await statements.questionsOf(0)).length, 64);
  statements.answer(0);
  assert.deepEqual(await statements.questionsOf(1), [64]);
  statements.answer(1);
  assert.equal((await Promise.all(answers)).at(-1), "answer 64");
});

Deno.test("Batch.ask() fails all that wait together with a statement, and asks again later", async () => {
  const statements = new Statements();
  const first = statements.batch.ask(1);
  await statements.questionsOf(0);
  const second = statements.batch.ask(2);
  await statements.questionsOf(1);
  const waiting = statements.batch.ask(3);
  const rejected = Promise.all([first, waiting].map((answer) => assert.rejects(answer, /away/)));
  statements.fail(0);
  await rejected;
  statements.answer(1);
  assert.equal(await second, "answer 2");
  const later = statements.batch.ask(4);
  assert.deepEqual(await statements.questionsOf(2), [4]);
  statements.answer(2);
  assert.equal(await later, "answer 4");
});
