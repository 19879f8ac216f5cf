import assert from "node:assert/strict";
import { mergeSegments } from "../../../src/search/engine/merging.ts";
import { words } from "../../../src/search/engine/text.ts";
import type { ObservationDocument } from "../../../src/search/index/document.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { observationDocument } from "../../support/documents.ts";

/** Returns ids with their scores, best first. */
function ranking(index: ObservationIndex, words: string[]): [number, number][] {
  return index.searchObservations({ words, limit: 1000 })
    .map(({ observation_id, score }): [number, number] => [observation_id, score]);
}

const found = (index: ObservationIndex, query: string) =>
  ranking(index, words(query)).map(([id]) => id);

function createIndex(...documents: ObservationDocument[]): ObservationIndex {
  const index = new ObservationIndex();
  for (const document of documents) index.put(document);
  return index;
}

const fact = (id: number, observed_fact: string, rest = {}) =>
  observationDocument(id, { text: { observed_fact }, ...rest });

Deno.test("ObservationIndex finds words in every field, inflected and without accents", () => {
  const index = createIndex(
    observationDocument(1, { text: { company: "Laiterie Côté" } }),
    fact(2, "The company is expanding its refrigerated warehouses."),
    observationDocument(3, { text: { why_it_may_matter: "It needs racking systems." } }),
    observationDocument(4, {
      text: { texts: ["Appel d'offres pour le déneigement des routes."] },
    }),
    observationDocument(5, { text: { texts: ["A tender of the city; utilities."] } }),
    fact(6, "La ville rénove les bâtiments municipaux de la région."),
    fact(7, "R&D hiring at a maker of IT equipment in the U.S."),
  );
  assert.deepEqual(found(index, "laiterie cote"), [1]);
  assert.deepEqual(found(index, "LAITERIE COTÉ"), [1]);
  assert.deepEqual(found(index, "warehouse expansion"), [2]);
  assert.deepEqual(found(index, "rack system"), [3]);
  assert.deepEqual(found(index, "deneigement"), [4]);
  assert.deepEqual(found(index, "tenders"), [5]);
  assert.deepEqual(found(index, "utility"), [5]);
  assert.deepEqual(found(index, "bâtiment municipal"), [6]);
  assert.deepEqual(found(index, "renovation"), [6]);
  assert.deepEqual(found(index, "r&d"), [7]);
  assert.deepEqual(found(index, "IT"), [7]);
  assert.deepEqual(found(index, "blockchain"), []);
});

Deno.test("ObservationIndex matches whole words only", () => {
  const index = createIndex(fact(1, "warehouse"), fact(2, "ware"), fact(3, "beta.com"));
  assert.deepEqual(found(index, "ware"), [2]);
  assert.deepEqual(found(index, "war"), []);
  assert.deepEqual(found(index, "acme"), []);
  assert.deepEqual(found(index, "acme.com"), []);
  assert.deepEqual(found(index, "beta.com"), [3]);
  assert.deepEqual(found(index, "beta"), [3]);
});

Deno.test("ObservationIndex ranks rare words, short texts and names first", () => {
  const index = createIndex(
    fact(1, "steel mill opens"),
    fact(2, "steel mill opens with a very long account of everything that was said that day"),
    fact(3, "paper mill opens"),
    observationDocument(4, { text: { company: "Steel", observed_fact: "mill opens" } }),
  );
  assert.deepEqual(found(index, "steel mill"), [4, 1, 2, 3]);
});

Deno.test("ObservationIndex treats names of object members and odd texts as plain words", () => {
  const odd = ["constructor", "__proto__", "hasOwnProperty", "toString", "valueOf", "0"];
  const index = createIndex(fact(1, "plain words"), fact(2, odd.join(" ")));
  for (const word of ["constructor", "proto", "hasownproperty", "tostring", "valueof"]) {
    assert.deepEqual(ranking(index, [word]).map(([id]) => id), [2], word);
    assert(ranking(index, [word]).every(([, score]) => score > 0));
  }
  for (const word of ["__proto__", "constructor ", "", "\ud800", "a b", "😀"]) {
    assert(Array.isArray(index.searchObservations({ words: [word], limit: 1 })));
  }
  assert.deepEqual(ranking(index, []), []);
  index.remove(2);
  assert.deepEqual(ranking(index, ["constructor"]), []);
  assert.deepEqual(ranking(createIndex(), ["plain"]), []);
});

