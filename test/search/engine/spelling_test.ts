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

function indexOf(...documents: ObservationDocument[]): ObservationIndex {
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

Deno.test("oneErrorAway() lists what countErrors() finds at one error", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abz"), minLength: 1, maxLength: 5 });
  fc.assert(fc.property(word, word, (one, other) => {
    assert.equal(oneErrorAway(one).has(other), countErrors(one, other, 1) === 1);
  }));
});

Deno.test("countErrors() and isNearBeginning() count what a whole alignment table has", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abc"), maxLength: 7 });
  const max = fc.integer({ min: 0, max: 3 });
  fc.assert(fc.property(word, word, max, (one, other, max) => {
    const errors = wholeTable(one, other).at(-1)!;
    assert.equal(
      countErrors(one, other, max),
      errors[other.length]! <= max ? errors.at(-1) : Infinity,
    );
    assert.equal(isNearBeginning(one, other, max), errors.some((own) => own <= max));
  }));
});

/** Errors between beginnings of two texts, by their lengths. */
function wholeTable(one: string, other: string): number[][] {
  const table: number[][] = [];
  for (let at = 0; at <= one.length; at++) {
    table.push([]);
    for (let place = 0; place <= other.length; place++) {
      const errors = [
        at + place === 0 ? 0 : Infinity,
        (table[at - 1]?.[place] ?? Infinity) + 1,
        (table[at]![place - 1] ?? Infinity) + 1,
        (table[at - 1]?.[place - 1] ?? Infinity) + (one[at - 1] === other[place - 1] ? 0 : 1),
      ];
      if (
        at > 1 && place > 1 && one[at - 1] === other[place - 2] && one[at - 2] === other[place - 1]
      ) {
        errors.push(table[at - 2]![place - 2]! + 1);
      }
      table[at]!.push(Math.min(...errors));
    }
  }
  return table;
}

Deno.test("nearestWord() gives back words, not stems, and the nearest of them", () => {
  const index = indexOf(
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
    // A short word may have one error, a very short one none.
    ["brgdi", undefined],
    ["cty", undefined],
    // Another form of the same word does not count as near.
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

Deno.test("nearestName() corrects keys of names, and no words", () => {
  const index = indexOf(
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

/** Returns the nearest name of documents by comparing all of them. */
function naiveName(documents: readonly ObservationDocument[], key: string): string | undefined {
  const names = documents.flatMap(({ facets }) => facets.map((own) => own.slice("name:".length)));
  return [...new Set(names)]
    .map((name) => ({
      name,
      errors: name === key ? Infinity : countErrors(key, name, errorsMax(key)),
      frequency: names.filter((own) => own === name).length,
    }))
    // Two errors are only allowed after an equal beginning.
    .filter(({ name, errors }) =>
      errors <= (beginAlike(name.charCodeAt(0), key.charCodeAt(0)) ? errorsMax(key) : 1)
    )
    .sort((a, b) =>
      a.errors - b.errors || b.frequency - a.frequency || b.name.length - a.name.length ||
      (a.name < b.name ? -1 : 1)
    )
    .at(0)?.name;
}

/** Returns the nearest word of documents by one error, by trying all texts. */
function naiveWord(documents: readonly ObservationDocument[], word: string): string | undefined {
  const held = documents.map(({ text }) => new Set(text.observed_fact.split(" ")));
  const frequencyOf = (text: string) =>
    LANGUAGES.reduce((sum, language) => {
      const own = stem(text, language);
      if (own === stem(word, language)) return sum;
      // All texts are too short for language detection and count as English.
      const holds = (words: Set<string>) =>
        [...words].some((other) => stem(other, language) === own);
      return language === "english" ? sum + held.filter(holds).length : sum;
    }, 0);
  return [...oneErrorAway(word)].map((text) => ({ text, frequency: frequencyOf(text) }))
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) =>
      b.frequency - a.frequency || b.text.length - a.text.length || (a.text < b.text ? -1 : 1)
    )
    .at(0)?.text;
}

Deno.test("near forms are the same however documents lie, and as a naive index finds them", () => {
  const word = fc.string({ unit: fc.constantFrom(..."abcns"), minLength: 4, maxLength: 9 });
  const document = fc.record({ id: fc.integer({ min: 1, max: 30 }), word, name: word });
  fc.assert(
    fc.property(
      fc.array(document, { maxLength: 30 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 8 }),
      fc.array(word, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 12 }),
      (put, removed, asked, tail_documents) => {
        const index = new ObservationIndex({ tail_documents });
        const documents = new Map<number, ObservationDocument>();
        for (const [place, { id, word, name }] of put.entries()) {
          documents.set(id, fact(id, word, name));
          index.put(documents.get(id)!);
          if (place % 7 === 0) index.nearestName("aaaa");
        }
        for (const id of removed) {
          index.remove(id);
          documents.delete(id);
        }
        const copy = ObservationIndex.of(structuredClone(index.state()));
        const fresh = new ObservationIndex();
        for (const own of [...documents.values()].reverse()) fresh.put(own);
        const all = [...documents.values()];
        for (const own of asked) {
          const name = naiveName(all, own);
          const near = naiveWord(all, own);
          for (const each of [index, copy, fresh]) {
            assert.equal(each.nearestName(own), name);
            if (near !== undefined || errorsMax(own) === 1) {
              assert.equal(each.nearestWord(own), near);
            } else assert.equal(each.nearestWord(own), fresh.nearestWord(own));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});
