/** Job boards of employers on Lever, by its public Postings API. */
import { z } from "zod";
import type { ReadContext } from "../entry.ts";
import { readArray } from "../json_elements.ts";
import { textOfMarkup } from "../markup.ts";
import { type Judged, normalizeRecord } from "../normalize.ts";
import { countryOfName, countryOfPlace } from "../places.ts";
import type { Source } from "../source.ts";
import {
  boardOfUrl,
  neededText,
  recordOfPosting,
  remoteOfBoards,
  shapeOf,
  webAddress,
} from "./job_board.ts";

/** What is read of a posting (github.com/lever/postings-api). */
const LeverPosting = z.object({
  id: neededText,
  /** The title. */
  text: neededText,
  hostedUrl: webAddress,
  /** In milliseconds since 1970. */
  createdAt: z.int().min(0).max(4_102_444_800_000),
  /** ISO 3166-1 alpha-2, of the first location. */
  country: z.string().nullish(),
  categories: z.object({
    location: z.string().nullish(),
    allLocations: z.array(z.string()).nullish(),
    department: z.string().nullish(),
    team: z.string().nullish(),
    commitment: z.string().nullish(),
  }).nullish(),
  descriptionPlain: z.string().nullish(),
  /** Requirements and the like, their content in HTML. */
  lists: z.array(z.object({ text: z.string().nullish(), content: z.string().nullish() })).nullish(),
});
type LeverPosting = z.infer<typeof LeverPosting>;

const HOSTS = /^jobs\.(?:eu\.)?lever\.co$/;

export const lever: Source = {
  name: "lever",
  title: "Job boards on Lever",
  licence: "no open licence; published by each employer through Lever's public Postings API",
  attribution: "Job postings published by the employer through Lever.",
  natural_key: "the site's name and the posting's id",
  left_out:
    "postings none of whose locations is clearly in Canada or the United States; in texts, " +
    "addresses and telephone numbers: they are of persons; closing words on pay and benefits",
  read: (stream, context) =>
    readArray(stream, { judge: (element) => judgePosting(element, context) }),
  remote: remoteOfBoards({
    address: "https://api.lever.co/v0/postings",
    target: { meaning: "a site's name", pattern: /^[A-Za-z0-9._-]{1,100}$/ },
    urlOf: (address, board) => `${address}/${board}?mode=json`,
  }),
};

function judgePosting(element: unknown, context: ReadContext): Judged | undefined {
  const shaped = shapeOf(LeverPosting, element);
  if ("reason" in shaped) return shaped;
  const { shape: posting } = shaped;
  const { location, allLocations, department, team, commitment } = posting.categories ?? {};
  const places = [location ?? "", ...allLocations ?? []].filter((place) => place.trim() !== "");
  const country = countryOf(posting, places);
  if (country === undefined) return undefined;
  const posted = new Date(posting.createdAt).toISOString();
  const record = recordOfPosting({
    source: "lever",
    title: "Lever",
    board: boardOfUrl(posting.hostedUrl, HOSTS),
    id: posting.id,
    job: posting.text,
    department: [department, team].filter(Boolean).join(", "),
    commitment,
    places,
    country,
    url: posting.hostedUrl,
    text: textOf(posting),
    posted_at: posted,
    updated_at: posted,
  }, context);
  return "reason" in record ? record : normalizeRecord(record);
}

/** By the country's own field; a posting that names further places may have one here among them. */
function countryOf({ country }: LeverPosting, places: string[]) {
  const stated = countryOfName(country ?? "");
  if (stated === "CA" || stated === "US") return stated;
  const others = stated === "elsewhere" ? places.slice(1) : places;
  return others.map(countryOfPlace).find((found) => found !== undefined);
}

function textOf({ descriptionPlain, lists }: LeverPosting): string {
  const parts = (lists ?? []).map(({ text, content }) =>
    `${text ?? ""}\n${textOfMarkup(content ?? "")}`
  );
  return [descriptionPlain ?? "", ...parts].join("\n\n");
}
