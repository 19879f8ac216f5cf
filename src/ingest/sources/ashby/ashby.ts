/** Reads job boards of employers on Ashby from its public job postings API. */
import { sourceOfBoard } from "../kit/job_board.ts";
import mapping from "./mapping.json" with { type: "json" };

export const ashby = sourceOfBoard(mapping);
