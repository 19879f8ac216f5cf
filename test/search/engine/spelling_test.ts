import assert from "node:assert/strict";
import fc from "fast-check";
import {
  beginAlike,
  countErrors,
  errorsMax,
  isNearBeginning,
  oneErrorAway,
} from "../../../src/search/engine/spelling.ts";
import { LANGUAGES, stem } from "../../../src/search/engine/words.ts";
import type { ObservationDocument } from "../../../src/search/index/document.ts";
import { ObservationIndex } from "../../../src/search/index/observation_index.ts";
import { observationDocument } from "../../support/documents.ts";

const fact = (id: number, observed_fact: string, ...names: string[]) =>
  observationDocument(id, {
    facets: names.map((name) => `name:${name}`),
    text: { observed_fact },
  });

function createIndex(...documents: ObservationDocument[]): ObservationIndex {
  const index = new ObservationIndex({ tail_documents: 3 });
  for (const document of documents) index.put(document);
  return index;
}

Deno.test("countErrors() counts wrong, missing, added and swapped letters", () => {
  const cases: [string, string, number][] = [
    ["crane", "crane", 0],
    ["crane", "crame", 1],
    ["crane", "crne", 1],
    ["crane", "craane", 1],
    ["crane", "carne", 1],
    ["crane", "carnes", 2],
    ["crane", "crab", 2],
    ["", "ab", 2],
    ["crane", "mill", Infinity],
  ];
  for (const [one, other, errors] of cases) {
    assert.equal(countErrors(one, other, 2), errors, `${one} ${other}`);
    assert.equal(countErrors(other, one, 2), errors, `${other} ${one}`);
  }
  assert.equal(countErrors("crane", "carnes", 1), Infinity);
});

Deno.test("oneErrorAway() lists the words for which countErrors() returns 1", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abz"), minLength: 1, maxLength: 5 });
  fc.assert(fc.property(word, word, (one, other) => {
    assert.equal(oneErrorAway(one).has(other), countErrors(one, other, 1) === 1);
  }));
});

Deno.test("countErrors() and isNearBeginning() agree with a full alignment table", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abc"), maxLength: 7 });
  const max = fc.integer({ min: 0, max: 3 });
  fc.assert(fc.property(word, word, max, (one, other, max) => {
    const errors = alignmentTable(one, other).at(-1)!;
    assert.equal(
      countErrors(one, other, max),
      errors[other.length]! <= max ? errors.at(-1) : Infinity,
    );
    assert.equal(isNearBeginning(one, other, max), errors.some((count) => count <= max));
  }));
});

/** Returns the numbers of errors between beginnings of two texts, by the beginnings' lengths. */
function alignmentTable(one: string, other: string): number[][] {
  const table: number[][] = [];
  for (let row = 0; row <= one.length; row++) {
    table.push([]);
    for (let column = 0; column <= other.length; column++) {
      const errors = [
        row + column === 0 ? 0 : Infinity,
        (table[row - 1]?.[column] ?? Infinity) + 1,
        (table[row]![column - 1] ?? Infinity) + 1,
        (table[row - 1]?.[column - 1] ?? Infinity) + (one[row - 1] === other[column - 1] ? 0 : 1),
      ];
      if (
        row > 1 && column > 1 &&
        one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      ) {
        errors.push(table[row - 2]![column - 2]! + 1);
      }
      table[row]!.push(Math.min(...errors));
    }
  }
  return table;
}

Deno.test("nearestWord() returns the nearest word, not a stem", () => {
  const index = createIndex(
    fact(1, "The company is building a refrigerated warehouse."),
    fact(2, "Construction of bridges; funding of a pharmaceutical laboratory"),
    fact(3, "The city buys computers and bridges."),
    fact(4, "Le déneigement des routes de la ville"),
  );
  const cases: [string, string | undefined][] = [
    ["comapny", "company"],
    ["brigde", "bridge"],
    ["fundng", "funding"],
    ["wharehouse", "warehouse"],
    ["refrigreted", "refrigerated"],
    ["constuctoin", "construction"],
    ["farmaceutical", "pharmaceutical"],
    ["deneigemnt", "deneigement"],
    // A short word may have one error. A very short word may have none.
    ["brgdi", undefined],
    ["cty", undefined],
    // Other forms of the same word do not count.
    ["bridges", undefined],
    ["zeppelin", undefined],
  ];
  const check = () => {
    for (const [word, expected] of cases) assert.equal(index.nearestWord(word), expected, word);
  };
  check();
  index.engine.seal();
  check();
});

