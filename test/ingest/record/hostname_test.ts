import assert from "node:assert/strict";
import fc from "fast-check";
import { oneEngineTest } from "../../support/database.ts";
import { record } from "../../support/factories.ts";
import { normalizeFilters } from "../../support/inputs.ts";
import { normalizeHostname } from "../../../src/contract/hostname.ts";

const label = fc.stringMatching(/^[a-zA-Z0-9]([a-zA-Z0-9-]{0,20}[a-zA-Z0-9])?$/);
const hostname = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join("."));

Deno.test("normalizeHostname() ignores only case, white space at the ends and a trailing dot", () => {
  fc.assert(fc.property(
    hostname,
    fc.constantFrom("", " ", "\t"),
    fc.constantFrom("", "."),
    (name, space, dot) => {
      assert.equal(normalizeHostname(space + name.toUpperCase() + dot + space), name.toLowerCase());
    },
  ));
  const longest = "www.".repeat(63) + "x";
  assert.deepEqual([`${longest}.`, `${longest}x`].map(normalizeHostname), [longest, undefined]);
});

Deno.test("normalizeHostname() is idempotent, or refuses the text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const once = normalizeHostname(text);
    if (once === undefined) return;
    assert.equal(normalizeHostname(once), once);
    assert.doesNotMatch(once, /[\s/@:?#]|\.$/u);
  }));
  const none = ["https://acme.example", "a@acme.example", "acme.example:80", "", ".", "a..b"];
  for (const text of none) assert.equal(normalizeHostname(text), undefined);
});

Deno.test("normalizeHostname() gives a name in Unicode and in Punycode one form", () => {
  // Pairs of RFC 3492 and of the examples of UTS 46.
  for (
    const [unicode, ascii] of [
      ["BÜCHER.example", "xn--bcher-kva.example"],
      ["bu\u0308cher.example", "xn--bcher-kva.example"],
      ["münchen.example。", "xn--mnchen-3ya.example"],
      ["ＡＣＭＥ.example", "acme.example"],
    ] as const
  ) {
    assert.equal(normalizeHostname(unicode), ascii);
    assert.equal(normalizeHostname(ascii.toUpperCase()), ascii);
  }
});

oneEngineTest("scenario 52: every form of a hostname is one company and one filter", async (t) => {
  const forms = [
    "bücher.example",
    "BU\u0308CHER.example.",
    "xn--bcher-kva.example",
    "XN--BCHER-KVA.EXAMPLE.",
  ];
  const recorded = await record(
    t.sql,
    forms.map((form, n) => ({ company: { name: `Company ${n}`, domains: [form] } })),
  );
  assert.equal(new Set(recorded.map(({ company_id }) => company_id)).size, 1);
  const hostnames = await t
    .sql`select d.hostname from company_domains c join domains d on d.id = c.domain_id`;
  assert.deepEqual(hostnames.map(({ hostname }) => hostname), ["xn--bcher-kva.example"]);
  const filters = normalizeFilters({ exclude_domains: ["xn--bcher-kva.example"] });
  for (const form of forms) {
    assert.deepEqual(normalizeFilters({ exclude_domains: [form] }), filters);
  }
  assert.deepEqual(filters.exclude_domains, ["xn--bcher-kva.example"]);
});

oneEngineTest(
  "record() joins no companies by the hostname of a host that many share",
  async (t) => {
    const companies = [
      { name: "Acme Roofing", domains: ["www.facebook.com", "acme.example"] },
      { name: "Birch Bakery", domains: ["www.facebook.com", "gmail.com"] },
      { name: "Facebook, Inc.", domains: ["www.facebook.com"] },
    ];
    const recorded = await record(t.sql, companies.map((company) => ({ company })));
    assert.equal(new Set(recorded.map(({ company_id }) => company_id)).size, 3);
    const hostnames = await t.sql`
    select d.hostname from company_domains c join domains d on d.id = c.domain_id order by 1
  `;
    assert.deepEqual(hostnames.map(({ hostname }) => hostname), [
      "acme.example",
      "www.facebook.com",
    ]);
  },
);
