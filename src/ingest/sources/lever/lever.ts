/** Reads job boards of employers on Lever from its public Postings API. */
import { sourceOfBoard } from "../kit/job_board.ts";
import mapping from "./mapping.json" with { type: "json" };

export const lever = sourceOfBoard(mapping);
