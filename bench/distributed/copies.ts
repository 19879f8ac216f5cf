/**
 * Copies the observations of a database until there are enough of them. A copy has the same texts,
 * but its own companies, hostnames and ids.
 */
import type { Sql } from "../../src/db/connect.ts";
import { nameOfCopy } from "../numbered.ts";

/** Offsets between the ids of one copy and of the next: the max id of the originals per table. */
interface Offsets {
  companies: number;
  observations: number;
  domains: number;
  evidence: number;
}

/**
 * Adds copies of all observations until the database has enough of them. Keeps the copies of
 * earlier calls.
 *
 * @param observations min number of observations
 * @returns number of observations
 */
export async function copyObservations(sql: Sql, observations: number): Promise<number> {
  await sql`
    create table if not exists copied_originals as
    select
      (select count(*) from observations)::integer as originals,
      (select max(id) from companies)::integer as companies,
      (select max(id) from observations)::integer as observations,
      (select max(id) from domains)::integer as domains,
      (select max(id) from evidence)::integer as evidence,
      0 as last_copy
  `;
  const [{ originals, last_copy, ...offsets }] = await sql<
    [Offsets & { originals: number; last_copy: number }]
  >`select * from copied_originals`;
  const copies = Math.ceil(observations / originals);
  for (let copy = last_copy + 1; copy < copies; copy++) await addCopy(sql, offsets, copy);
  for (const table of ["companies", "observations", "domains", "evidence"]) {
    await sql.unsafe(`
      select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))
    `);
  }
  await sql`vacuum analyze`;
  return originals * Math.max(copies, last_copy + 1);
}

/** Offset between the change sequences of one copy and of the next. */
const SPACING = 1_000_000;

async function addCopy(sql: Sql, offsets: Offsets, copy: number): Promise<void> {
  const by = (table: keyof Offsets) => copy * offsets[table];
  await sql.begin(async (tx) => {
    // Skips foreign keys and triggers, because the originals have passed them.
    await tx`set local session_replication_role = replica`;
    await tx`
      insert into companies (id, name, created_at, suppressed_at)
      overriding system value
      select id + ${by("companies")}, left(name, 280) || ' ' || ${nameOfCopy(copy)},
        created_at, suppressed_at
      from companies
      where id <= ${offsets.companies} and merged_into is null
    `;
    await tx`
      insert into domains (id, hostname)
      overriding system value
      select id + ${by("domains")}, 'c' || ${copy}::integer || '.' || left(hostname, 240)
      from domains
      where id <= ${offsets.domains}
    `;
    await tx`
      insert into company_domains (domain_id, company_id, active)
      select domain_id + ${by("domains")}, company_id + ${by("companies")}, active
      from company_domains
      where company_id <= ${offsets.companies}
    `;
    await tx`
      insert into observations (
        id, source_id, external_id, company_id, kind, observed_fact, why_it_may_matter,
        demand_class, country, confidence, occurred_at, observed_at, expires_at, categories,
        content_hash, recorded_at, last_seen_at, withdrawn_at, change_seq, texts, facets
      )
      overriding system value
      select
        id + ${by("observations")}, source_id, external_id || ' ' || ${copy}::integer,
        company_id + ${by("companies")}, kind, observed_fact, why_it_may_matter,
        demand_class, country, confidence, occurred_at, observed_at, expires_at, categories,
        content_hash, recorded_at, last_seen_at, withdrawn_at,
        change_seq + ${copy * SPACING}, texts, facets
      from observations
      where id <= ${offsets.observations}
    `;
    await tx`
      insert into observation_domains (observation_id, domain_id)
      select observation_id + ${by("observations")}, domain_id + ${by("domains")}
      from observation_domains
      where observation_id <= ${offsets.observations}
    `;
    await tx`
      insert into evidence (
        id, observation_id, source_uri, excerpt, occurred_at, observed_at, withdrawn_at
      )
      overriding system value
      select id + ${by("evidence")}, observation_id + ${by("observations")}, source_uri, excerpt,
        occurred_at, observed_at, withdrawn_at
      from evidence
      where id <= ${offsets.evidence}
    `;
    await tx`update dataset_clock set change_seq = (select max(change_seq) from observations)`;
    await tx`update copied_originals set last_copy = ${copy}`;
  });
}
