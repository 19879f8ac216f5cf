/** Reads job boards of employers on Recruitee from its public Careers Site API. */
import { addressOfBoard, remoteOfBoards } from "../kit/job_board.ts";
import { readerOfBoard } from "../kit/mapped_board.ts";
import type { Source } from "../kit/source.ts";
import mapping from "./mapping.json" with { type: "json" };

export const recruitee: Source = {
  name: "recruitee",
  title: "Job boards on Recruitee",
  licence:
    "no open licence; published by each employer through Recruitee's public Careers Site API",
  attribution: "Job postings published by the employer through Recruitee.",
  natural_key:
    "the board's subdomain and the offer's number; an offer in both countries has a second " +
    "record, whose id ends in the country. In a file without addresses of boards, the hostname " +
    "of the employer's site replaces the board",
  left_out:
    "offers without a location that is clearly in Canada or the United States; application " +
    "forms; the street of the office; names, e-mail addresses and telephone numbers of persons " +
    "in texts",
  read: readerOfBoard(mapping),
  remote: remoteOfBoards({
    address: "https://{board}.recruitee.com",
    target: { meaning: "a board's subdomain", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/ },
    urlOf: (address, board) => `${addressOfBoard(address, board)}/api/offers/`,
  }),
};
