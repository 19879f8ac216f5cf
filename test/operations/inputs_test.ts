import assert from "node:assert/strict";
import fc from "fast-check";
import type { z } from "zod";
import { createActions } from "../../src/actions.ts";
import { INPUTS } from "../../src/contract/inputs.ts";
import { ObservationListRequest } from "../../src/contract/listing.ts";
import { CompanyLookupRequest } from "../../src/contract/lookup.ts";
import { CompanySearchRequest } from "../../src/contract/search.ts";
import type { MeteredAction, MeteredActionName } from "../../src/operations/action.ts";
import { identify } from "../../src/operations/claim.ts";
import { type RawRequest, readInputs, readRequest } from "../../src/operations/inputs.ts";
import { readingRetriever } from "../support/inputs.ts";

const { metered, reads } = createActions(readingRetriever());

function actionOf(name: MeteredActionName): MeteredAction {
  return metered.get(name)!;
}

/** Reads an invalid request, whose key is "k" unless `raw` has one. Returns its refusal. */
function refusal(name: MeteredActionName, raw: Partial<RawRequest>) {
  try {
    readRequest(actionOf(name), { request_key: "k", ...raw });
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
  throw new Error("the request was accepted");
}

Deno.test("every action parses its input by the schema that the doors publish", () => {
  const actions = new Map([...metered, ...reads].map(([name, { input }]) => [name, input]));
  assert.deepEqual([...actions.keys()].sort(), Object.keys(INPUTS).sort());
  for (const [name, input] of Object.entries(INPUTS)) {
    assert.equal(actions.get(name), input, name);
  }
});

/** Schemas of three actions before compilation, with valid and invalid values of their fields. */
const PLAIN: [keyof typeof INPUTS, z.ZodObject, Record<string, unknown[]>][] = [
  ["search_companies", CompanySearchRequest, {
    query: [" Québec ", "", 5, "\0", null],
    filters: [
      {},
      null,
      { countries: ["US", "CA", "US"], city: [] },
      { company_ids: [2, 1, 2], domains: ["B.example.", "a.example"] },
      { company_ids: [0, 2 ** 53], domains: ["http://x", 7], observed_after: "yesterday" },
      { occurred_after: "2026-03-01T00:00:00+01:00", kinds: [] },
    ],
    limit: [1, 0, 1e300, "5"],
    cursor: [null, "c".repeat(32), "x", 5],
    background: [true, false, "yes"],
    offset: [1],
  }],
  ["get_companies", CompanyLookupRequest, {
    ids: [[], [2, 1, 1], [0], "1", Array.from({ length: 21 }, (_, n) => n + 1)],
    domains: [[], ["B.example", "a.example"], ["a@b.example"]],
    limit: [1],
  }],
  ["list_observations", ObservationListRequest, {
    domains: [[], ["B.example", "a.example"], [""], "a.example"],
    since: ["2026-03-01T00:00:00Z", "2026-03-01", 5],
    kinds: [[], ["job_posting", "partnership"], ["x"]],
    limit: [1, 100, 101],
    cursor: ["c".repeat(32), null],
  }],
];

for (const [name, plain, values] of PLAIN) {
  Deno.test(`the compiled input of ${name} has the same results as its schema`, () => {
    const fields = Object.entries(values)
      .map(([field, choices]) => [field, fc.constantFrom(...choices)] as const);
    const inputs = fc.oneof(
      fc.record(Object.fromEntries(fields), { requiredKeys: [], noNullPrototype: true }),
      fc.constantFrom(null, [], "x", 5, undefined),
    );
    const outcome = ({ success, data, error }: z.ZodSafeParseResult<unknown>) => ({
      success,
      data,
      issues: error?.issues,
    });
    fc.assert(
      fc.property(inputs, (raw) => {
        const copy = structuredClone(raw);
        assert.deepEqual(outcome(INPUTS[name].safeParse(raw)), outcome(plain.safeParse(copy)));
        assert.deepEqual(raw, copy);
      }),
      { numRuns: 1_000 },
    );
  });
}

/** Fingerprints of operations that existing databases contain. */
const FINGERPRINTS: [MeteredActionName, unknown, string][] = [
  [
    "search_companies",
    {
      query: " Québec tenders ",
      filters: {
        countries: ["US", "CA"],
        domains: ["B.example.", "a.example"],
        company_ids: [10, 9],
        observed_after: "2026-03-01T00:00:00+01:00",
      },
      limit: 5,
      background: true,
    },
    "be9266f8a6e2e049c51a94aa8b6541d0a59d1591a4ed1cfd3c3d00a1790e7aaf",
  ],
  [
    "search_observations",
    { query: "freezer" },
    "8fe172f748f915ae83a34bccc8c6be8abe07bc0e96f900c69f8d5d73b844cd9a",
  ],
  [
    "get_companies",
    { domains: ["B.example", "a.example", "b.example"], ids: [] },
    "f3cea7719d769bfc314f7d0c919c1d23496fc42ee95d56b86de376b942b0d039",
  ],
  [
    "list_observations",
    {
      domains: ["a.example"],
      since: "2026-03-01T00:00:00Z",
      kinds: ["job_posting"],
      cursor: "c".repeat(32),
    },
    "d503edda3a406a95c713e6884b96e20e9dcba8e2c682ce31d0d6bf25ea32f2d1",
  ],
  ["diagnostic", {}, "6b60f6d13b9be27a9524bf389675b9cbcdc0262b0284a181911bf9540a435668"],
];

Deno.test("readRequest() gives a retry the fingerprint of its stored operation", () => {
  for (const [name, inputs, fingerprint] of FINGERPRINTS) {
    const { request } = readRequest(actionOf(name), { inputs, request_key: "k" });
    assert.equal(identify(name, request).fingerprint.toHex(), fingerprint, name);
  }
});

Deno.test("readRequest() names all faults of a request in one message", () => {
  const faulty = refusal("search_companies", {
    request_key: "",
    inputs: {
      filters: { countries: ["FR"], domains: ["a.example", "https://b.example/"], city: [] },
      limit: 0,
      cursor: "x",
      background: "yes",
      offset: 10,
    },
    faults: [{ path: ["page"], sentence: "there is no such field here" }],
  });
  assert.deepEqual(faulty, {
    code: "invalid_search",
    message:
      "Idempotency-Key (or the argument request_key, if the tool has it): a key is required; make up a new one, such " +
      "as a UUID, for every new request, and repeat it to retry; page: there is no such field " +
      "here; query: required, a text; filters.countries[0]: one of CA, US; filters.domains[1]: a " +
      "hostname, not a URL; filters.city: there is no such field here; limit: an integer of at " +
      "least 1; cursor: this cursor cannot be used, start again without a cursor; background: " +
      "true or false; offset: there is no such field here.",
  });
  assert.equal(
    refusal("list_observations", { inputs: { kinds: ["x"], limit: 1e20, cursor: 5 } }).message,
    "domains: required, a list of 1 to 100 hostnames; since: required, a timestamp such as " +
      "2026-03-01T00:00:00Z; kinds[0]: one of procurement_request, facility_expansion, " +
      "funding_round, leadership_change, product_launch, partnership, technology_use, " +
      "job_posting, company_profile; limit: an integer of 1 to 100; cursor: a text or null.",
  );
  assert.equal(
    refusal("get_companies", { inputs: { ids: [0, 1.5], domains: ["a.example"] } }).message,
    "ids[0]: a positive integer; ids[1]: a positive integer.",
  );
  assert.equal(
    refusal("get_companies", { inputs: { limit: 5 } }).message,
    "limit: there is no such field here; exactly one of ids and domains is required.",
  );
});

Deno.test("readRequest() names twenty faults and gives the number of the rest", () => {
  const fields = Array.from({ length: 1_000 }, (_, n) => [`f${n}`, 1]);
  const { message } = refusal("diagnostic", { inputs: Object.fromEntries(fields) });
  assert.equal(message.split("; ").length, 21);
  assert.match(message, /^f0: there is no such field here; .*; and 980 more\.$/);
});

Deno.test("readRequest() repeats only the beginning of a field's name", () => {
  const { message } = refusal("diagnostic", { inputs: { ["x".repeat(1_000)]: 1 } });
  assert.equal(message, `${"x".repeat(100)}: there is no such field here.`);
});

Deno.test("readRequest() uses a specific error code only for a single fault", () => {
  assert.deepEqual(refusal("search_companies", { inputs: { query: "q", cursor: "x" } }), {
    code: "invalid_cursor",
    message: "The cursor cannot be used for this search. Start again without one, with a new key.",
  });
  assert.deepEqual(refusal("search_companies", { inputs: { query: "", cursor: "x" } }), {
    code: "invalid_search",
    message:
      "query: 1 to 500 characters; cursor: this cursor cannot be used, start again without a " +
      "cursor.",
  });
  assert.deepEqual(refusal("get_companies", { inputs: { ids: [], domains: [] } }), {
    code: "invalid_lookup",
    message: "Exactly one of ids and domains is required, and nothing else.",
  });
});

Deno.test("readRequest() explains that an observation search has no filters of companies", () => {
  const filters = (value: object) =>
    refusal("search_observations", { inputs: { query: "q", filters: value } }).message;
  assert.equal(
    filters({ company_ids: [1], exclude_domains: [] }),
    "filters.company_ids: an observation search takes no filters of companies; " +
      "filters.exclude_domains: an observation search takes no filters of companies.",
  );
  assert.equal(filters({ city: [] }), "filters.city: there is no such field here.");
});

Deno.test("readRequest() accepts a request key of 1 to 255 printable characters", () => {
  const inputs = {};
  for (const request_key of ["k", "K".repeat(255), "a b~!"]) {
    const read = readRequest(actionOf("diagnostic"), { inputs, request_key });
    assert.equal(read.request_key, request_key);
  }
  for (const request_key of [undefined, null, ""]) {
    assert.match(refusal("diagnostic", { inputs, request_key }).message, /: a key is required/);
  }
  for (const request_key of ["k".repeat(256), "a\tb", "é", "\u007f", " a", "a ", 5, {}]) {
    assert.deepEqual(refusal("diagnostic", { inputs, request_key }), {
      code: "invalid_search",
      message:
        "Idempotency-Key (or the argument request_key, if the tool has it): 1 to 255 printable ASCII characters, " +
        "no space at either end.",
    });
  }
});

Deno.test("readInputs() accepts an integer above all ids, and refuses a value that is no id", () => {
  const read = reads.get("get_company")!;
  for (const id of [2 ** 53, Number.MAX_VALUE]) {
    assert.deepEqual(readInputs(read, { inputs: { id } }), { id: Number.MAX_SAFE_INTEGER });
  }
  for (const id of [0, -1, 1.5, "1", null]) {
    assert.throws(() => readInputs(read, { inputs: { id } }), {
      code: "invalid_lookup",
      message: "id: a positive integer.",
    });
  }
  assert.throws(() => readInputs(read, { inputs: { name: "North" } }), {
    message: "id: required, a positive integer; name: there is no such field here.",
  });
});
