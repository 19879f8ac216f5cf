import assert from "node:assert/strict";
import fc from "fast-check";
import { COUNTRIES, DEMAND_CLASSES, KINDS, SECTOR_CODES } from "../../src/contract/vocabulary.ts";
import { normalizeFilters } from "../../src/search/filters.ts";
import { narrowedFilters } from "../../src/search/preferences.ts";

Deno.test("narrowedFilters() admits nothing that the filters do not", () => {
  const some = <Value>(values: readonly Value[]) => fc.subarray([...values]);
  const filters = fc.record({
    countries: some(COUNTRIES),
    kinds: some(["procurement_request", "facility_expansion"] as const),
    demand_classes: some(DEMAND_CLASSES),
    domains: some(["a.example", "b.example"]),
    occurred_after: fc.constantFrom(undefined, "2026-03-01T00:00:00Z"),
  }).map((raw) => normalizeFilters(raw));
  const preferences = fc.record({
    kinds: some(KINDS),
    countries: some(COUNTRIES),
    demand_classes: some(DEMAND_CLASSES),
    sectors: some(SECTOR_CODES),
    occurred_after: fc.constantFrom(
      null,
      "2026-01-01T00:00:00.000000Z",
      "2026-04-01T00:00:00.000000Z",
    ),
    occurred_before: fc.constant(null),
  });
  const hostnames = some(["a.example", "c.example"]);
  fc.assert(fc.property(filters, preferences, hostnames, (filters, preferences, hostnames) => {
    const given = { terms: [], phrases: [], excluded: [], hostnames, named_kinds: [], preferences };
    const narrowed = narrowedFilters(filters, given);
    if (narrowed === undefined) return;
    for (const field of ["countries", "kinds", "demand_classes", "domains"] as const) {
      const admitted: readonly string[] = filters[field];
      if (admitted.length === 0) continue;
      assert(narrowed[field].length > 0);
      assert(narrowed[field].every((value) => admitted.includes(value)));
    }
    assert((narrowed.occurred_after ?? "") >= (filters.occurred_after ?? ""));
    assert.deepEqual({ ...narrowed, ...pick(filters) }, filters);
  }));
});

function pick(
  { countries, kinds, demand_classes, domains, occurred_after }: ReturnType<
    typeof normalizeFilters
  >,
) {
  return { countries, kinds, demand_classes, domains, occurred_after };
}
