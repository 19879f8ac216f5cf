/** Reads job boards of employers on Recruitee from its public Careers Site API. */
import { sourceOfBoard } from "../kit/job_board.ts";
import mapping from "./mapping.json" with { type: "json" };

export const recruitee = sourceOfBoard(mapping);
