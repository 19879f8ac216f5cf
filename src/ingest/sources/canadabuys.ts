/**
 * Reads CanadaBuys open tender notices from the CSV of the Government of Canada. A notice is one
 * observation, and its buyer is the company. An amendment has the same reference number as its
 * notice, so it revises the observation.
 */
import { readTable } from "../formats/csv.ts";
import { judgeMapped } from "../record/normalize.ts";
import type { Source } from "./source.ts";
import { COLUMNS, CONTACT_COLUMNS, NEEDED_COLUMNS } from "./canadabuys_columns.ts";
import { recordOfNotice } from "./canadabuys_notice.ts";

export const canadabuys: Source = {
  name: "canadabuys",
  title: "CanadaBuys open tender notices",
  licence: "Open Government Licence – Canada",
  attribution: "Contains information licensed under the Open Government Licence – Canada.",
  natural_key: "the reference number; an amendment keeps it",
  left_out:
    "contact columns; within texts: e-mail addresses, telephone numbers, and names next to " +
    "them or after a label, because they concern persons",
  read: (stream, { address }) =>
    readTable(stream, {
      title: "a CanadaBuys tender notice file",
      columns: COLUMNS,
      needed: NEEDED_COLUMNS,
      descriptions: ["description", "description_fra"],
      contacts: CONTACT_COLUMNS,
      ended: address !== undefined,
      judge: (notice) => judgeMapped(recordOfNotice(notice)),
    }),
  remote: {
    address: "https://canadabuys.canada.ca/opendata/pub",
    interval_seconds: 7_200,
    pause_milliseconds: 1_000,
    bytes_max: 256 * 1_048_576,
    request: (address) => ({
      url: `${address}/openTenderNotice-ouvertAvisAppelOffres.csv`,
      accept: "text/csv",
    }),
    // The file contains the open notices. A notice that is no longer in the file is closed.
    listed: () => ({ external_id_prefix: "" }),
  },
};
