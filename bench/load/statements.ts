/** The two statements of a metered search, as the service sends them, in a form that pgbench takes. */

/** A search by number, a caller by number, and something that no other call has. */
export interface Places {
  search: string;
  caller: string;
  key: string;
}

const LEASE = "'00000000-0000-4000-8000-000000000001'::uuid";

/** Claims an operation of ten companies. The one column of the answer is the operation's id. */
export function claimStatement({ search, caller, key }: Places): string {
  return oneLine(`
    select claim_operation(
      (select hash from load.callers where n = ${caller}),
      'search_companies',
      'k' || ${key},
      sha256(('f' || ${key})::bytea),
      sha256(('s' || ${key})::bytea),
      (select inputs from load.searches where n = ${search}),
      null,
      false,
      false,
      10,
      null,
      10,
      ${LEASE},
      30,
      900,
      null
    ) ->> 'operation_id' as op
  `);
}

/** Settles it with everything that the search has found, and answers with its observations. */
export function settleStatement(
  { search, caller, key }: Places,
  operation: string,
): string {
  return oneLine(`
    select settle_operation(
      (select hash from load.callers where n = ${caller}),
      ${operation},
      ${LEASE},
      s.company_ids,
      s.places,
      s.observation_ids,
      s.known,
      s.page,
      s.moment,
      null,
      10,
      'company',
      s.facts,
      'c' || ${key},
      null,
      '{}',
      '{}',
      null
    )
    from load.searches s
    where n = ${search}
  `);
}

/** The script of pgbench: 64 subscriptions, the prepared searches in random order. */
export function pgbenchScript(searches: number, subscriptions: number): string {
  const places = { search: ":a", caller: ":s", key: ":k" };
  return [
    `\\set s random(0, ${subscriptions - 1})`,
    `\\set a random(0, ${searches - 1})`,
    "\\set k random(1, 1000000000000000)",
    `${claimStatement(places)} \\gset`,
    `${settleStatement(places, ":op")};`,
    "",
  ].join("\n");
}

function oneLine(statement: string): string {
  return statement.trim().replaceAll(/\s+/g, " ");
}
