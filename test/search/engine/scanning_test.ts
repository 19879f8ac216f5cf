import assert from "node:assert/strict";
import { Admission, EVERYTHING } from "../../../src/search/engine/filters.ts";
import { addUp, clear, openScan } from "../../../src/search/engine/scanning.ts";
import {
  lengthFactors,
  queryTermsOf,
  sharesOfLevels,
  weigh,
} from "../../../src/search/engine/scoring.ts";
import { Segment } from "../../../src/search/engine/segment.ts";
import { Tail } from "../../../src/search/engine/tail.ts";

const FIELDS = [{ weight: 1, bits: 8 }];

/** Returns a segment whose documents all contain "steel". Every tenth one also contains "crane". */
function segmentOf(documents: number): Segment {
  const tail = new Tail(FIELDS);
  const facts = {
    attribute: 0,
    occurred: 0,
    observed: 0,
    expires: Infinity,
    hostnames: [],
    facets: [],
    amount: NaN,
    closes: NaN,
    sectors: 0,
  };
  for (let id = 1; id <= documents; id++) {
    tail.put({ ...facts, id, company_id: id, texts: [id % 10 === 0 ? "steel crane" : "steel"] });
  }
  const buffer = tail.assemble(tail.totals.averages());
  return new Segment({ buffer, deleted: null, losses: null }, FIELDS);
}

Deno.test("clear() sets every sum to 0, also if posting lists were omitted", () => {
  const segment = segmentOf(500);
  const { totals } = segment;
  const averages = totals.averages();
  const statistics = {
    totals,
    averages,
    factors: lengthFactors(averages),
    shares: sharesOfLevels(averages, [averages]),
  };
  const { terms } = weigh(queryTermsOf(["steel", "crane"]), { frequencies: [500, 50], statistics });
  const numbers = terms.map(({ key }) => segment.term(key));
  const admission = new Admission(segment, EVERYTHING);
  const omitted = [0, 30_000].map((minSum) => {
    const scan = openScan({ segment, admission, terms, numbers, minSum });
    addUp(scan);
    assert(scan.sums.subarray(0, segment.size).every((sum) => sum > 0));
    clear(scan);
    assert(scan.sums.every((sum) => sum === 0));
    return scan.omission.postings;
  });
  assert.deepEqual(omitted, [0, 500]);
});
