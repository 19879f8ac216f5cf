import assert from "node:assert/strict";
import { Acquirer } from "../../../src/ingest/refresh/acquire.ts";
import { NO_FILTERS } from "../../../src/search/match/criteria.ts";
import { oneEngineTest } from "../../support/database.ts";
import { silent } from "../../support/operations.ts";
import {
  listing,
  refreshContext,
  searchedBulletin,
  startPublisher,
} from "../../support/publisher.ts";

oneEngineTest("acquire() asks a host again when its last request has ended", async ({ sql }) => {
  await using publisher = startPublisher(() => listing([]));
  await sql`
    insert into sources (name, address, asked_in_searches)
    values ('bulletin', ${publisher.address}, true)
  `;
  const bulletin = searchedBulletin((address, { terms }) => ({ url: `${address}/${terms}` }));
  const acquirer = new Acquirer({
    sql,
    log: silent,
    asking: refreshContext(sql, publisher),
    sources: new Map([["bulletin", bulletin]]),
    records: 10,
    milliseconds: 10_000,
  });
  for (const term of ["crane", "crate"]) {
    const { asked, incomplete } = await acquirer.acquire({ ...NO_FILTERS, terms: [term] });
    assert.deepEqual([asked, incomplete], [true, false]);
  }
  assert.deepEqual(publisher.asked, ["/crane", "/crate"]);
});
