/** Stock Orama and its plugin-qps, over text that is stemmed already. */
import { type AnyOrama, create, insert, type Results, search } from "@orama/orama";
import { pluginQPS } from "@orama/plugin-qps";
import { tokensOf } from "../corpus.ts";
import { type Engine, type NumberedTexts, WEIGHTS } from "./engine.ts";

/** An observation's fields, and those it is filtered by here. */
export const OBSERVATION_SCHEMA = {
  company: "string",
  observed_fact: "string",
  why_it_may_matter: "string",
  texts: "string",
  // As `string` a filter would match any of the words.
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
