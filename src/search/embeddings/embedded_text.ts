/** Defines which text of an observation is embedded, and by which name its vectors are stored. */
import type { ObservationDocument } from "../index/document.ts";
import type { ModelEndpoint } from "../models/model_endpoint.ts";

/** An embedding endpoint, with the form in which its model expects texts. */
export interface EmbeddingEndpoint extends ModelEndpoint {
  /** Text before each query, such as "query: "; absent: none. */
  query_prefix?: string;
  /** Text before each observation, such as "passage: "; absent: none. */
  passage_prefix?: string;
  /** Max number of embedded characters of an observation; absent: CHARACTERS. */
  characters?: number;
}

/** Default number of characters, because models read a few hundred words. */
const CHARACTERS = 2_000;

/**
 * Returns the text that is embedded for an observation, the most important part first. It has no
 * labels, because labels that many texts share would make their vectors similar.
 */
export function embeddedText(
  { company, observed_fact, why_it_may_matter, texts }: ObservationDocument,
  { passage_prefix = "", characters = CHARACTERS }: EmbeddingEndpoint,
): string {
  const all = [company, observed_fact, why_it_may_matter, ...texts].join("\n");
  return passage_prefix + all.slice(0, characters).toWellFormed();
}

/**
 * Returns the name by which vectors are stored. It is that of the model, followed by the form of
 * the texts unless this is the default. Vectors of another form are therefore computed anew, and
 * replace the present ones when they are complete.
 */
export function storedNameOf(
  { model, passage_prefix = "", characters = CHARACTERS }: Omit<EmbeddingEndpoint, "url">,
): string {
  if (passage_prefix === "" && characters === CHARACTERS) return model;
  return `${model}\n${JSON.stringify([passage_prefix, characters])}`;
}

/** Returns the name of the model at the endpoint. @param stored_name see storedNameOf() */
export function modelOf(stored_name: string): string {
  return stored_name.split("\n", 1)[0]!;
}
