/** Solicitations that stand twice in one file, and which of their rows counts. */
import type { SourceEntry } from "../record/entry.ts";
import type { NormalRecord } from "../record/normalize.ts";

/** Number of characters of records that are held until the end of a file: some 10,000 rows. */
const HELD_CHARACTERS_MAX = 33_554_432;

/** The time in which a row's solicitation can be answered, and its entry as long as it is held. */
interface RepeatPeriod {
  issued: string;
  deadline: string;
  entry: SourceEntry | undefined;
}

const LEFT_OUT = { left_out: "an earlier deadline of a solicitation that stands twice" };

/**
 * Leaves out all rows of a solicitation but the one with the latest deadline, the first of equals.
 * Rows are of one solicitation if they have one number and their periods overlap: a number has been
 * used again years later. Entries keep their order.
 *
 * Rows can lie anywhere in a file, so entries are held until its end, where a second run then finds
 * everything unchanged. Of a file that is larger than `max` characters, the entries held are given
 * away early. A later row then revises what has been given.
 */
export async function* withoutRepeats(
  entries: AsyncIterable<SourceEntry>,
  max = HELD_CHARACTERS_MAX,
): AsyncGenerator<SourceEntry> {
  const periods = new Map<string, RepeatPeriod[]>();
  let held: SourceEntry[] = [];
  let characters = 0;
  for await (const entry of entries) {
    if ("record" in entry.judged) {
      characters += charactersOf(entry.judged.record);
      compare(entry, entry.judged.record, periods);
    }
    held.push(entry);
    if (characters <= max) continue;
    yield* held;
    held = [];
    characters = 0;
    for (const period of [...periods.values()].flat()) period.entry = undefined;
  }
  yield* held;
}

function compare(
  entry: SourceEntry,
  record: NormalRecord,
  periods: Map<string, RepeatPeriod[]>,
): void {
  const number = record.external_id.slice(0, record.external_id.lastIndexOf(":"));
  const period = { issued: record.occurred_at!, deadline: record.expires_at!, entry };
  const earlier = periods.get(number) ?? [];
  const rival = earlier.find(({ issued, deadline }) =>
    issued <= period.deadline && period.issued <= deadline
  );
  if (rival === undefined) {
    periods.set(number, [...earlier, period]);
    return;
  }
  if (period.deadline <= rival.deadline) {
    entry.judged = LEFT_OUT;
    return;
  }
  if (rival.entry !== undefined) rival.entry.judged = LEFT_OUT;
  Object.assign(rival, period);
}

function charactersOf(record: NormalRecord): number {
  const excerpts = record.evidence.map(({ excerpt }) => excerpt);
  return [record.observed_fact, ...record.texts, ...excerpts]
    .reduce((sum, text) => sum + text.length, 0);
}
