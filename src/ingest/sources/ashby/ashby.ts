/** Reads job boards of employers on Ashby from its public job postings API. */
import { remoteOfBoards } from "../kit/job_board.ts";
import { readerOfBoard } from "../kit/mapped_board.ts";
import mapping from "./mapping.json" with { type: "json" };
import type { Source } from "../kit/source.ts";

export const ashby: Source = {
  name: "ashby",
  title: "Job boards on Ashby",
  licence: "no open licence; published by each employer through Ashby's public job postings API",
  attribution: "Job postings published by the employer through Ashby.",
  natural_key:
    "the board's name and the posting's id; a posting in both countries has a second record, " +
    "whose id ends in the country",
  left_out:
    "postings that are not listed; postings without a location that is clearly in Canada or " +
    "the United States; names, e-mail addresses and telephone numbers of persons in texts",
  read: readerOfBoard(mapping),
  remote: remoteOfBoards({
    address: "https://api.ashbyhq.com/posting-api/job-board",
    target: { meaning: "a board's name", pattern: /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/ },
    urlOf: (address, board) => `${address}/${board}?includeCompensation=true`,
  }),
};
