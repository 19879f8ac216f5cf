/** Limits that both the contract and SQL state. */
import assert from "node:assert/strict";
import { RECORD_LIMITS } from "../../src/contract/record.ts";
import { OBSERVATIONS_PER_COMPANY } from "../../src/contract/search.ts";

Deno.test("the limits that SQL states are those of the contract", () => {
  const [, observations] = /function latest_observations.*?limit (\d+)/s.exec(
    Deno.readTextFileSync("sql/functions/dataset/read_company.sql"),
  )!;
  assert.equal(Number(observations), OBSERVATIONS_PER_COMPANY);
  const [, characters] = /constraint evidence_excerpt_length check \(length\(excerpt\) <= (\d+)\)/
    .exec(Deno.readTextFileSync("sql/0003_dataset.sql"))!;
  assert.equal(Number(characters), RECORD_LIMITS.excerpt_characters);
});
