/**
 * Reads open and past solicitations of the City of Toronto ("Toronto Bids Solicitations") from the
 * CSV of the City's open data portal. A solicitation is one observation.
 */
import { readTable } from "../formats/csv.ts";
import { judgeMapped } from "../record/normalize.ts";
import type { Source } from "./source.ts";
import { withoutRepeats } from "./toronto_repeats.ts";
import {
  NEEDED_COLUMNS,
  recordOfSolicitation,
  SOLICITATION_COLUMNS,
} from "./toronto_solicitation.ts";

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
