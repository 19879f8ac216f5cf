/**
 * Reads calls for bids of Québec's public bodies (SEAO, "Système électronique d'appel d'offres")
 * from the files in OCDS form that the Secrétariat du Conseil du trésor publishes each week.
 */
import { Mapping } from "../../mapping/mapping.ts";
import { readerOfMapping } from "../../mapping/read_mapped.ts";
import type { Source } from "../kit/source.ts";
import mapping from "./mapping.json" with { type: "json" };

export const seao: Source = {
  name: "seao",
  title: "SEAO calls for bids of Québec",
  licence: "Creative Commons Attribution 4.0 (CC BY)",
  attribution:
    "Contains data of SEAO, Secrétariat du Conseil du trésor du Québec, under CC BY 4.0.",
  natural_key: "the OCID of the procurement; a later release of it revises or ends the record",
  left_out: "planned and concluded procurements, with their awards and contracts; the address " +
    "of the buyer's office; estimated values, because nothing has been paid",
  // The mapping is prepared at the first use, because every command loads all sources.
  read: (stream, context) => readerOfMapping(Mapping.parse(mapping))(stream, context),
};
