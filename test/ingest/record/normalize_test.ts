import assert from "node:assert/strict";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { sourceRecord } from "../../support/factories.ts";

const raw = sourceRecord({
  external_id: "a-17",
  company: { name: "Northwind Foods", domains: ["Northwind.example."] },
  observed_fact: "A second\u200b hall\tis built.",
  observed_at: "2026-03-02T09:00:00-05:00",
  categories: ["42", "31-33", "42"],
  evidence: [{ source_uri: "https://northwind.example/news", excerpt: "One\r\n\r\n\r\nTwo" }],
});

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
    legal_form: "",
    company_external_id: null,
    company_identifiers: [],
    hostnames: ["northwind.example"],
    kind: "facility_expansion",
    observed_fact: "A second hall is built.",
    why_it_may_matter: "New halls need refrigeration and racking.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.8,
    occurred_at: "2026-03-01T00:00:00.000Z",
    observed_at: "2026-03-02T14:00:00.000Z",
    expires_at: null,
    categories: ["31-33", "42"],
    texts: [],
    facets: {},
    evidence: [{
      source_uri: "https://northwind.example/news",
      excerpt: "One\n\nTwo",
      occurred_at: "2026-03-01T00:00:00.000Z",
      observed_at: "2026-03-02T14:00:00.000Z",
    }],
  });
});

Deno.test("normalizeRecord() computes the same hash for different notations of one content", () => {
  const hashOf = (part: Record<string, unknown>, options = {}) => {
    const judged = normalizeRecord({ ...raw, ...part }, options);
    return "record" in judged ? judged.record.content_hash : judged.reason;
  };
  assert.equal(
    hashOf({ observed_at: "2026-03-02T14:00:00Z", categories: ["31-33", "42"] }),
    hashOf({}),
  );
  assert.equal(hashOf({ external_id: "another" }), hashOf({}));
  assert.notEqual(hashOf({ confidence: 0.81 }), hashOf({}));
  const later = { observed_at: "2026-03-03T00:00:00Z" };
  assert.equal(hashOf(later, { undated: true }), hashOf({}, { undated: true }));
  assert.notEqual(hashOf(later), hashOf({}));
  // The hash covers the part of a long excerpt that is not shown.
  const ending = (end: string) => ({
    evidence: [{ source_uri: "https://a.example", excerpt: "A hall is built. ".repeat(90) + end }],
  });
  assert.notEqual(hashOf(ending("Yes.")), hashOf(ending("No.")));
});

