/** Reads everything that is stored about companies, for tests of merges and of their undoing. */
import type { Sql } from "../../src/db/connect.ts";

/** Returns the rows of all tables that a merge changes, sorted, without the times of recording. */
export async function companyState(sql: Sql): Promise<Record<string, unknown[]>> {
  const rows = async (query: Promise<readonly object[]>) =>
    (await query).map((row) => ({ ...row }));
  return {
    companies: await rows(
      sql`select id, name, suppressed_at, merged_into from companies order by id`,
    ),
    external_ids: await rows(sql`
      select source_id, external_id, company_id, name from company_external_ids order by 1, 2
    `),
    identifiers: await rows(sql`
      select scheme, value, company_id, source_id, company_external_id from company_identifiers
      order by 1, 2
    `),
    names: await rows(sql`
      select source_id, normalized_name, legal_form, country, company_id from company_names
      order by 1, 2, 3, 4, 5
    `),
    domains: await rows(sql`
      select domain_id, company_id, active from company_domains order by 1, 2
    `),
    observations: await rows(sql`
      select id, company_id, company_external_id from observations order by id
    `),
    shown: await rows(sql`select id, company_id from deliverable_observations order by id`),
    hostnames: await rows(sql`
      select hostname, company_id, observation_id from deliverable_domains order by 1, 2, 3
    `),
  };
}
