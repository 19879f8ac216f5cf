/** Waiting for what has to come about, however long the machine takes. */

const PAUSE_MILLISECONDS = 25;
/** Two minutes of pauses. */
const TRIES = 4_800;

/** Asks until the answer is not that of an operation under way: it ends by its deadline. */
export async function ended<Answer extends { status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 202) return answer;
    await pause();
  }
}

/** Resolves when something is so. @throws Error that says what is not, after two minutes */
export async function eventually(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < TRIES; n++) {
    if (await check()) return;
    await pause();
  }
  throw new Error(`did not come about: ${what}`);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
}
