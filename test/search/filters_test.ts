import assert from "node:assert/strict";
import fc from "fast-check";
import type { SearchFilters } from "../../src/contract/filters.ts";
import { normalizeFilters } from "../support/inputs.ts";

const NONE: SearchFilters = {
  countries: [],
  kinds: [],
  demand_classes: [],
  occurred_after: null,
  observed_after: null,
  company_ids: [],
  exclude_company_ids: [],
  domains: [],
  exclude_domains: [],
};

const LISTS = [
  "countries",
  "kinds",
  "demand_classes",
  "company_ids",
  "exclude_company_ids",
  "domains",
  "exclude_domains",
] as const;

function refusal(raw: unknown): string {
  try {
    normalizeFilters(raw);
  } catch (error) {
    assert.equal((error as { code?: string }).code, "invalid_search");
    return (error as Error).message;
  }
  return "accepted";
}

Deno.test("normalizeFilters() treats absent filters, absent fields and empty lists alike", () => {
  assert.deepEqual(normalizeFilters(undefined), NONE);
  assert.deepEqual(normalizeFilters({}), NONE);
  for (const field of LISTS) assert.deepEqual(normalizeFilters({ [field]: [] }), NONE);
});

Deno.test("normalizeFilters() sorts, deduplicates and normalizes", () => {
  assert.deepEqual(
    normalizeFilters({
      countries: ["US", "CA", "US"],
      kinds: ["procurement_request", "facility_expansion"],
      demand_classes: ["structural", "explicit_request", "proxy"],
      occurred_after: "2026-03-01T02:30:00+02:30",
      observed_after: "2026-02-28t19:00:00.1234567-0500",
      company_ids: [10, 9, 2, 10],
      exclude_company_ids: [Number.MAX_SAFE_INTEGER, 1],
      domains: [" WWW.Northwind.Example. ", "northwind.example", "www.northwind.example"],
      exclude_domains: ["z.example", "a.example\n"],
    }),
    {
      countries: ["CA", "US"],
      kinds: ["facility_expansion", "procurement_request"],
      demand_classes: ["explicit_request", "proxy", "structural"],
      occurred_after: "2026-03-01T00:00:00.000000Z",
      observed_after: "2026-03-01T00:00:00.123456Z",
      company_ids: [2, 9, 10],
      exclude_company_ids: [1, Number.MAX_SAFE_INTEGER],
      domains: ["northwind.example", "www.northwind.example"],
      exclude_domains: ["a.example", "z.example"],
    },
  );
});

Deno.test("normalizeFilters() accepts instants with any offset, to the microsecond", () => {
  const cases = {
    "2026-03-01T00:00:00Z": "2026-03-01T00:00:00.000000Z",
    "2026-03-01T00:00Z": "2026-03-01T00:00:00.000000Z",
    "2024-02-29T23:59:59.9-14:00": "2024-03-01T13:59:59.900000Z",
    "2026-03-01T00:00:00,5+05:45": "2026-02-28T18:15:00.500000Z",
    "2026-03-01T00:00:00+02": "2026-02-28T22:00:00.000000Z",
    "2026-03-01T00:00:00.000001-00:00": "2026-03-01T00:00:00.000001Z",
    "0001-01-01T00:00:00Z": "0001-01-01T00:00:00.000000Z",
    "9999-12-31T23:59:59.999999Z": "9999-12-31T23:59:59.999999Z",
    "9999-12-31T23:59:59.999999+01:00": "9999-12-31T22:59:59.999999Z",
  };
  for (const [text, instant] of Object.entries(cases)) {
    assert.equal(normalizeFilters({ occurred_after: text }).occurred_after, instant, text);
    assert.equal(normalizeFilters({ observed_after: text }).observed_after, instant, text);
  }
});

Deno.test("normalizeFilters() refuses invalid dates and times, and those without an offset", () => {
  const texts = [
    "",
    "2026-03-01",
    "2026-03-01T00:00:00",
    "00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-03-01T24:00:00Z",
    "2026-03-01T10:60:00Z",
    "2026-03-01T10:00:60Z",
    "2026-03-01T10:00:00+24:00",
    "2026-03-01T10:00:00+02:60",
    "2026-03-01 10:00:00Z",
    "2026-03-01T10:00:00.Z",
    "0000-12-31T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "+12026-03-01T00:00:00Z",
    "yesterday",
    "1700000000",
    "2026-03-01T00:00:00Z\n",
  ];
  for (const text of texts) {
    assert.equal(
      refusal({ observed_after: text }),
      "filters.observed_after: a date and time of the calendar with its offset, " +
        "such as 2026-03-01T00:00:00Z.",
      text,
    );
  }
});

Deno.test("normalizeFilters() says how to write an offset whose + has become a blank", () => {
  assert.equal(
    refusal({ observed_after: "2026-03-01T10:00:00 05:00" }),
    "filters.observed_after: a date and time with its offset, whose + must be written %2B in an " +
      "address.",
  );
});

