/**
 * Tests that retrievers follow changes: revisions, expiry, permissions, withdrawals and merges,
 * also after a restart.
 */
import assert from "node:assert/strict";
import { mergeCompanies, splitCompany } from "../../../src/ingest/record/company_merges.ts";
import {
  setSource,
  suppressCompany,
  withdrawEvidence,
  withdrawObservation,
} from "../../../src/ingest/record/withdraw.ts";
import type { DeliveryEntry } from "../../../src/operations/action.ts";
import type { Retriever } from "../../../src/search/retriever.ts";
import { record, type Recorded, sourceRecord } from "../../support/factories.ts";
import { eventually } from "../../support/waiting.ts";
import { findCompanies, findObservations } from "./asking.ts";
import { conformanceTest } from "./subjects.ts";

const entry = ({ company_id, observation_id }: Recorded): DeliveryEntry => ({
  company_id,
  observation_ids: [observation_id],
});

/** Refreshes the retriever, and returns the sorted ids of the observations that a query finds. */
async function afterChange(
  retriever: Retriever,
  query: string,
  filters?: unknown,
): Promise<number[]> {
  await retriever.source.refresh();
  return (await findObservations(retriever, { query, filters })).toSorted((a, b) => a - b);
}

conformanceTest("an empty dataset is ready, and finds nothing", async ({ open }) => {
  await using retriever = await open();
  assert.equal(retriever.source.ready, true);
  assert.deepEqual(await findCompanies(retriever, { query: "crane" }), []);
  assert.deepEqual(await findObservations(retriever, { query: "crane" }), []);
});

conformanceTest("a record is found by each of its fields and facets", async ({ sql, open }) => {
  const [cold, steel] = await record(sql, [
    {
      observed_fact: "A freezer warehouse is being built.",
      why_it_may_matter: "It needs shelving.",
      company: { name: "Northwind", domains: ["Cold.example"] },
      evidence: [{ ...sourceRecord().evidence[0]!, excerpt: "The architect praised daylight." }],
      facets: { place: { country: "CA", region: "QC", city: "Laval" } },
    },
    {
      observed_fact: "Structural beams are wanted.",
      why_it_may_matter: "They are bought by the ton.",
      country: "US",
      kind: "procurement_request",
      demand_class: "explicit_request",
      company: { name: "Steelworks of Ohio" },
      categories: ["23"],
    },
  ]);
  await using retriever = await open();
  for (const query of ["freezer", "shelving", "Northwind", "daylight", "cold.example"]) {
    assert.deepEqual(await findCompanies(retriever, { query }), [entry(cold!)], query);
  }
  for (const query of ["beam", "ton", "steelworks", "RFP", "construction"]) {
    assert.deepEqual(await findCompanies(retriever, { query }), [entry(steel!)], query);
  }
  assert.deepEqual(await findCompanies(retriever, { query: "Quebec" }), [entry(cold!)]);
  assert.deepEqual(await findCompanies(retriever, { query: "Laval" }), [entry(cold!)]);
  assert.deepEqual(await findCompanies(retriever, { query: "zeppelin" }), []);
  assert.deepEqual(await findCompanies(retriever, { query: "the of" }), []);
});

