/**
 * Reads the system catalogues of a database, without the parts that differ between equal databases.
 */
import type { Sql } from "../../src/db/connect.ts";

/**
 * Returns sorted descriptions of all objects of the schema public, by kind. They name columns in
 * the order of the table, and contain no object identifiers. The rows that the migrations insert
 * are included.
 */
export async function catalogueOf(sql: Sql): Promise<Record<string, string[]>> {
  const catalogue: Record<string, string[]> = {};
  for (const [kind, query] of Object.entries(QUERIES)) {
    const rows = await sql.unsafe<{ described: string }[]>(
      `select described::text from (${query}) q (described) order by described::text collate "C"`,
    );
    catalogue[kind] = rows.map(({ described }) => described);
  }
  return catalogue;
}

const IN_PUBLIC = "'public'::regnamespace";

const QUERIES = {
  relations: `
    select row(relname, relkind, relpersistence, relhastriggers, relrowsecurity, reloptions,
      relnatts, relchecks)
    from pg_class where relnamespace = ${IN_PUBLIC}`,
  columns: `
    select row(c.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
      a.attidentity, a.attgenerated, a.attstorage, a.attcompression, a.attcollation::regcollation,
      pg_get_expr(d.adbin, d.adrelid))
    from pg_attribute a
    join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on (d.adrelid, d.adnum) = (a.attrelid, a.attnum)
    where c.relnamespace = ${IN_PUBLIC} and a.attnum > 0`,
  constraints: `
    select row(conrelid::regclass, conname, contype, condeferrable, convalidated,
      pg_get_constraintdef(oid))
    from pg_constraint where connamespace = ${IN_PUBLIC}`,
  indexes: `
    select row(pg_get_indexdef(indexrelid), indisunique, indisprimary, indisvalid)
    from pg_index join pg_class c on c.oid = indexrelid where c.relnamespace = ${IN_PUBLIC}`,
  views: `
    select row(oid::regclass, pg_get_viewdef(oid))
    from pg_class where relnamespace = ${IN_PUBLIC} and relkind = 'v'`,
  functions: `
    select pg_get_functiondef(oid)
    from pg_proc where pronamespace = ${IN_PUBLIC} and prokind = 'f'`,
  triggers: `
    select pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = ${IN_PUBLIC} and not t.tgisinternal`,
  sequences: `
    select row(seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement, seqmax, seqmin,
      seqcache, seqcycle)
    from pg_sequence join pg_class c on c.oid = seqrelid where c.relnamespace = ${IN_PUBLIC}`,
  types: `
    select row(typname, typtype, typnotnull) from pg_type where typnamespace = ${IN_PUBLIC}`,
  plans: "select p from plans p",
  clock: "select row(only_row, change_seq, recorded_at, visible_at, taken_at) from dataset_clock",
  queues: "select row(queue_name, is_partitioned, is_unlogged) from pgmq.meta",
};
