/**
 * Reads open and past solicitations of the City of Toronto ("Toronto Bids Solicitations") from the
 * CSV of the City's open data portal. A solicitation is one observation.
 */
import { readTable } from "../../formats/csv.ts";
import { judgeMapped, type NormalRecord } from "../../record/normalize.ts";
import type { Source } from "../kit/source.ts";
import { NEEDED_COLUMNS, recordOfSolicitation, SOLICITATION_COLUMNS } from "./solicitation.ts";
import { type SourceEntry, UnreadableSource } from "../../record/entry.ts";

export const toronto: Source = {
  name: "toronto",
  title: "City of Toronto solicitations",
  licence: "Open Government Licence – Toronto",
  attribution: "Contains information licensed under the Open Government Licence – Toronto.",
  natural_key:
    "the document number with the issue date, because numbers are reused; if several rows " +
    "with one number are open at the same time, the row with the latest deadline counts",
  left_out:
    "the buyer's name, e-mail address and telephone number; within texts: e-mail addresses, " +
    "telephone numbers, and names next to them or after a label, because they concern persons; " +
    "offers to purchase, because the City sells in them; rows with an earlier deadline of the " +
    "same solicitation; rows without a document number, which could not be revised later",
  read: (stream, { address }) =>
    withoutRepeats(readTable(stream, {
      title: "a City of Toronto solicitations file",
      columns: SOLICITATION_COLUMNS,
      needed: NEEDED_COLUMNS,
      descriptions: ["description"],
      contacts: ["Buyer Name", "Buyer Email"],
      ended: address !== undefined,
      judge: (row) => judgeMapped(recordOfSolicitation(row)),
    })),
};

/** Period in which a solicitation is open, and its entry. */
interface RepeatPeriod {
  issued: string;
  deadline: string;
  entry: SourceEntry;
}

const LEFT_OUT = { left_out: "an earlier deadline of a repeated solicitation" };

/**
 * Leaves out all rows of a solicitation except the row with the latest deadline. The first row wins
 * a tie. Rows belong to one solicitation if they have the same number and overlapping periods,
 * because numbers are reused years later. Entries keep their order. Repeated rows can be far apart,
 * so the entries of the whole file are held: the City's file has 580 KB.
 */
async function* withoutRepeats(entries: AsyncIterable<SourceEntry>): AsyncGenerator<SourceEntry> {
  const read: SourceEntry[] = [];
  const periods = new Map<string, RepeatPeriod[]>();
  let fault: UnreadableSource | undefined;
  try {
    for await (const entry of entries) {
      read.push(entry);
      if ("record" in entry.judged) compare(entry, entry.judged.record, periods);
    }
  } catch (error) {
    if (!(error instanceof UnreadableSource)) throw error;
    // The entries before the fault are yielded first.
    fault = error;
  }
  yield* read;
  if (fault !== undefined) throw fault;
}

/** Marks the row with the earlier deadline, if an earlier row is of the same solicitation. */
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
  if (rival === undefined) periods.set(number, [...earlier, period]);
  else if (period.deadline <= rival.deadline) entry.judged = LEFT_OUT;
  else {
    rival.entry.judged = LEFT_OUT;
    Object.assign(rival, period);
  }
}