conformanceTest("a retriever follows every kind of change", async ({ sql, open }) => {
  await using retriever = await open();
  const excerpt = (source_uri: string, excerpt: string) => ({
    ...sourceRecord().evidence[0]!,
    source_uri,
    excerpt,
  });
  const crane = sourceRecord({
    source: "cranes",
    observed_fact: "A crane is wanted.",
    company: { name: "Harbour Toys", external_id: "h", domains: ["harbour.example"] },
    evidence: [
      excerpt("https://one.example", "pivoting"),
      excerpt("https://two.example", "spinning"),
    ],
  });
  const [first] = await record(sql, [crane]);
  const id = first!.observation_id;
  assert.deepEqual(await afterChange(retriever, "crane"), [id]);

  // After a revision, the record has the same id, and its former words no longer find it.
  await record(sql, [{ ...crane, observed_fact: "A trampoline is wanted." }]);
  assert.deepEqual(await afterChange(retriever, "crane"), []);
  assert.deepEqual(await afterChange(retriever, "trampoline"), [id]);

  // A second record of the company gives it another name.
  const [dock] = await record(sql, [{
    source: "cranes",
    observed_fact: "A dock is wanted.",
    company: { name: "Seaport Toys", external_id: "h" },
  }]);
  const both = [id, dock!.observation_id].toSorted((a, b) => a - b);
  assert.deepEqual(await afterChange(retriever, "seaport"), both);
  assert.deepEqual(await afterChange(retriever, "trampoline", { domains: ["harbour.example"] }), [
    id,
  ]);

  await withdrawEvidence(sql, "https://one.example");
  assert.deepEqual(await afterChange(retriever, "pivoting"), []);
  assert.deepEqual(await afterChange(retriever, "spinning"), [id]);

  await setSource(sql, "cranes", false);
  assert.deepEqual(await afterChange(retriever, "seaport"), []);
  await setSource(sql, "cranes", true);
  assert.deepEqual(await afterChange(retriever, "seaport"), both);

  // Without evidence, the record is not deliverable, and the company loses its hostname.
  await withdrawEvidence(sql, "https://two.example");
  assert.deepEqual(await afterChange(retriever, "trampoline"), []);
  assert.deepEqual(await afterChange(retriever, "dock", { domains: ["harbour.example"] }), []);
  assert.deepEqual(await afterChange(retriever, "dock"), [dock!.observation_id]);

  const [gantry] = await record(sql, [{ observed_fact: "A gantry is wanted." }]);
  assert.deepEqual(await afterChange(retriever, "gantry"), [gantry!.observation_id]);
  await withdrawObservation(sql, gantry!.observation_id);
  assert.deepEqual(await afterChange(retriever, "gantry"), []);

  await suppressCompany(sql, first!.company_id);
  assert.deepEqual(await afterChange(retriever, "seaport"), []);
});

conformanceTest("an observation is omitted as soon as it expires", async (subject) => {
  const expires_at = new Date("2199-03-01T12:00:00Z");
  const [expiring, lasting] = await record(subject.sql, [
    {
      observed_fact: "A crane is wanted.",
      expires_at: expires_at.toISOString(),
      company: { name: "Harbour", external_id: "h", domains: ["crane.example"] },
    },
    { observed_fact: "A crane is lent.", company: { name: "Harbour", external_id: "h" } },
  ]);
  await using retriever = await subject.open();
  const at = async (now: Date, filters?: unknown) =>
    (await findObservations(retriever, { query: "crane", filters, now })).toSorted((a, b) => a - b);
  const before = new Date(expires_at.getTime() - 1);
  const byDomain = { domains: ["crane.example"] };
  const byOthers = { exclude_domains: ["crane.example"] };
  const both = [expiring!.observation_id, lasting!.observation_id].toSorted((a, b) => a - b);
  assert.deepEqual(await at(new Date()), both);
  assert.deepEqual(await at(before), both);
  assert.deepEqual(await at(before, byDomain), both);
  assert.deepEqual(await at(before, byOthers), []);
  assert.deepEqual(await at(expires_at), [lasting!.observation_id]);
  // The company has the hostname only as long as a deliverable record gives it.
  assert.deepEqual(await at(expires_at, byDomain), []);
  assert.deepEqual(await at(expires_at, byOthers), [lasting!.observation_id]);
});

