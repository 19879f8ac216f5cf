/**
 * The statements of a metered search, as the service sends them, in a form that pgbench takes. A
 * search is one statement if the caller's last request was delivered, and otherwise two.
 */

/** SQL expressions: number of a search, number of a caller, and a value that no other call has. */
export interface Places {
  search: string;
  caller: string;
  key: string;
}

const LEASE = "'00000000-0000-4000-8000-000000000001'::uuid";

/** Returns SQL that claims an operation of ten companies. Its only column is the operation's id. */
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

/** Returns SQL that settles an operation with all results of its search, and delivers a page. */
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

/** Returns SQL that both claims and settles an operation of ten companies, after its search. */
export function oneStatement({ search, caller, key }: Places): string {
  return oneLine(`
    select claim_and_settle_operation(
      (select hash from load.callers where n = ${caller}),
      'search_companies',
      'k' || ${key},
      sha256(('f' || ${key})::bytea),
      sha256(('s' || ${key})::bytea),
      s.inputs,
      null,
      900,
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
      false,
      'c' || ${key},
      null
    )
    from load.searches s
    where n = ${search}
  `);
}

/**
 * Returns scripts of pgbench, by the number of statements of a search: each takes the subscriptions
 * and the prepared searches in random order.
 */
export function pgbenchScripts(searches: number, subscriptions: number) {
  const places = { search: ":a", caller: ":s", key: ":k" };
  const script = (...statements: string[]) =>
    [
      `\\set s random(0, ${subscriptions - 1})`,
      `\\set a random(0, ${searches - 1})`,
      "\\set k random(1, 1000000000000000)",
      ...statements,
      "",
    ].join("\n");
  return {
    one: script(`${oneStatement(places)};`),
    two: script(`${claimStatement(places)} \\gset`, `${settleStatement(places, ":op")};`),
  };
}

function oneLine(statement: string): string {
  return statement.trim().replaceAll(/\s+/g, " ");
}
