import assert from "node:assert/strict";
import fc from "fast-check";
import type { Country, DemandClass, Kind } from "../../src/contract/vocabulary.ts";
import { createAdmission } from "../../src/search/admission.ts";
import type { ObservationDocument } from "../../src/search/document.ts";
import { ObservationIndex } from "../../src/search/engine/observation_index.ts";
import { normalizeFilters, type SearchFilters } from "../../src/search/filters.ts";
import { observationDocument } from "../support/documents.ts";

const day = (n: number) => `2026-03-0${n}T00:00:00.000000Z`;
const NOW = day(5);

/** The ids that filters admit. */
function admitted(documents: ObservationDocument[], filters: SearchFilters): number[] {
  const hostnames = new ObservationIndex();
  for (const document of documents) hostnames.put(document);
  const admits = createAdmission(filters, { hostnames, now: NOW });
  return documents.filter(admits).map(({ observation_id }) => observation_id);
}

const DOCUMENTS = [
  observationDocument(1, { company_id: 10, country: "CA", hostnames: ["a.example"] }),
  observationDocument(2, { company_id: 10, country: "US", kind: "procurement_request" }),
  observationDocument(3, {
    company_id: 20,
    demand_class: "structural",
    hostnames: ["b.example", "shared.example"],
  }),
  observationDocument(4, { company_id: 30, occurred_at: day(2), hostnames: ["shared.example"] }),
  observationDocument(5, { company_id: 40, occurred_at: null, kind: "company_profile" }),
  observationDocument(6, { company_id: 50, expires_at: NOW, hostnames: ["old.example"] }),
  observationDocument(7, { company_id: 50, expires_at: day(6), observed_at: day(3) }),
];

Deno.test("createAdmission() follows every filter rule", () => {
  const cases: [unknown, number[]][] = [
    [{}, [1, 2, 3, 4, 5, 7]],
    [{ countries: ["US"] }, [2]],
    [{ countries: ["US", "CA"] }, [1, 2, 3, 4, 5, 7]],
    [{ kinds: ["procurement_request"] }, [2]],
    [{ kinds: ["procurement_request", "facility_expansion"] }, [1, 2, 3, 4, 7]],
    [{ demand_classes: ["structural"] }, [3]],
    [{ countries: ["US"], demand_classes: ["structural"] }, []],
    [{ occurred_after: "2026-03-01T00:00:00Z" }, [4]],
    [{ occurred_after: "2026-02-28T23:59:59.999999Z" }, [1, 2, 3, 4, 7]],
    [{ observed_after: "2026-03-02T09:00:00Z" }, [7]],
    [{ company_ids: [10, 30, 999] }, [1, 2, 4]],
    [{ company_ids: [999] }, []],
    [{ exclude_company_ids: [10, 999] }, [3, 4, 5, 7]],
    [{ company_ids: [10, 20], exclude_company_ids: [10] }, [3]],
    // The hostname holds the company, by another of its observations.
    [{ domains: ["A.example."] }, [1, 2]],
    [{ domains: ["shared.example"] }, [3, 4]],
    [{ domains: ["a.example", "b.example"] }, [1, 2, 3]],
    [{ domains: ["www.a.example"] }, []],
    [{ domains: ["unknown.example"] }, []],
    // Its only support has expired.
    [{ domains: ["old.example"] }, []],
    [{ exclude_domains: ["old.example", "unknown.example"] }, [1, 2, 3, 4, 5, 7]],
    [{ exclude_domains: ["shared.example"] }, [1, 2, 5, 7]],
    [{ domains: ["shared.example"], exclude_domains: ["b.example"] }, [4]],
    [{ domains: ["a.example"], company_ids: [20] }, []],
    [{ domains: ["a.example"], countries: ["US"] }, [2]],
  ];
  for (const [raw, ids] of cases) {
    assert.deepEqual(admitted(DOCUMENTS, normalizeFilters(raw)), ids, JSON.stringify(raw));
  }
});

Deno.test("createAdmission() agrees with the rules written out", () => {
  const instant = fc.integer({ min: 1, max: 9 }).map(day);
  const hostname = fc.constantFrom("a.example", "b.example", "c.example");
  const documents = fc.array(
    fc.record({
      company_id: fc.integer({ min: 1, max: 6 }),
      country: fc.constantFrom<Country>("CA", "US"),
      kind: fc.constantFrom<Kind>("procurement_request", "facility_expansion", "job_posting"),
      demand_class: fc.constantFrom<DemandClass>("explicit_request", "proxy"),
      occurred_at: fc.option(instant),
      observed_at: instant,
      expires_at: fc.option(instant),
      hostnames: fc.uniqueArray(hostname),
    }),
    { maxLength: 30 },
  ).map((parts) => parts.map((part, place) => observationDocument(place + 1, part)));
  const filters = fc.record({
    countries: fc.array(fc.constantFrom("CA", "US"), { maxLength: 2 }),
    kinds: fc.array(fc.constantFrom("procurement_request", "facility_expansion"), { maxLength: 2 }),
    demand_classes: fc.array(fc.constantFrom("explicit_request", "structural"), { maxLength: 1 }),
    occurred_after: instant,
    observed_after: instant,
    company_ids: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }),
    exclude_company_ids: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
    domains: fc.array(hostname, { maxLength: 2 }),
    exclude_domains: fc.array(hostname, { maxLength: 1 }),
  }, { requiredKeys: [] }).map(normalizeFilters);
  const any = (values: unknown[], value: unknown) => values.length === 0 || values.includes(value);
  fc.assert(
    fc.property(documents, filters, (documents, filters) => {
      const alive = documents.filter(({ expires_at }) => expires_at === null || expires_at > NOW);
      const holds = (company: number, names: string[]) =>
        alive.some(({ company_id, hostnames }) =>
          company_id === company && hostnames.some((name) => names.includes(name))
        );
      const expected = alive.filter((document) => {
        if (!any(filters.countries, document.country)) return false;
        if (!any(filters.kinds, document.kind)) return false;
        if (!any(filters.demand_classes, document.demand_class)) return false;
        if (!any(filters.company_ids, document.company_id)) return false;
        if (filters.exclude_company_ids.includes(document.company_id)) return false;
        if (filters.domains.length && !holds(document.company_id, filters.domains)) return false;
        if (holds(document.company_id, filters.exclude_domains)) return false;
        if (filters.occurred_after && !((document.occurred_at ?? "") > filters.occurred_after)) {
          return false;
        }
        return !filters.observed_after || document.observed_at > filters.observed_after;
      });
      assert.deepEqual(admitted(documents, filters), expected.map((one) => one.observation_id));
    }),
    { numRuns: 300 },
  );
});
