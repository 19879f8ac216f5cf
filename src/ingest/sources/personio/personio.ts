/** Reads job boards of employers on Personio from its public XML feed. */
import { sourceOfBoard } from "../kit/job_board.ts";
import mapping from "./mapping.json" with { type: "json" };

export const personio = sourceOfBoard(mapping);