Deno.test("ObservationIndex replaces and removes documents completely", () => {
  const index = createIndex(
    fact(1, "steel", { hostnames: ["a.example", "b.example"] }),
    fact(2, "paper", { company_id: 1, hostnames: ["a.example"] }),
  );
  const now = "2026-01-01T00:00:00.000000Z";
  assert.deepEqual(index.companiesWithHostname("a.example", now), [1]);
  index.put(fact(1, "glass", { hostnames: [] }));
  index.remove(99);
  assert.equal(index.size, 2);
  assert.deepEqual(found(index, "steel"), []);
  assert.deepEqual(found(index, "glass"), [1]);
  assert.deepEqual(index.companiesWithHostname("a.example", now), [1]);
  assert.deepEqual(index.companiesWithHostname("b.example", now), []);
  index.remove(2);
  assert.deepEqual(index.companiesWithHostname("a.example", now), []);
  index.remove(1);
  assert.equal(index.size, 0);
  assert.deepEqual(found(index, "glass"), []);
});

Deno.test("evictExpired() removes only expired documents", () => {
  const at = (day: number) => `2026-03-0${day}T00:00:00.000000Z`;
  const index = createIndex(
    fact(1, "steel", { expires_at: at(2), hostnames: ["a.example"] }),
    fact(2, "steel", { expires_at: at(4), hostnames: ["a.example"] }),
    fact(3, "steel"),
  );
  assert.deepEqual(index.companiesWithHostname("a.example", at(1)), [1, 2]);
  assert.deepEqual(index.companiesWithHostname("a.example", at(2)), [2]);
  index.evictExpired(at(1));
  assert.deepEqual(found(index, "steel"), [1, 2, 3]);
  index.evictExpired(at(2));
  assert.deepEqual(found(index, "steel"), [2, 3]);
  index.evictExpired(at(3));
  assert.equal(index.size, 2);
  index.evictExpired(at(5));
  assert.deepEqual(found(index, "steel"), [3]);
  index.put(fact(4, "steel", { expires_at: at(6) }));
  index.evictExpired(at(7));
  assert.deepEqual(found(index, "steel"), [3]);
});

Deno.test("evictExpired() removes about `limit` documents, and tells whether all are removed", () => {
  const expires_at = "2026-03-02T00:00:00.000000Z";
  const index = new ObservationIndex({ tail_documents: 4, merges: "elsewhere" });
  for (let id = 1; id <= 12; id++) index.put(fact(id, "steel", id % 4 === 0 ? {} : { expires_at }));
  const sizes: number[] = [];
  const evict = () => {
    const isDone = index.evictExpired(expires_at, 2);
    sizes.push(index.size);
    return isDone;
  };
  while (!evict());
  assert.deepEqual(sizes, [10, 8, 6, 4, 3]);
  assert.deepEqual(found(index, "steel"), [4, 8, 12]);
  assert.equal(index.evictExpired("2027-01-01T00:00:00.000000Z"), true);
});

Deno.test("ObservationIndex.of() restores a state with or without the losses of deletions", () => {
  const index = new ObservationIndex({ tail_documents: 4, merges: "elsewhere" });
  for (let id = 1; id <= 8; id++) index.put(fact(id, id % 2 === 0 ? "steel mill" : "steel"));
  index.remove(2);
  index.remove(5);
  const full = index.state();
  const without_losses = {
    ...full,
    segments: full.segments.map((segment) => ({ ...segment, losses: null })),
  };
  for (const state of [full, without_losses]) {
    const copy = ObservationIndex.of(state);
    assert.equal(copy.size, 6);
    assert.deepEqual(ranking(copy, ["mill", "steel"]), ranking(index, ["mill", "steel"]));
    copy.remove(4);
    assert.deepEqual(found(copy, "mill").toSorted(), [6, 8]);
  }
});

const ENGLISH = "The ships are recycled after the extraction of the seeds.";
const FRENCH = "Les navires sont recyclés après l'extraction des graines.";

Deno.test("ObservationIndex detects the language of each text", () => {
  const index = createIndex(
    observationDocument(1, { text: { texts: [ENGLISH, `${FRENCH} ${FRENCH}`] } }),
    observationDocument(2, { text: { observed_fact: FRENCH, texts: ["Toitures communales"] } }),
  );
  assert.deepEqual(found(index, "recycling"), [1]);
  assert.deepEqual(found(index, "extracting seeds"), [1]);
  assert.deepEqual(found(index, "recyclage graine").toSorted(), [1, 2]);
  // The text is too short for language detection, so it gets the language of the fact.
  assert.deepEqual(found(index, "communal"), [2]);
});

Deno.test("ObservationIndex adds up the frequencies of both languages before it scores", () => {
  // "crane" has the same stem in both languages, but each language has its own frequency.
  const bilingual = ["The crane is for the port.", "La crane est pour les quais."];
  const fillers = Array.from({ length: 6 }, (_, n) => fact(10 + n, "steel"));
  const index = createIndex(observationDocument(1, { text: { texts: bilingual } }), ...fillers);
  const [[, score]] = ranking(index, ["crane"]) as [[number, number]];
  const rarity = Math.log(1 + (7 - 2 + 0.5) / (2 + 0.5));
  assert(Math.abs(score - rarity * 2 * 2.2 / (2 + 1.2)) < 1e-9);
});

