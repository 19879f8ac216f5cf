/** Copies all rows of a database into an empty one with the same tables. */
import type { Sql } from "./sql.ts";
import { QUEUES } from "./queue.ts";

/** Number of rows per statement. The number is chosen. */
const PAGE_ROWS = 500;

/** A table that is copied. */
interface CopiedTable {
  /** Schema and name, quoted. */
  name: string;
  /** Quoted names of the columns, without generated ones. */
  columns: string[];
  /** Name of the sequence of the identity column, if the table has one. */
  sequence: string | null;
}

/**
 * Copies every table in one transaction of the target. Replaces the rows that migrations have
 * inserted there. Foreign keys are checked at the end, over all rows.
 *
 * @returns the number of rows, by table
 * @throws Error if the target contains accounts, observations or operations
 */
export async function copyTables(source: Sql, target: Sql): Promise<Record<string, number>> {
  const tables = await listTables(source);
  const counts = await target.begin(async (tx) => {
    await requireEmpty(tx);
    const keys = await dropForeignKeys(tx, tables);
    const counts: Record<string, number> = {};
    for (const table of tables) counts[table.name] = await copyTable(source, tx, table);
    for (const { table, name, definition } of keys) {
      await tx.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
    }
    return counts;
  });
  await target.unsafe("analyze");
  return counts as Record<string, number>;
}

async function requireEmpty(tx: Sql): Promise<void> {
  const [{ used }] = await tx<[{ used: boolean }]>`
    select exists (select from accounts)
      or exists (select from observations)
      or exists (select from operations) as used
  `;
  if (used) throw new Error("The target database is not empty.");
}

/** Lists the tables of the service and of its queues, without the table `migrations`. */
async function listTables(source: Sql): Promise<CopiedTable[]> {
  const queues = QUEUES.flatMap((queue) => [`q_${queue}`, `a_${queue}`]);
  return await source<CopiedTable[]>`
    select
      format('%I.%I', n.nspname, c.relname) as name,
      array_agg(quote_ident(a.attname) order by a.attnum)
        filter (where a.attgenerated = '') as columns,
      max(pg_get_serial_sequence(format('%I.%I', n.nspname, c.relname), a.attname))
        filter (where a.attidentity <> '') as sequence
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and (
      (n.nspname = 'public' and c.relname <> 'migrations')
      or (n.nspname = 'pgmq' and c.relname = any(${queues}))
    )
    group by n.nspname, c.relname
    order by n.nspname, c.relname
  `;
}

/** A foreign key, with its quoted names and its definition in SQL. */
interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

async function dropForeignKeys(tx: Sql, tables: CopiedTable[]): Promise<ForeignKey[]> {
  const keys = await tx<ForeignKey[]>`
    select
      format('%I.%I', n.nspname, c.relname) as table,
      quote_ident(k.conname) as name,
      pg_get_constraintdef(k.oid) as definition
    from pg_constraint k
    join pg_class c on c.oid = k.conrelid
    join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and format('%I.%I', n.nspname, c.relname) = any(
      ${tables.map(({ name }) => name)}
    )
  `;
  for (const { table, name } of keys) {
    await tx.unsafe(`alter table ${table} drop constraint ${name}`);
  }
  return keys;
}

async function copyTable(
  source: Sql,
  tx: Sql,
  { name, columns, sequence }: CopiedTable,
): Promise<number> {
  if ((await tx.unsafe(`select from ${name} limit 1`)).length > 0) {
    await tx.unsafe(`delete from ${name}`);
  }
  const list = columns.join();
  let count = 0;
  for (let after = "(0,0)";;) {
    const [page] = await source.unsafe<[{ last: string | null; rows: string; count: number }]>(
      `select max(place)::text as last, count(*) as count, json_agg(row)::text as rows
      from (
        select t.ctid as place, to_json(t) as row from ${name} t
        where t.ctid > $1::tid order by t.ctid limit ${PAGE_ROWS}
      ) page`,
      [after],
    );
    if (page.last === null) break;
    await tx.unsafe(
      `insert into ${name} (${list}) overriding system value
      select ${list} from json_populate_recordset(null::${name}, $1::text::json)`,
      [page.rows],
    );
    count += page.count;
    after = page.last;
  }
  if (sequence !== null) await copySequence(source, tx, sequence);
  return count;
}

async function copySequence(source: Sql, tx: Sql, sequence: string): Promise<void> {
  const [state] = await source.unsafe<[{ last_value: number; is_called: boolean }]>(
    `select last_value, is_called from ${sequence}`,
  );
  await tx`select setval(${sequence}, ${state.last_value}, ${state.is_called})`;
}
