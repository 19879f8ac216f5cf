/** Tests the order of results, also of equal scores, and groups by company. */
import assert from "node:assert/strict";
import { record } from "../../support/factories.ts";
import { findCompanies, findObservations } from "./asking.ts";
import { conformanceTest } from "./subjects.ts";

const ids = (entries: { company_id: number }[]) => entries.map(({ company_id }) => company_id);

conformanceTest("a match in a more important field ranks higher", async ({ sql, open }) => {
  const filling = "Shelves and lamps and doors and floors were mentioned.";
  const recorded = await record(sql, [
    { observed_fact: filling, evidence: [evidence("A trampoline was mentioned too.")] },
    { observed_fact: "A trampoline is wanted.", evidence: [evidence(filling)] },
    { observed_fact: filling, evidence: [evidence(filling)] },
  ]);
  await using retriever = await open();
  assert.deepEqual(ids(await findCompanies(retriever, { query: "trampoline" })), [
    recorded[1]!.company_id,
    recorded[0]!.company_id,
  ]);
});

conformanceTest("a rare word has a higher weight than a common one", async ({ sql, open }) => {
  const common = Array.from({ length: 20 }, (_, n) => ({
    observed_fact: `Paint is wanted for hall ${n}.`,
  }));
  const recorded = await record(sql, [
    ...common,
    { observed_fact: "A trampoline is wanted for hall 21." },
    { observed_fact: "Paint for a trampoline is wanted." },
  ]);
  await using retriever = await open();
  const found = await findObservations(retriever, { query: "trampoline paint" });
  const [both, rare] = [recorded[21]!.observation_id, recorded[20]!.observation_id];
  assert.equal(found[0], both);
  assert.equal(found[1], rare);
});

conformanceTest("a record that contradicts a condition is not delivered", async (subject) => {
  const place = (region: string) => ({ facets: { place: { country: "CA" as const, region } } });
  const [, ontario] = await record(subject.sql, [
    { observed_fact: "A crane, a crane, a crane.", ...place("AB") },
    { observed_fact: "One crane is wanted there.", ...place("ON") },
  ]);
  await using retriever = await subject.open();
  assert.deepEqual(ids(await findCompanies(retriever, { query: "crane in Ontario" })), [
    ontario!.company_id,
  ]);
});

conformanceTest("a city outside an asked area contradicts, without naming an area", async (t) => {
  const cityOf = (city: string) => ({
    country: "US" as const,
    observed_fact: "A freezer warehouse is being built.",
    facets: { place: { country: "US" as const, region: "CA", city } },
  });
  const [near] = await record(t.sql, [cityOf("Palo Alto"), cityOf("Fresno")]);
  await using retriever = await t.open();
  // With a second condition that it meets, a record that states no place would be delivered.
  const query = "freezer warehouse in the Bay Area since February 2026";
  assert.deepEqual(ids(await findCompanies(retriever, { query })), [near!.company_id]);
});

conformanceTest("of what an exclusion leaves, the latest comes first", async ({ sql, open }) => {
  const occurred = ["1969-07-20", "2024-01-01", "2026-01-01"].map((day) => `${day}T00:00:00Z`);
  const [moon, before, latest] = await record(
    sql,
    occurred.map((occurred_at) => ({ observed_fact: "A crane is wanted.", occurred_at })),
  );
  await record(sql, [{ observed_fact: "A dock is wanted." }]);
  await using retriever = await open();
  const filters = { observed_after: "1990-01-01T00:00:00Z" };
  const found = await findObservations(retriever, { query: "except docks", filters });
  assert.deepEqual(found, [latest, before, moon].map((one) => one!.observation_id));
});

conformanceTest("equal scores are sorted by id, also across shards", async (subject) => {
  const parts = Array.from({ length: 60 }, () => ({
    observed_fact: "A crane is wanted.",
    company: { name: "Northwind Foods" },
    source: `feed-${crypto.randomUUID()}`,
  }));
  const recorded = await record(subject.sql, parts);
  const expected = recorded.toSorted((a, b) => a.company_id - b.company_id);
  await using retriever = await subject.open();
  const companies = await findCompanies(retriever, { query: "crane" });
  assert.equal(companies.length, 60);
  assert.deepEqual(ids(companies), ids(expected));
  const observations = await findObservations(retriever, { query: "crane" });
  assert.deepEqual(
    observations,
    recorded.map(({ observation_id }) => observation_id).toSorted((a, b) => a - b),
  );
});

conformanceTest(
  "a shortlist has 100 companies with their best records, at most three",
  async (s) => {
    // Each company has 1 to 6 records. Its later records contain the word more often.
    const parts = Array.from(
      { length: 130 },
      (_, company) =>
        Array.from({ length: 1 + company % 6 }, (_, rank) => ({
          external_id: `best-${company}-${rank}`,
          observed_fact: Array.from({ length: 6 }, (_, n) => n <= rank ? "crane" : "hall").join(
            " ",
          ),
          company: { name: `Buyer ${company + 100}`, external_id: `${company}` },
        })),
    ).flat();
    const recorded = await record(s.sql, parts);
    await using retriever = await s.open();
    const entries = await findCompanies(retriever, { query: "crane" });
    assert.deepEqual([entries.length, new Set(ids(entries)).size], [100, 100]);
    assert.equal((await findObservations(retriever, { query: "crane" })).length, 100);
    const byCompany = Map.groupBy(recorded, ({ company_id }) => company_id);
    const sizes: number[] = [];
    for (const { company_id, observation_ids } of entries) {
      const of_company = byCompany.get(company_id)!;
      sizes.push(of_company.length);
      // The last records contain the word most often.
      const best = of_company.slice(-3).map(({ observation_id }) => observation_id).reverse();
      // The judge reads 300 records, which are not all best three of the last companies.
      assert.deepEqual(observation_ids, best.slice(0, observation_ids.length));
      if (sizes.length <= 50) assert.equal(observation_ids.length, best.length);
    }
    // Companies with more and better records come first. Equal companies are sorted by id.
    assert.deepEqual(sizes, sizes.toSorted((a, b) => b - a));
    for (const [index, size] of sizes.entries()) {
      if (sizes[index + 1] === size) {
        assert.ok(entries[index]!.company_id < entries[index + 1]!.company_id);
      }
    }
  },
);

function evidence(excerpt: string) {
  return {
    source_uri: "https://news.example/1",
    excerpt,
    occurred_at: "2026-03-01T00:00:00Z",
    observed_at: "2026-03-02T09:00:00Z",
  };
}
