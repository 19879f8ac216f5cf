/**
 * The statements of a metered search, as the service sends them, in a form that pgbench takes. A
 * search is one statement if the caller's last request was delivered, and otherwise two.
 */
import { SUBSCRIPTIONS } from "./dataset.ts";

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

/**
 * Writes the scripts of pgbench into a folder. Returns their paths by the name of the contender.
 * @param floor folder with the statements of the floor
 */
export async function writeScripts(
  folder: string,
  { floor: directory, searches }: { floor: string; searches: number },
) {
  const texts = pgbenchScripts(searches, SUBSCRIPTIONS);
  const [one_statement, two_statements] = [`${folder}/one.sql`, `${folder}/two.sql`];
  await Deno.writeTextFile(one_statement, texts.one);
  await Deno.writeTextFile(two_statements, texts.two);
  const floor = `${directory}/request.sql`;
  const floor_of_one = `${folder}/floor_of_one.sql`;
  const text = await Deno.readTextFile(floor);
  await Deno.writeTextFile(floor_of_one, text.replace("random(0, 63)", "random(0, 0)"));
  return { one_statement, two_statements, floor, floor_of_one };
}
