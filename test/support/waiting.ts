/** Waits until an operation has ended, or until a condition holds. */

const PAUSE_MILLISECONDS = 25;
/** Number of tries: two minutes of pauses. */
const TRIES = 4_800;

/** Repeats a request until its operation has ended. Each operation ends by its deadline. */
export async function untilEnded<Answer extends { status: number }>(
  ask: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 202) return answer;
    await pause();
  }
}

/** Resolves when a check succeeds. @throws Error that names the condition, after two minutes */
export async function eventually(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let n = 0; n < TRIES; n++) {
    if (await check()) return;
    await pause();
  }
  throw new Error(`not within two minutes: ${what}`);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
}
