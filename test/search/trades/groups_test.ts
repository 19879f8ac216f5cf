/** Checks the data of the dictionary of trades. */
import assert from "node:assert/strict";
import { SECTOR_CODES } from "../../../src/contract/vocabulary.ts";
import { words } from "../../../src/search/engine/text.ts";
import { fold, stem } from "../../../src/search/engine/words.ts";
import { type Phrase, readGroups, type TradeGroup } from "../../../src/search/trades/groups.ts";
import { baseOf } from "../../../src/search/trades/inflection.ts";

const GROUPS = readGroups();
const PHRASES = GROUPS.flatMap(({ same, asked, near }) => [...same, ...asked, ...near]);

/** French words with two meanings. Each meaning has a group of its own. */
const IN_TWO_GROUPS = ["french:securite", "french:moteur"];

function keyOf({ words, language }: Phrase): string {
  return `${language}:${words.map((word) => baseOf(word, language)).join(" ")}`;
}

function nameOf({ same }: TradeGroup): string {
  return same.map(({ text }) => text).join("; ");
}

Deno.test("the dictionary has at least 1500 groups in both languages", () => {
  const bilingual = GROUPS.filter(({ same, asked }) =>
    new Set([...same, ...asked].map(({ language }) => language)).size === 2
  );
  assert.ok(bilingual.length >= 1500, `${bilingual.length}`);
});

Deno.test("each group has at least two phrases", () => {
  const breaches = GROUPS.filter(({ same, asked, near }) =>
    same.length === 0 || same.length + asked.length + near.length < 2
  );
  assert.deepEqual(breaches.map(nameOf), []);
});

Deno.test("each phrase has one to three content words", () => {
  const breaches = PHRASES.filter(({ words }) => words.length < 1 || words.length > 3);
  assert.deepEqual(breaches.map(({ text }) => text), []);
});

Deno.test("each phrase has no superfluous spaces, and folding its words again changes nothing", () => {
  for (const { text, words: found } of PHRASES) {
    assert.equal(text, text.trim().replace(/\s+/g, " "));
    for (const word of found) assert.equal(fold(word), word, text);
    assert.deepEqual(words(text.normalize("NFD")), found, text);
  }
});

Deno.test("the sectors of the groups are exactly those of the contract", () => {
  const codes = new Set(GROUPS.flatMap(({ sectors }) => sectors));
  assert.deepEqual([...codes].sort(), [...SECTOR_CODES].sort());
});

Deno.test("no phrase is in `same` or `asked` of two groups, except IN_TWO_GROUPS", () => {
  const groups = new Map<string, Set<TradeGroup>>();
  for (const group of GROUPS) {
    for (const phrase of [...group.same, ...group.asked]) {
      const key = keyOf(phrase);
      groups.set(key, (groups.get(key) ?? new Set()).add(group));
    }
  }
  const shared = [...groups].filter(([, holders]) => holders.size > 1).map(([key]) => key);
  assert.deepEqual(shared.sort(), [...IN_TWO_GROUPS].sort());
});

Deno.test("no group has a phrase twice", () => {
  const breaches = GROUPS.flatMap(({ same, asked, near }) => {
    const seen = new Set<string>();
    return [...same, ...asked, ...near].filter((phrase) => {
      const stems = phrase.words.map((word) => stem(word, phrase.language)).join(" ");
      const id = `${keyOf(phrase)} ${stems}`;
      return seen.size === seen.add(id).size;
    });
  });
  assert.deepEqual(breaches.map(({ text }) => text), []);
});

Deno.test("a phrase of one content word loses only articles and prepositions", () => {
  const allowed = /^(?:de|du|des|la|le|les|en|of|the)$/;
  const breaches = PHRASES.filter(({ text, words: [only, ...rest] }) => {
    const dropped = fold(text).split(/[\s'-]+/).filter((word) => word !== only);
    return rest.length === 0 &&
      dropped.some((word) => word.length > 1 && /^[a-z]+$/.test(word) && !allowed.test(word));
  });
  assert.deepEqual(breaches.map(({ text }) => text), []);
});
