/** Reads job boards of employers on Lever from its public Postings API. */
import { remoteOfBoards } from "../kit/job_board.ts";
import { readerOfBoard } from "../kit/mapped_board.ts";
import mapping from "./mapping.json" with { type: "json" };
import type { Source } from "../kit/source.ts";

export const lever: Source = {
  name: "lever",
  title: "Job boards on Lever",
  licence: "no open licence; published by each employer through Lever's public Postings API",
  attribution: "Job postings published by the employer through Lever.",
  natural_key:
    "the site's name and the posting's id; a posting in both countries has a second record, " +
    "whose id ends in the country",
  left_out: "postings without a location that is clearly in Canada or the United States; names, " +
    "e-mail addresses and telephone numbers of persons in texts",
  read: readerOfBoard(mapping),
  remote: remoteOfBoards({
    address: "https://api.lever.co/v0/postings",
    target: { meaning: "a site's name", pattern: /^[A-Za-z0-9._-]{1,100}$/ },
    urlOf: (address, board) => `${address}/${board}?mode=json`,
  }),
};
