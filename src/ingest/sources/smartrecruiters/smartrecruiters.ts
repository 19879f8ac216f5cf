/** Reads job boards of employers on SmartRecruiters from its public Posting API. */
import { remoteOfBoards } from "../kit/job_board.ts";
import { readerOfBoard } from "../kit/mapped_board.ts";
import type { Source, SourceRequest } from "../kit/source.ts";
import mapping from "./mapping.json" with { type: "json" };

/** Number of postings per answer, the max of the API. */
const PAGE = 100;

export const smartrecruiters: Source = {
  name: "smartrecruiters",
  title: "Job boards on SmartRecruiters",
  licence:
    "no open licence; published by each employer through SmartRecruiters' public Posting API",
  attribution: "Job postings published by the employer through SmartRecruiters.",
  natural_key:
    "the company's identifier and the posting's id; a posting in both countries has a second " +
    "record, whose id ends in the country",
  left_out:
    "postings without a location that is clearly in Canada or the United States; descriptions " +
    "and pay, because each would need a request of its own",
  read: readerOfBoard(mapping),
  remote: {
    ...remoteOfBoards({
      address: "https://api.smartrecruiters.com/v1/companies",
      target: { meaning: "a company's identifier", pattern: /^[A-Za-z0-9_-]{1,100}$/ },
      urlOf: (address, board) => `${address}/${board}/postings?limit=${PAGE}&offset=0`,
    }),
    next: nextPage,
  },
};

/** Returns the request for the next page. A posting gives at least one entry, so few are the end. */
function nextPage(request: SourceRequest, read: number): SourceRequest | undefined {
  if (read < PAGE) return undefined;
  const url = new URL(request.url);
  url.searchParams.set("offset", `${Number(url.searchParams.get("offset")) + PAGE}`);
  return { ...request, url: url.href };
}
