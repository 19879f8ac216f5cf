/** Questions of several requests that share a statement. */
import { setImmediate } from "node:timers";

/** Max number of statements under way: one on its way while the answer of another is being read. */
const STATEMENTS_MAX = 2;

/** Max number of questions per statement. */
const QUESTIONS_MAX = 64;

interface Waiting<Question, Answer> {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Asks the database for several callers at once. All questions of one turn of the event loop share a
 * statement. Those that come while two are under way share the next one. To send and to receive a
 * statement takes several times as long as a short one takes by itself.
 *
 * It is for statements that wait for no lock, because one that waits holds up all others.
 */
export class Batch<Question, Answer> {
  readonly #send: (questions: Question[]) => Promise<Answer[]>;
  readonly #waiting: Waiting<Question, Answer>[] = [];
  #underWay = 0;
  /** True from the first question of a turn to its end. */
  #isGathering = false;

  /** @param send asks all questions and returns an answer for each, in their order */
  constructor(send: (questions: Question[]) => Promise<Answer[]>) {
    this.#send = send;
  }

  /** Asks a question. Rejects with the error of the statement that was to answer it. */
  ask(question: Question): Promise<Answer> {
    const { promise, ...settle } = Promise.withResolvers<Answer>();
    this.#waiting.push({ question, ...settle });
    if (!this.#isGathering && this.#underWay < STATEMENTS_MAX) {
      this.#isGathering = true;
      setImmediate(() => {
        this.#isGathering = false;
        void this.#sendWaiting();
      });
    }
    return promise;
  }

  async #sendWaiting(): Promise<void> {
    this.#underWay++;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0, QUESTIONS_MAX);
      try {
        const answers = await this.#send(asked.map(({ question }) => question));
        for (const [place, { resolve }] of asked.entries()) resolve(answers[place]!);
      } catch (error) {
        // Those that wait fail as well: of a database that is away, each statement would wait in vain.
        for (const { reject } of [...asked, ...this.#waiting.splice(0)]) reject(error);
      }
    }
    this.#underWay--;
  }
}