Deno.test("normalizeFilters() names an invalid field, and what it accepts", () => {
  const many = Array.from({ length: 101 }, () => 1);
  const cases: [unknown, string][] = [
    [null, "filters: an object."],
    [[], "filters: an object."],
    ["CA", "filters: an object."],
    [{ cities: [] }, "filters.cities: there is no such field here."],
    [JSON.parse('{"__proto__": []}'), "filters.__proto__: there is no such field here."],
    [{ constructor: [] }, "filters.constructor: there is no such field here."],
    [{ countries: null }, "filters.countries: a list."],
    [{ countries: "CA" }, "filters.countries: a list."],
    [{ countries: ["CA", "MX"] }, "filters.countries[1]: one of CA, US."],
    [{ countries: ["ca"] }, "filters.countries[0]: one of CA, US."],
    [
      { kinds: ["job_posting"] },
      "filters.kinds[0]: one of procurement_request, facility_expansion.",
    ],
    [
      { demand_classes: [null] },
      "filters.demand_classes[0]: one of explicit_request, proxy, structural.",
    ],
    [{ company_ids: [0] }, "filters.company_ids[0]: a positive integer."],
    [{ company_ids: [1, "2"] }, "filters.company_ids[1]: a positive integer."],
    [{ company_ids: [1.5] }, "filters.company_ids[0]: a positive integer."],
    [{ company_ids: [2 ** 53] }, "filters.company_ids[0]: a positive integer below 2^53."],
    [{ exclude_company_ids: many }, "filters.exclude_company_ids: at most 100 values."],
    [{ countries: many.map(() => "CA") }, "filters.countries: at most 100 values."],
    [{ domains: many.map(() => "a.example") }, "filters.domains: at most 100 values."],
    [
      { domains: ["a.example", "https://b.example/"] },
      "filters.domains[1]: a hostname, not a URL.",
    ],
    [{ domains: ["b.example/path"] }, "filters.domains[0]: a hostname, not a URL."],
    [{ domains: ["info@b.example"] }, "filters.domains[0]: a hostname, not an e-mail address."],
    [
      { exclude_domains: ["b.example:443"] },
      "filters.exclude_domains[0]: a hostname, without a port.",
    ],
    [
      { exclude_domains: [" "] },
      "filters.exclude_domains[0]: a hostname such as northwind.example.",
    ],
    [{ exclude_domains: [7] }, "filters.exclude_domains[0]: a hostname."],
    [{ exclude_domains: null }, "filters.exclude_domains: a list."],
    [{ occurred_after: null }, "filters.occurred_after: a timestamp such as 2026-03-01T00:00:00Z."],
    [
      { observed_after: 1700000000 },
      "filters.observed_after: a timestamp such as 2026-03-01T00:00:00Z.",
    ],
  ];
  for (const [raw, message] of cases) assert.equal(refusal(raw), message);
});

Deno.test("normalizeFilters() returns equal filters for equal requests, and is idempotent", () => {
  const hostname = fc.constantFrom("a.example", "www.a.example", "b.example", "xn--4ca.example");
  const lists = fc.record({
    countries: fc.array(fc.constantFrom("CA", "US")),
    kinds: fc.array(fc.constantFrom("procurement_request", "facility_expansion")),
    demand_classes: fc.array(fc.constantFrom("explicit_request", "proxy", "structural")),
    company_ids: fc.array(fc.integer({ min: 1, max: 12 })),
    exclude_company_ids: fc.array(fc.maxSafeNat().map((n) => Math.max(n, 1))),
    domains: fc.array(hostname),
    exclude_domains: fc.array(hostname),
  });
  const disguises = fc.constantFrom(
    (text: string) => text.toUpperCase(),
    (text: string) => ` ${text}.`,
    (text: string) => `\t${text} `,
  );
  fc.assert(
    fc.property(lists, disguises, fc.infiniteStream(fc.nat()), (plain, disguise, chance) => {
      const shuffled = Object.entries(plain).flatMap(([field, values]) => {
        if (values.length === 0) return chance.next().value! % 2 ? [] : [[field, []]];
        const repeated = [...values, values[chance.next().value! % values.length]!];
        const variants = repeated.map((value) => ({ value, order: chance.next().value! }))
          .sort((a, b) => a.order - b.order)
          .map(({ value }) => field.endsWith("domains") ? disguise(value as string) : value);
        return [[field, variants]];
      });
      const filters = normalizeFilters(plain);
      assert.deepEqual(normalizeFilters(Object.fromEntries(shuffled)), filters);
      const { occurred_after: _, observed_after: __, ...normalized } = filters;
      assert.deepEqual(normalizeFilters(normalized), filters);
    }),
  );
});

Deno.test("normalizeFilters() converts an instant with any offset to UTC", () => {
  const instants = fc.date({
    min: new Date("0002-01-01T00:00:00Z"),
    max: new Date("9998-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  const offsets = fc.integer({ min: -23 * 60, max: 23 * 60 });
  fc.assert(fc.property(instants, offsets, (at, offset) => {
    const local = new Date(at.getTime() + offset * 60_000).toISOString().replace("Z", "");
    const minutes = Math.abs(offset);
    const two = (n: number) => String(Math.floor(n)).padStart(2, "0");
    const text = `${local}${offset < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
    const { observed_after } = normalizeFilters({ observed_after: text });
    assert.equal(observed_after, at.toISOString().replace("Z", "000Z"));
    assert.deepEqual(normalizeFilters({ observed_after }).observed_after, observed_after);
  }));
});