Deno.test("nearestName() corrects keys of names, but not words", () => {
  const index = createIndex(
    fact(1, "supernova", "supernuspharmaceuticals"),
    fact(2, "steel", "linkedin", "jetblue"),
    fact(3, "steel", "jetblur"),
    fact(4, "steel", "jetblue"),
  );
  const check = () => {
    assert.equal(index.nearestName("supernuspharmaceutcals"), "supernuspharmaceuticals");
    assert.equal(index.nearestName("suprenuspharmaceuticls"), "supernuspharmaceuticals");
    assert.equal(index.nearestName("linkdin"), "linkedin");
    // If two names are equally near, the more frequent one is returned.
    assert.equal(index.nearestName("jetbluu"), "jetblue");
    assert.equal(index.nearestName("jetblue"), "jetblur");
    assert.equal(index.nearestName("jetb"), undefined);
    assert.equal(index.nearestName("supernoba"), undefined);
  };
  check();
  index.engine.seal();
  check();
  index.remove(3);
  assert.equal(index.nearestName("jetblue"), undefined);
});

/** Returns the nearest name in documents. It compares all names. */
function naiveName(documents: readonly ObservationDocument[], key: string): string | undefined {
  const names = documents.flatMap(({ facets }) =>
    facets.map((facet) => facet.slice("name:".length))
  );
  return [...new Set(names)]
    .map((name) => ({
      name,
      errors: name === key ? Infinity : countErrors(key, name, errorsMax(key)),
      frequency: names.filter((one) => one === name).length,
    }))
    // Two errors are only allowed if the words begin alike.
    .filter(({ name, errors }) =>
      errors <= (beginAlike(name.charCodeAt(0), key.charCodeAt(0)) ? errorsMax(key) : 1)
    )
    .sort((a, b) =>
      a.errors - b.errors || b.frequency - a.frequency || b.name.length - a.name.length ||
      (a.name < b.name ? -1 : 1)
    )
    .at(0)?.name;
}

/** Returns the nearest word of documents that is one error away. It tries all such words. */
function naiveWord(documents: readonly ObservationDocument[], word: string): string | undefined {
  const word_sets = documents.map(({ text }) => new Set(text.observed_fact.split(" ")));
  const frequencyOf = (text: string) =>
    LANGUAGES.reduce((sum, language) => {
      const text_stem = stem(text, language);
      if (text_stem === stem(word, language)) return sum;
      // All texts are too short for language detection and count as English.
      const holds = (words: Set<string>) =>
        [...words].some((other) => stem(other, language) === text_stem);
      return language === "english" ? sum + word_sets.filter(holds).length : sum;
    }, 0);
  return [...oneErrorAway(word)].map((text) => ({ text, frequency: frequencyOf(text) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) =>
      b.frequency - a.frequency || b.text.length - a.text.length || (a.text < b.text ? -1 : 1)
    )
    .at(0)?.text;
}

Deno.test("nearest words and names agree with a naive index after any history", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcns"), minLength: 4, maxLength: 9 });
  const document = fc.record({ id: fc.integer({ min: 1, max: 30 }), word, name: word });
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 12 }),
      (put, removed, queries, tail_documents) => {
        const index = new ObservationIndex({ tail_documents });
        const documents = new Map<number, ObservationDocument>();
        for (const [n, { id, word, name }] of put.entries()) {
          documents.set(id, fact(id, word, name));
          index.put(documents.get(id)!);
          if (n % 7 === 0) index.nearestName("aaaa");
        }
        for (const id of removed) {
          index.remove(id);
          documents.delete(id);
        }
        const copy = ObservationIndex.of(structuredClone(index.state()));
        const fresh = new ObservationIndex();
        for (const document of [...documents.values()].reverse()) fresh.put(document);
        const all = [...documents.values()];
        for (const query of queries) {
          const name = naiveName(all, query);
          const near = naiveWord(all, query);
          for (const each of [index, copy, fresh]) {
            assert.equal(each.nearestName(query), name);
            if (near !== undefined || errorsMax(query) === 1) {
              assert.equal(each.nearestWord(query), near);
            } else assert.equal(each.nearestWord(query), fresh.nearestWord(query));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
