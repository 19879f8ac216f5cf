import assert from "node:assert/strict";
import fc from "fast-check";
import type { ObservationDocument } from "../../src/search/document.ts";
import { ObservationIndex } from "../../src/search/engine/observation_index.ts";
import { planSearch } from "../../src/search/planning.ts";
import { observationDocument } from "../support/documents.ts";

/** Ids by score, then id; with the scores. */
function ranking(index: ObservationIndex, words: string[]): [number, number][] {
  return index.search(words)
    .map(({ document, score }): [number, number] => [document.observation_id, score])
    .sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b);
}

const found = (index: ObservationIndex, query: string) =>
  ranking(index, planSearch(query).terms).map(([id]) => id);

function indexOf(...documents: ObservationDocument[]): ObservationIndex {
  const index = new ObservationIndex();
  for (const document of documents) index.put(document);
  return index;
}

const fact = (id: number, observed_fact: string, rest = {}) =>
  observationDocument(id, { text: { observed_fact }, ...rest });

Deno.test("ObservationIndex finds words in every field, inflected and without accents", () => {
  const index = indexOf(
    observationDocument(1, { text: { company: "Laiterie Côté" } }),
    fact(2, "The company is expanding its refrigerated warehouses."),
    observationDocument(3, { text: { why_it_may_matter: "It needs racking systems." } }),
    observationDocument(4, {
      text: { excerpts: "Appel d'offres pour le déneigement des routes." },
    }),
    observationDocument(5, { text: { labels: "procurement request, tender; Utilities" } }),
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
  const index = indexOf(fact(1, "warehouse"), fact(2, "ware"), fact(3, "beta.com"));
  assert.deepEqual(found(index, "ware"), [2]);
  assert.deepEqual(found(index, "war"), []);
  assert.deepEqual(found(index, "acme"), []);
  assert.deepEqual(found(index, "acme.com"), [3]);
});

Deno.test("ObservationIndex puts rare words, short texts and names first", () => {
  const index = indexOf(
    fact(1, "steel mill opens"),
    fact(2, "steel mill opens with a very long account of everything that was said that day"),
    fact(3, "paper mill opens"),
    observationDocument(4, { text: { company: "Steel", observed_fact: "mill opens" } }),
  );
  assert.deepEqual(found(index, "steel mill"), [4, 1, 2, 3]);
});

Deno.test("ObservationIndex takes words of another kind for what they are", () => {
  const odd = ["constructor", "__proto__", "hasOwnProperty", "toString", "valueOf", "0"];
  const index = indexOf(fact(1, "plain words"), fact(2, odd.join(" ")));
  for (const word of ["constructor", "proto", "hasownproperty", "tostring", "valueof"]) {
    assert.deepEqual(ranking(index, [word]).map(([id]) => id), [2], word);
    assert(ranking(index, [word]).every(([, score]) => score > 0));
  }
  for (const word of ["__proto__", "constructor ", "", "\ud800", "a b", "😀"]) {
    assert(Array.isArray(index.search([word])));
  }
  assert.deepEqual(index.search([]), []);
  index.remove(2);
  assert.deepEqual(index.search(["constructor"]), []);
  assert.deepEqual(indexOf().search(["plain"]), []);
});

Deno.test("ObservationIndex replaces and removes without a trace", () => {
  const index = indexOf(
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

Deno.test("evictExpired() takes out what has expired, and no more", () => {
  const at = (day: number) => `2026-03-0${day}T00:00:00.000000Z`;
  const index = indexOf(
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

const WORDS = ["steel", "mill", "paper", "roof", "snow", "crane", "usine", "neige"];

/** Texts that repeat words, so that many scores tie or nearly tie. */
const documents = fc.uniqueArray(
  fc.record({
    observation_id: fc.integer({ min: 1, max: 60 }),
    company: fc.array(fc.constantFrom(...WORDS), { maxLength: 2 }),
    observed_fact: fc.array(fc.constantFrom(...WORDS, "the", "les"), { maxLength: 6 }),
    excerpts: fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
  }).map(({ observation_id, ...text }) =>
    observationDocument(observation_id, {
      text: {
        company: text.company.join(" "),
        observed_fact: text.observed_fact.join(" "),
        excerpts: text.excerpts.join(" "),
      },
    })
  ),
  { selector: (document) => document.observation_id, minLength: 1, maxLength: 40 },
);

Deno.test("ObservationIndex ranks alike on replicas with different histories", () => {
  const queries = fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 });
  fc.assert(fc.property(documents, documents, queries, fc.infiniteStream(fc.nat()), (
    kept,
    passing,
    query,
    chance,
  ) => {
    const plain = indexOf(...kept);
    const replica = new ObservationIndex();
    const waiting = kept.map((document) => ({ document, place: chance.next().value! }))
      .sort((a, b) => a.place - b.place)
      .map(({ document }) => document);
    const transient = [...passing];
    while (waiting.length + transient.length > 0) {
      const next = (chance.next().value! % 2 ? transient.pop() : undefined) ?? waiting.pop();
      if (next) replica.put(next);
      if (chance.next().value! % 4 === 0) replica.remove(1 + chance.next().value! % 60);
      if (waiting.length === 0 && !next) break;
    }
    const ids = new Set(kept.map((document) => document.observation_id));
    for (const { observation_id } of passing) {
      if (!ids.has(observation_id)) replica.remove(observation_id);
    }
    for (const document of kept) replica.put(document);
    assert.deepEqual(ranking(replica, query), ranking(plain, query));
  }));
});

Deno.test("ObservationIndex scores as BM25F is written down", () => {
  const weights = { company: 3, observed_fact: 2, excerpts: 1 } as const;
  const occurrences = ({ text }: ObservationDocument, word: string) =>
    Object.entries(weights).reduce((sum, [field, weight]) => {
      const tokens = text[field as keyof typeof weights].split(" ");
      return sum + weight * tokens.filter((token) => token === word).length;
    }, 0);
  const length = (document: ObservationDocument) =>
    WORDS.reduce((sum, word) => sum + occurrences(document, word), 0);
  fc.assert(fc.property(documents, fc.subarray(WORDS, { minLength: 1 }), (all, query) => {
    const searchable = all.filter((document) => length(document) > 0);
    const average = searchable.reduce((sum, document) => sum + length(document), 0) /
      searchable.length;
    const expected = new Map<number, number>();
    for (const word of query) {
      const holding = searchable.filter((document) => occurrences(document, word) > 0);
      const rarity = Math.log(
        1 + (searchable.length - holding.length + 0.5) / (holding.length + 0.5),
      );
      for (const document of holding) {
        const tf = occurrences(document, word);
        const score = rarity * tf * 2.2 /
          (tf + 1.2 * (0.25 + 0.75 * length(document) / average));
        const id = document.observation_id;
        expected.set(id, (expected.get(id) ?? 0) + score);
      }
    }
    const scores = new Map(ranking(indexOf(...all), query));
    assert.deepEqual([...scores.keys()].sort(), [...expected.keys()].sort());
    for (const [id, score] of expected) assert(Math.abs(scores.get(id)! - score) < 1e-9);
  }));
});
