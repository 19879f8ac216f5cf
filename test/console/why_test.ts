/** The console says which parts of a question a record meets, and which it leaves open. */
import assert from "node:assert/strict";

interface Compared {
  meets: string[];
  open: string[];
  differs: string[];
}

const path = "../../src/console/why.js";
const { compare, stemsOf }: {
  compare(query: string, observation: object, company: string): Compared;
  stemsOf(query: string): string[];
} = await import(path);

/** Returns a record about snow removal, with other members in place of its own. */
function recordOf(part: object = {}): object {
  return {
    kind: "procurement_request",
    country: "CA",
    observed_fact: "The City asks for bids for removal of snow from its arenas.",
    why_it_may_matter: "The buyer asks for offers.",
    occurred_at: "2026-03-01T00:00:00Z",
    observed_at: "2026-03-02T00:00:00Z",
    evidence: [{ excerpt: "Déneigement et sablage, Sudbury" }],
    categories: ["23"],
    ...part,
  };
}

const nothing: Compared = { meets: [], open: [], differs: [] };

Deno.test("compare() names the words, the kind and the country that a record meets", () => {
  assert.deepEqual(compare("snow removal tenders in Canada", recordOf(), "City of Sudbury"), {
    ...nothing,
    meets: ["“snow removal”", "“tenders” (Procurement request)", "“Canada” (country)"],
  });
});

Deno.test("compare() names what a record leaves open, and a place or date that it does not state", () => {
  assert.deepEqual(
    compare("emergency snow removal in Thunder Bay, northern Ontario, since 2026", {
      ...recordOf({ occurred_at: null }),
    }, "City of Sudbury"),
    {
      ...nothing,
      meets: ["“snow removal”"],
      open: [
        "“emergency”",
        "“Thunder Bay” (place not stated)",
        "“northern”",
        "“Ontario” (place not stated)",
        "“since 2026” (date not stated)",
      ],
    },
  );
});

Deno.test("compare() names what a record states otherwise", () => {
  const record = recordOf({ country: "US", occurred_at: "2025-12-31T00:00:00Z" });
  assert.deepEqual(compare("snow in Canada in 2026", record, "Buffalo"), {
    meets: ["“snow”"],
    open: [],
    differs: ["“Canada” (United States)", "“2026” (2025)"],
  });
});

Deno.test("compare() reads years with their relation", () => {
  const verdicts = (query: string) => compare(query, recordOf(), "").meets;
  assert.deepEqual(verdicts("since 2025"), ["“since 2025”"]);
  assert.deepEqual(verdicts("before 2027"), ["“before 2027”"]);
  assert.deepEqual(verdicts("before 2026"), []);
  assert.deepEqual(verdicts("2026"), ["“2026”"]);
});

Deno.test("compare() knows inflections, accents, the company's name and its sectors", () => {
  const query = "deneigements par la ville de Sudbury, construction";
  assert.deepEqual(compare(query, recordOf(), "Ville du Grand Sudbury"), {
    ...nothing,
    meets: ["“deneigements”", "“ville”", "“Sudbury”", "“construction”"],
  });
});

Deno.test("compare() says nothing about what a question excludes, nor about small words", () => {
  const query = "companies that need snow removal without sanding or salt, with arenas";
  assert.deepEqual(compare(query, recordOf(), ""), {
    ...nothing,
    meets: ["“snow removal”", "“arenas”"],
  });
  assert.deepEqual(compare("", recordOf(), ""), nothing);
});

Deno.test("stemsOf() returns what is marked in texts", () => {
  assert.deepEqual(stemsOf("Snow removal in British Columbia"), [
    "snow",
    "remova",
    "britis",
    "columb",
  ]);
});
