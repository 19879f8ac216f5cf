import assert from "node:assert/strict";
import { normalizeName, normalizeRecord } from "../../src/ingest/normalize.ts";

const raw = {
  source: "acme-feed",
  external_id: "a-17",
  company: { name: "Northwind Foods", domains: ["Northwind.example."] },
  kind: "facility_expansion",
  observed_fact: "A second\u200b hall\tis built.",
  why_it_may_matter: "Halls need racks.",
  demand_class: "proxy",
  country: "CA",
  confidence: 0.8,
  occurred_at: "2026-03-01T00:00:00Z",
  observed_at: "2026-03-02T09:00:00-05:00",
  expires_at: null,
  categories: ["42", "31-33", "42"],
  evidence: [{ source_uri: "https://northwind.example/news", excerpt: "One\r\n\r\n\r\nTwo" }],
};

function reasonOf(part: Record<string, unknown>): string {
  const judged = normalizeRecord({ ...raw, ...part });
  assert.ok("reason" in judged, "the record was accepted");
  return judged.reason;
}

Deno.test("normalizeRecord() cleans, orders and completes a record", () => {
  const judged = normalizeRecord(raw);
  assert.ok("record" in judged);
  const { content_hash, ...record } = judged.record;
  assert.match(content_hash, /^[0-9a-f]{64}$/);
  assert.deepEqual(record, {
    source: "acme-feed",
    external_id: "a-17",
    company_name: "Northwind Foods",
    normalized_name: "northwind foods",
    company_external_id: null,
    hostnames: ["northwind.example"],
    kind: "facility_expansion",
    observed_fact: "A second hall is built.",
    why_it_may_matter: "Halls need racks.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.8,
    occurred_at: "2026-03-01T00:00:00.000Z",
    observed_at: "2026-03-02T14:00:00.000Z",
    expires_at: null,
    categories: ["31-33", "42"],
    evidence: [{
      source_uri: "https://northwind.example/news",
      excerpt: "One\n\nTwo",
      occurred_at: "2026-03-01T00:00:00.000Z",
      observed_at: "2026-03-02T14:00:00.000Z",
    }],
  });
});

Deno.test("normalizeRecord() gives one hash for one content, however it is written", () => {
  const hashOf = (part: Record<string, unknown>) => {
    const judged = normalizeRecord({ ...raw, ...part });
    return "record" in judged ? judged.record.content_hash : judged.reason;
  };
  assert.equal(
    hashOf({ observed_at: "2026-03-02T14:00:00Z", categories: ["31-33", "42"] }),
    hashOf({}),
  );
  assert.equal(hashOf({ external_id: "another" }), hashOf({}));
  assert.notEqual(hashOf({ confidence: 0.81 }), hashOf({}));
});

Deno.test("normalizeRecord() names the field that it refuses", () => {
  const evidence = (part: object) => ({ evidence: [{ ...raw.evidence[0], ...part }] });
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ surprise: 1 }, /surprise/],
    [{ source: "Acme Feed" }, /^source: /],
    [{ external_id: "a\u202eb" }, /^external_id: /],
    [{ external_id: "x".repeat(256) }, /^external_id: /],
    [{ company: { name: "\u200b\0" } }, /^company\.name: is empty/],
    [{ company: { name: "A", domains: ["https://a.example"] } }, /^company\.domains\.0: /],
    [{ company: { name: "A", country: "CA" } }, /^company: .*country/],
    [{ kind: "rumour" }, /^kind: /],
    [{ country: "FR" }, /^country: /],
    [{ confidence: 1.2 }, /^confidence: /],
    [{ observed_at: "2026-03-02" }, /^observed_at: must be an ISO 8601/],
    [{ observed_at: "0000-01-01T00:00:00Z" }, /^observed_at: must lie between/],
    [{ occurred_at: null }, /^occurred_at: may be null for the kind company_profile only/],
    [{ categories: ["99"] }, /^categories\.0: /],
    [{ evidence: [] }, /^evidence: /],
    [evidence({ source_uri: "javascript:alert(1)" }), /^evidence\.0\.source_uri: /],
    [evidence({ source_uri: "https://a.example/a b" }), /^evidence\.0\.source_uri: /],
    [
      evidence({ source_uri: `https://a.example/${"x".repeat(2048)}` }),
      /^evidence\.0\.source_uri: /,
    ],
    [evidence({ excerpt: " \u00ad " }), /^evidence\.0\.excerpt: is empty/],
  ];
  for (const [part, reason] of refused) assert.match(reasonOf(part), reason);
  for (const value of [null, 1, "x", []]) {
    assert.ok("reason" in normalizeRecord(value));
  }
});

Deno.test("normalizeRecord() cuts free text that is too long, at a word", () => {
  const judged = normalizeRecord({ ...raw, observed_fact: "word ".repeat(1_000) });
  assert.ok("record" in judged);
  assert.ok(judged.record.observed_fact.length <= 2_000);
  assert.match(judged.record.observed_fact, /word…$/);
});

Deno.test("normalizeName() folds case, punctuation and compatibility forms, and stays short", () => {
  assert.equal(normalizeName("ACME,  Inc."), normalizeName("acme inc"));
  assert.equal(normalizeName("Café & Fils"), "café & fils");
  assert.equal(normalizeName("!!!"), "!!!");
  assert.ok(normalizeName("\ufdfa".repeat(300)).length <= 300);
});
