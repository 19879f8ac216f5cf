import { normalizeHostname } from "../contract/hostname.ts";
import { UsageError } from "../failures.ts";
import type { ReadContext } from "../ingest/record/entry.ts";

/**
 * Reads `--company NAME [--domain HOSTNAME]`, the company of records that name no company.
 * @throws UsageError
 */
export function readCompany(
  { company, domain }: { company?: string; domain?: string },
): ReadContext["company"] {
  if (company === undefined) {
    if (domain !== undefined) throw new UsageError("--domain requires --company");
    return;
  }
  if (company.trim() === "") throw new UsageError("--company: a name is required");
  if (domain === undefined) return { name: company, domains: [] };
  const hostname = normalizeHostname(domain);
  if (hostname === undefined) throw new UsageError("--domain: a hostname is required, not a URL");
  return { name: company, domains: [hostname] };
}
