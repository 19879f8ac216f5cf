/**
 * City of Toronto solicitations ("Toronto Bids Solicitations"): the CSV of the City's open data
 * portal, which holds open and past ones. A solicitation is one observation.
 */
import { readTable } from "../csv.ts";
import { normalizeRecord } from "../normalize.ts";
import type { Source } from "../source.ts";
import { recordOfSolicitation, SOLICITATION_COLUMNS } from "./toronto_solicitation.ts";

export const toronto: Source = {
  name: "toronto",
  title: "City of Toronto solicitations",
  licence: "Open Government Licence – Toronto",
  attribution: "Contains information licensed under the Open Government Licence – Toronto.",
  natural_key: "the document number with the issue date: numbers have been used twice; the first " +
    "row of a key counts, as the file does not say which of two is the newer",
  left_out: "the buyer's name, e-mail address and telephone number, and such contacts in texts " +
    "as stand behind a label or together: they are of persons; offers to purchase: the City " +
    "sells there; rows without a document number, which nothing would find again",
  async *read(stream) {
    // One short key a row: the file holds the City's solicitations of twenty years, about 1,000.
    const seen = new Set<string>();
    yield* readTable(stream, {
      title: "a City of Toronto solicitations file",
      columns: SOLICITATION_COLUMNS,
      contacts: true,
      judge(row) {
        const record = recordOfSolicitation(row);
        if (record === undefined || "reason" in record) return record;
        if (seen.has(record.external_id)) {
          return {
            reason: `${SOLICITATION_COLUMNS.number}: stands twice with the same issue date`,
          };
        }
        seen.add(record.external_id);
        return normalizeRecord(record);
      },
    });
  },
};
