/** Reads job boards of employers on Personio from its public XML feed. */
import { addressOfBoard, remoteOfBoards } from "../kit/job_board.ts";
import { readerOfBoard } from "../kit/mapped_board.ts";
import type { Source } from "../kit/source.ts";
import mapping from "./mapping.json" with { type: "json" };

export const personio: Source = {
  name: "personio",
  title: "Job boards on Personio",
  licence: "no open licence; published by each employer through Personio's public XML feed",
  attribution: "Job postings published by the employer through Personio.",
  natural_key:
    "the board's subdomain and the position's number; a position in both countries has a second " +
    "record, whose id ends in the country. A feed does not name its board, so it is fetched",
  left_out:
    "positions without an office that is clearly in Canada or the United States; names, e-mail " +
    "addresses and telephone numbers of persons in texts",
  read: readerOfBoard(mapping),
  remote: remoteOfBoards({
    address: "https://{board}.jobs.personio.de",
    target: { meaning: "a board's subdomain", pattern: /^[A-Za-z0-9][A-Za-z0-9-]{0,62}$/ },
    urlOf: (address, board) => `${addressOfBoard(address, board)}/xml?language=en`,
    accept: "application/xml",
  }),
};
