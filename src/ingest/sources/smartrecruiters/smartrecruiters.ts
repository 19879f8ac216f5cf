/** Reads job boards of employers on SmartRecruiters from its public Posting API. */
import { sourceOfBoard } from "../kit/job_board.ts";
import { nextByNumber, type Source } from "../kit/source.ts";
import mapping from "./mapping.json" with { type: "json" };

/** Number of postings per answer, the max of the API. */
const PAGE = 100;

const board = sourceOfBoard(mapping);

export const smartrecruiters: Source = {
  ...board,
  remote: {
    ...board.remote!,
    // A posting gives at least one entry, so the last page is the one with fewer entries.
    next: (request, read) => read < PAGE ? undefined : nextByNumber(request, "offset", PAGE),
  },
};