Deno.test("ObservationIndex normalizes a frequency by the length of its field only", () => {
  const long = ["a long account of everything that was said about every port that day"];
  const index = createIndex(
    observationDocument(1, { text: { observed_fact: "steel mill opens", texts: long } }),
    observationDocument(2, { text: { observed_fact: "steel mill opens", texts: [] } }),
  );
  const [[, first], [, second]] = ranking(index, ["steel"]) as [[number, number], [number, number]];
  assert.equal(first, second);
});

Deno.test("ObservationIndex caps the number of occurrences of a word in a field", () => {
  const index = createIndex(
    fact(1, "steel ".repeat(70)),
    fact(2, "steel ".repeat(700)),
    fact(3, "paper"),
  );
  assert.deepEqual(found(index, "steel"), [1, 2]);
  index.remove(1);
  index.remove(2);
  assert.deepEqual(found(index, "steel"), []);
  assert.equal(index.size, 1);
});

Deno.test("ObservationIndex finds names with signs", () => {
  const names = ["c++", "c#", ".NET", "AT&T", "3M", "SR&ED", "node.js", "x-ray", "e-mail"];
  const index = createIndex(
    ...names.map((name, n) => fact(1 + n, `They use ${name}, as others do.`)),
    fact(90, "c net js ray mail at t"),
  );
  names.forEach((name, n) => {
    assert.equal(found(index, name)[0], 1 + n, name);
    assert.equal(found(index, name.toLowerCase())[0], 1 + n, name);
  });
  assert.deepEqual(found(index, "c++"), [1]);
  assert.deepEqual(found(index, "email"), [9]);
  assert.deepEqual(found(index, "xray"), [8]);
});

Deno.test("ObservationIndex finds words beyond the 65,536th of a segment", () => {
  const index = new ObservationIndex({ merges: "elsewhere" });
  const word = (n: number) => `w${n}x`;
  const texts = (id: number) => Array.from({ length: 100 }, (_, n) => word(100 * id + n)).join(" ");
  for (let id = 1; id <= 1_400; id++) index.put(fact(id, texts(id)));
  index.remove(1_399);
  const terms = [100, 65_400, 65_570, 65_700, 131_000, 131_199, 139_800, 140_099];
  const check = () => {
    for (const n of terms) assert.deepEqual(found(index, word(n)), [Math.floor(n / 100)], word(n));
    assert.deepEqual(found(index, word(139_950)), []);
    assert.equal(index.size, 1_399);
  };
  check();
  const { fields, segments } = index.state();
  const work = { fields, segments, averages: new Float64Array(fields.length).fill(3) };
  index.engine.adopt(work, mergeSegments(work));
  check();
  index.remove(1_311);
  assert.deepEqual(found(index, word(131_199)), []);
});

Deno.test("ObservationIndex needs no more memory for a million words or for single letters", () => {
  const index = createIndex(fact(1, "steel"), fact(2, "paper"));
  found(index, "steel"); // The first search allocates memory for postings.
  const { memory } = index;
  const million = Array.from({ length: 1_000_000 }, (_, n) => `steel${n}`);
  assert.deepEqual(ranking(index, million), []);
  assert.deepEqual(ranking(index, ["steel", ...million]).map(([id]) => id), [1]);
  assert.deepEqual(found(index, "a b c d e f g h ".repeat(60)), []);
  assert.equal(index.memory, memory);
});

Deno.test("ObservationIndex returns the stored values of an observation", () => {
  const document = observationDocument(5, {
    company_id: 9,
    kind: "company_profile",
    demand_class: "structural",
    country: "US",
    occurred_at: null,
    observed_at: "2026-03-02T09:00:00.123456Z",
    expires_at: "2026-04-02T09:00:00.000001Z",
    facets: ["round:seed", "name:ac\u00e9"],
    amount: 16_777_217,
    closes_at: "2026-04-02T09:00:59.999999Z",
    sectors: 5,
  });
  const index = createIndex(document);
  const known = {
    observation_id: 5,
    company_id: 9,
    kind: "company_profile",
    demand_class: "structural",
    country: "US",
    occurred: -Infinity,
    observed: 1_772_442_000_123_456,
    expires: 1_775_120_400_000_001,
    // The amount has single precision, and the closing time is truncated to the minute.
    amount: 16_777_216,
    closes: 1_775_120_400_000_000,
    sectors: 5,
  };
  const check = () => {
    assert.deepEqual(index.get(5), known);
    assert.deepEqual(index.facetsOf(5), ["name:ac\u00e9", "round:seed"]);
    assert.equal(index.get(6), undefined);
    assert.deepEqual(index.facetsOf(6), []);
  };
  check();
  index.engine.seal();
  check();
});