conformanceTest("expired observations take no places in a page", async ({ sql, open }) => {
  const expires_at = "2199-03-01T12:00:00Z";
  const expiring = Array.from({ length: 160 }, () => ({
    observed_fact: "A gantry is wanted.",
    expires_at,
  }));
  // The longer text ranks below all expiring records.
  const lasting = {
    observed_fact: "A gantry is wanted. It stands at the far end of the old quay.",
  };
  const short = {
    observed_fact: "A quay.",
    expires_at: new Date(Date.now() + 3_000).toISOString(),
  };
  const recorded = await record(sql, [...expiring, short, lasting]);
  await using retriever = await open();
  const now = new Date(expires_at);
  const { observation_id } = recorded.at(-1)!;
  assert.deepEqual(await findObservations(retriever, { query: "gantry", now }), [observation_id]);
  // Each refresh removes what has expired.
  await eventually("the first record has expired", async () => {
    await retriever.source.refresh();
    return retriever.source.state.documents === recorded.length - 1;
  });
});

conformanceTest("a merge moves records, and a split moves them back", async (subject) => {
  const { sql } = subject;
  const [north, south] = await record(sql, [
    {
      observed_fact: "A crane is wanted.",
      company: { name: "North", external_id: "n", domains: ["north.example"] },
    },
    {
      observed_fact: "A crane is sold.",
      company: { name: "South", external_id: "s", domains: ["south.example"] },
    },
  ]);
  const [kept, merged] = [north!.company_id, south!.company_id];
  const apart = [entry(north!), entry(south!)];
  await using retriever = await subject.open();
  const companies = async (filters?: unknown) => {
    await retriever.source.refresh();
    return (await findCompanies(retriever, { query: "crane", filters }))
      .toSorted((a, b) => a.company_id - b.company_id)
      .map(({ company_id, observation_ids }) => ({
        company_id,
        observation_ids: observation_ids.toSorted((a, b) => a - b),
      }));
  };
  assert.deepEqual(await companies(), apart);

  const { merge } = await mergeCompanies(sql, { kept, merged, reason: "one and the same" });
  const together = [{
    company_id: kept,
    observation_ids: [north!.observation_id, south!.observation_id],
  }];
  assert.deepEqual(await companies(), together);
  assert.deepEqual(await companies({ domains: ["south.example"] }), together);
  assert.deepEqual(await companies({ company_ids: [merged] }), []);
  assert.deepEqual(await companies({ exclude_company_ids: [kept] }), []);

  await splitCompany(sql, merge);
  assert.deepEqual(await companies(), apart);
  assert.deepEqual(await companies({ domains: ["south.example"] }), [entry(south!)]);
});

conformanceTest("a restart continues, and follows the changes since", async (subject) => {
  const { sql } = subject;
  const part = (n: number) => ({
    external_id: `restart-${n}`,
    observed_fact: `Crane number ${n} is wanted.`,
    company: { name: `Buyer ${n % 50}`, external_id: `${n % 50}` },
  });
  // The index in memory reads these changes in more than one page, because a page has 500.
  const recorded = await record(sql, Array.from({ length: 700 }, (_, n) => part(n)));
  {
    await using first = await subject.open();
    assert.equal(first.source.state.documents, 700);
    assert.equal((await findCompanies(first, { query: "crane" })).length, 50);
  }
  await withdrawObservation(sql, recorded[3]!.observation_id);
  await record(sql, [{ ...part(4), observed_fact: "A trampoline is wanted." }]);
  const [gantry] = await record(sql, [{ observed_fact: "A gantry is wanted." }]);
  await using second = await subject.open();
  await second.source.refresh();
  assert.deepEqual(await findObservations(second, { query: "gantry" }), [gantry!.observation_id]);
  assert.deepEqual(await findObservations(second, { query: "trampoline" }), [
    recorded[4]!.observation_id,
  ]);
  const { company_id } = recorded[3]!;
  const left = await findObservations(second, {
    query: "crane",
    filters: { company_ids: [company_id] },
  });
  assert.deepEqual(
    left.toSorted((a, b) => a - b),
    recorded.filter((one) => one.company_id === company_id)
      .map(({ observation_id }) => observation_id)
      .filter((id) => id !== recorded[3]!.observation_id)
      .toSorted((a, b) => a - b),
  );
});
