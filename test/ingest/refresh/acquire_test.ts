import assert from "node:assert/strict";
import type { Sql } from "../../../src/db/connect.ts";
import { Acquirer } from "../../../src/ingest/refresh/acquire.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { oneEngineTest } from "../../support/database.ts";
import { silent } from "../../support/operations.ts";
import {
  listing,
  type Publisher,
  refreshContext,
  searchedBulletin,
  startPublisher,
} from "../../support/publisher.ts";

/** Returns an acquirer that asks one source, whose requests end with a term, their target. */
async function acquirerOf(sql: Sql, publisher: Publisher, now?: () => Date): Promise<Acquirer> {
  await sql`
    insert into sources (name, address, asked_in_searches)
    values ('bulletin', ${publisher.address}, true)
  `;
  const bulletin = searchedBulletin((address, { terms: [target] }) => ({
    url: `${address}/${target}`,
    target,
  }));
  delete bulletin.remote!.hostname;
  const { read } = bulletin;
  bulletin.read = (stream, context) => {
    assert.ok(context.address!.endsWith(`/${context.target}`));
    return read(stream, context);
  };
  return new Acquirer({
    sql,
    log: silent,
    asking: refreshContext(sql, publisher),
    sources: new Map([["bulletin", bulletin]]),
    records: 10,
    milliseconds: 10_000,
    now,
  });
}

oneEngineTest("acquire() asks a host again when its last request has ended", async ({ sql }) => {
  await using publisher = startPublisher(() => listing([]));
  const acquirer = await acquirerOf(sql, publisher);
  for (const term of ["crane", "crate"]) {
    const { asked, incomplete } = await acquirer.acquire({ ...NO_FILTERS, terms: [term] });
    assert.deepEqual([asked, incomplete], [true, false]);
  }
  const ofDomain = { ...NO_FILTERS, terms: ["dock"], domains: ["acme.example"] };
  assert.equal((await acquirer.acquire(ofDomain)).asked, false);
  assert.deepEqual(publisher.asked, ["/crane", "/crate"]);
});

oneEngineTest("acquire() asks no host before the time that its refusal names", async ({ sql }) => {
  let minutes = 0;
  await using publisher = startPublisher(() => {
    const headers = { "retry-after": minutes < 121 ? "7200" : "60" };
    return new Response(null, { status: 429, headers });
  });
  const start = Date.now();
  const acquirer = await acquirerOf(sql, publisher, () => new Date(start + minutes * 60_000));
  const asks = async () =>
    (await acquirer.acquire({ ...NO_FILTERS, terms: [`after ${minutes}`] })).asked;
  assert.equal(await asks(), true);
  const times = [[11, false], [119, false], [121, true], [123, false], [132, true]] as const;
  for (const [later, asked] of times) {
    minutes = later;
    assert.equal(await asks(), asked, `${later} minutes later`);
  }
});