Deno.test("normalizeRecord() names the field that it refuses", () => {
  const evidence = (part: object) => ({ evidence: [{ ...raw.evidence[0], ...part }] });
  const refused: [Record<string, unknown>, RegExp][] = [
    [{ surprise: 1 }, /surprise/],
    [{ source: "" }, /^source: is empty/],
    [{ source: " feed" }, /^source: holds control or hidden characters, or white space at an end/],
    [{ source: "fe\ted" }, /^source: holds control/],
    [{ source: "fe\u200bed" }, /^source: holds control/],
    [{ source: "x".repeat(256) }, /^source: /],
    [{ external_id: "a\u202eb" }, /^external_id: /],
    [{ external_id: "x".repeat(256) }, /^external_id: /],
    [{ company: { name: "\u200b\0" } }, /^company\.name: is empty/],
    [{ company: { name: "A", domains: ["https://a.example"] } }, /^company\.domains\.0: /],
    [{ company: { name: "A", country: "CA" } }, /^company: .*country/],
    [{ kind: "rumour" }, /^kind: /],
    [{ country: "FR" }, /^country: /],
    [{ confidence: 1.2 }, /^confidence: /],
    [{ observed_at: "2026-03-02" }, /^observed_at: must be an ISO 8601/],
    [{ observed_at: "2026-02-30T00:00:00Z" }, /^observed_at: must be an ISO 8601/],
    [{ observed_at: "2026-02-28T24:00:00Z" }, /^observed_at: must .* up to 23:59:59, with an/],
    [
      { observed_at: "1899-12-31T23:59:59Z" },
      /^observed_at: must lie between the years 1900 and 2199/,
    ],
    [{ observed_at: "9999-12-31T23:59:59Z" }, /^observed_at: must lie between/],
    [
      { expires_at: "1899-12-31T23:59:59Z" },
      /^expires_at: must lie between the years 1900 and 9999/,
    ],
    [{ occurred_at: null }, /^occurred_at: may be null for the kind company_profile only/],
    [{ categories: ["99"] }, /^categories\.0: /],
    [{ text: ["1", "2", "3", "4", "5"] }, /^text: must be a text, or a list of up to 4 texts$/],
    [{ evidence: [] }, /^evidence: /],
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

Deno.test("normalizeRecord() cuts overlong free text after a word", () => {
  const judged = normalizeRecord({
    ...raw,
    observed_fact: "word ".repeat(1_000),
    text: "word ".repeat(9_000),
  });
  assert.ok("record" in judged);
  assert.ok(judged.record.texts[0]!.length <= 40_000);
  assert.ok(judged.record.observed_fact.length <= 2_000);
  assert.match(judged.record.observed_fact, /word…$/);
});

Deno.test("normalizeRecord() accepts any name of a source, and addresses of known schemes as evidence", () => {
  for (const source of ["Acme Feed", "sec.gov/edgar", "québec-achats", "x".repeat(255)]) {
    assert.ok("record" in normalizeRecord({ ...raw, source }), source);
  }
  const referring = (source_uri: string) =>
    normalizeRecord({ ...raw, evidence: [{ source_uri, excerpt: "One" }] });
  const addresses = "http://a.example|HTTPS://A.example/é?q=a@b:c|https://a.example/@jo.roe/1|" +
    "urn:isbn:9780141036144|doi:10.1000/182|ftp://a.example/file";
  for (const uri of addresses.split("|")) {
    const judged = referring(uri);
    assert.ok("record" in judged, uri);
    assert.equal(judged.record.evidence[0]!.source_uri, uri);
  }
  const refused = "news/1 //a.example a.example C:\\notes https:a.example https:// about:blank " +
    "JavaScript:alert(1) data:text/html,x vbscript:x file:///etc/passwd chrome://settings " +
    "blob:https://a.example/1 view-source:https://a.example jar:https://a.example/1.jar!/x " +
    "intent://a#Intent;end ws://a.example feed:javascript:alert(1) https://user@a.example " +
    "https://user:password@a.example ftp://user:password@a.example mailto:jo@a.example " +
    "https://a.example/?m=jo@a.example https://a.example/jo%40a.ca";
  for (const uri of refused.split(" ")) {
    const judged = referring(uri);
    assert.ok("reason" in judged, uri);
    assert.match(judged.reason, /^evidence\.0\.source_uri: /);
  }
});

Deno.test("normalizeRecord() accepts instants as filters write them, and the year 9999 as an expiry", () => {
  const accepted = normalizeRecord({
    ...raw,
    occurred_at: "2026-03-01T00:00+0530",
    observed_at: "2026-03-02t09:00:00,1234567-05",
    expires_at: "9999-12-31T23:59:59-05:00",
  });
  assert.ok("record" in accepted, "reason" in accepted ? accepted.reason : "");
  const { occurred_at, observed_at, expires_at } = accepted.record;
  assert.deepEqual([occurred_at, observed_at, expires_at], [
    "2026-02-28T18:30:00.000Z",
    "2026-03-02T14:00:00.123Z",
    "9999-12-31T23:59:59.000Z",
  ]);
});

Deno.test("normalizeRecord() names missing members, and bounds the number of reasons", () => {
  const { company: _, kind: __, observed_at: ___, ...part } = raw;
  assert.deepEqual(normalizeRecord({ ...part, evidence: [{ excerpt: null }], external_id: "" }), {
    reason: "external_id: is empty; company: required; kind: required; observed_at: required; " +
      "evidence.0.source_uri: required; and 1 more",
  });
});

Deno.test("normalizeRecord() cuts a long excerpt to a passage, and keeps it whole as a text", () => {
  const excerpt = "It is a sentence of the notice. ".repeat(100) + "Two freezers open in Laval.";
  const judged = normalizeRecord({
    ...raw,
    observed_fact: "Freezers open in Laval.",
    evidence: [{ source_uri: "https://a.example", excerpt }],
  });
  assert.ok("record" in judged);
  const shown = judged.record.evidence[0]!.excerpt;
  assert.ok(shown.length <= 600);
  assert.ok(shown.endsWith("Two freezers open in Laval."));
  assert.deepEqual(judged.record.texts, [excerpt]);
  assert.equal(judged.excerpts_cut, 1);
});

Deno.test("normalizeRecord() adds excerpts to the texts that do not contain them", () => {
  const judged = normalizeRecord({
    ...raw,
    text: ["Long text.  One\r\n\r\n\r\nTwo", "Texte long.", " "],
    evidence: [
      { source_uri: "https://a.example", excerpt: "One\n\nTwo" },
      { source_uri: "https://a.example", excerpt: "Three" },
      { source_uri: "https://a.example", excerpt: "Texte…" },
    ],
  });
  assert.ok("record" in judged);
  assert.deepEqual(judged.record.texts, ["Long text. One\n\nTwo", "Texte long.", "Three"]);
  assert.equal(judged.excerpts_cut, undefined);
});

Deno.test("normalizeRecord() cleans facets, and drops empty ones", () => {
  const judged = normalizeRecord({
    ...raw,
    facets: {
      place: { country: "CA", region: "QC", city: " Laval\u200b " },
      amount: { value: 76_000_000, currency: "CAD" },
      round: null,
      technologies: [],
      deadline: "2026-03-01T12:00:00-05:00",
      role: "  ",
    },
  });
  assert.ok("record" in judged);
  assert.deepEqual(judged.record.facets, {
    amount: { currency: "CAD", value: 76_000_000 },
    deadline: "2026-03-01T17:00:00.000000Z",
    places: [{ city: "Laval", country: "CA", region: "QC" }],
  });
});

Deno.test("normalizeRecord() ignores an empty text and empty facets in the hash", () => {
  const hashOf = (part: object) => {
    const judged = normalizeRecord({ ...raw, ...part });
    assert.ok("record" in judged);
    return judged.record.content_hash;
  };
  const plain = hashOf({});
  assert.equal(hashOf({ text: null, facets: { role: null, technologies: [] } }), plain);
  assert.notEqual(hashOf({ text: "More than the excerpt." }), plain);
  assert.notEqual(hashOf({ facets: { role: "CFO" } }), plain);
});
