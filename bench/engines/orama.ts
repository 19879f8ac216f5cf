/** Orama with its default settings or its plugin-qps, over texts of stems. */
import { type AnyOrama, create, insert, type Results, search } from "@orama/orama";
import { pluginQPS } from "@orama/plugin-qps";
import { tokensOf } from "../corpus.ts";
import { type Engine, type NumberedTexts, WEIGHTS } from "./engine.ts";

/** Schema of an observation: its text fields, and the fields of filters. */
export const OBSERVATION_SCHEMA = {
  company: "string",
  observed_fact: "string",
  why_it_may_matter: "string",
  texts: "string",
  // A filter of a `string` field would match any of its words.
  country: "enum",
  kind: "enum",
} as const;

export function createOrama(name: "Orama" | "Orama with plugin-qps"): Engine<NumberedTexts> {
  const plugins = name === "Orama" ? [] : [pluginQPS()];
  const orama: AnyOrama = create({ schema: OBSERVATION_SCHEMA, plugins, sort: { enabled: false } });
  return {
    name,
    fill(corpus) {
      for (const document of corpus.documents()) {
        const { country, kind } = document;
        const id = String(document.observation_id);
        insert(orama, { id, ...tokensOf(corpus, document), country, kind });
      }
    },
    search({ tokens, filter }, limit) {
      const { hits } = search(orama, {
        term: tokens,
        limit,
        boost: WEIGHTS,
        properties: Object.keys(WEIGHTS),
        ...filter ? { where: { country: { eq: filter.country }, kind: { eq: filter.kind } } } : {},
      }) as Results<unknown>;
      return hits.map(({ id, score }) => ({ observation_id: Number(id), score }));
    },
  };
}
