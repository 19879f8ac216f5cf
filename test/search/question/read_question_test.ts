import assert from "node:assert/strict";
import fc from "fast-check";
import { DEMO_QUESTIONS } from "../../../bench/demo_questions.ts";
import { UNITS_MAX, WAYS_MAX } from "../../../src/search/question/question.ts";
import { READERS, readQuestion } from "../../../src/search/question/read_question.ts";
import { LANGUAGES } from "../../../src/search/words/stems.ts";
import { keyOf, termOf } from "../../../src/search/words/terms.ts";
import { isStopWord, wordsOf } from "../../../src/search/words/tokens.ts";
import { asked, indexOf, NOW, subjectOf, unitOf, waysOf } from "./asked.ts";

Deno.test("readQuestion() makes each word that is no exclusion a unit with its own stems", () => {
  for (const { text: query } of DEMO_QUESTIONS) {
    const question = asked(query);
    const excluded = question.excluded.length > 0;
    for (const { folded, text } of wordsOf(query)) {
      if (LANGUAGES.some((language) => isStopWord(folded, language)) || excluded) continue;
      const keys = new Set(question.units.flatMap(({ ways }) => ways.flatMap(({ keys }) => keys)));
      const plain = /^[\p{L}\p{N}]+$/u.test(text) ? text.toLowerCase() : folded;
      for (const language of LANGUAGES) {
        assert.ok(keys.has(keyOf(termOf([plain], language))), `${query}: ${text} (${language})`);
      }
    }
  }
});

Deno.test("readQuestion() keeps the words of what it understands", () => {
  const question = asked("new CFO appointed in Toronto since March");
  assert.deepEqual(question.units.map(({ text, is_filler }) => [text, is_filler]), [
    ["new", true],
    ["cfo", false],
    ["appointed", false],
    ["toronto", false],
    ["since", true],
    ["march", false],
  ]);
  assert.deepEqual(question.conditions.map(({ on }) => on), ["occurred", "place", "role"]);
  assert.equal(unitOf(question, "march").condition, 0);
  assert.equal(unitOf(question, "toronto").condition, 1);
  assert.equal(unitOf(question, "cfo").condition, 2);
  assert.equal(unitOf(question, "appointed").condition, undefined);
});

Deno.test("readQuestion() marks words that only frame a question, in both languages", () => {
  for (
    const [query, subject] of [
      ["Hello, find at least 5 companies related to **road** s\u00adalt, thanks!", "road salt"],
      ["1. Search query: e–commerce&nbsp;platforms operating in Ohio", "ecommerce platforms ohio"],
      ["J'ai besoin de la liste des entreprises qui cherchent du sel", "sel"],
      ["find companies looking for road salt|Topic range: road salt in JSON", "road salt"],
      ["We sell I-beams. Bids in Ohio|I want I-beams. Bids in Ohio", "ibeams bids ohio"],
      ["We sell paint in Utah. Find road salt|road salt. Sort by date.", "road salt"],
      ["As a rep for a dairy, I want to find road salt|road salt, max 10 results", "road salt"],
      ["My goal is to identify road salt|The user wants to know: road salt", "road salt"],
      ["Road salt. They must sell drums|road salt\ndrums", "road salt drums"],
      ["We sell paint. Who needs it?|We need paint. I sell it.", "paint"],
      ["Contexte : je vends du lait. Tâche : sel|sel. Limite-toi à 10 résultats.", "sel"],
      ["Who makes work boots?", "work boots"],
      ["Bonjour, je recherche des ﬁrmes spécialisées en pavage s’il vous plaît", "pavage"],
      ["search engines\njob boards|I need search engines. Job boards", "search engines job boards"],
      ["Limited prints, Acme Ltd", "limited prints acme"],
      ["big data startups", "big data"],
      ["data centres operating\nsystems 24", "data centres operating systems 24"],
    ] as const
  ) for (const q of query.split("|")) assert.equal(subjectOf(asked(q)).join(" "), subject, q);
});

Deno.test("readQuestion() gives the similar ways of a phrase to each of its words", () => {
  const question = asked("street lights");
  for (const word of ["street", "lights"]) {
    assert.ok(waysOf(question, word, "written").includes("lampadaire"), word);
  }
});

Deno.test("readQuestion() corrects only words that no record contains", () => {
  const corrections = { janitoral: ["janitorial"], cleening: ["cleaning"] };
  const question = asked("janitoral cleening", indexOf(["en:cleen"], corrections));
  assert.deepEqual(waysOf(question, "janitoral", "spelling"), ["janitorial"]);
  assert.deepEqual(waysOf(question, "cleening", "spelling"), []);
  assert.equal(question.corrected, true);
  assert.equal(asked("janitorial cleaning", indexOf([], corrections)).corrected, false);
  // A word of up to five capitals is an abbreviation, unless the whole query is in capitals.
  const sun = { suunn: ["sun"], suunnn: ["sun"] };
  const corrected = ["SUUNN", "news of SUUNN", "suunn", "SUUNN NEWS", "news of SUUNNN"]
    .map((query) => asked(query, indexOf([], sun)).corrected);
  assert.deepEqual(corrected, [false, false, true, true, true]);
  const ville = { vilel: ["ville"] };
  assert.equal(asked("contrats à Vilel", indexOf([], ville)).corrected, false);
  assert.equal(asked("contrats vilel", indexOf([], ville)).corrected, true);
  // A word is no misspelling of a rarer one.
  assert.equal(asked("piano tuning", indexOf([], { piano: ["plano"] })).corrected, false);
  assert.equal(asked("goverment", indexOf([], { goverment: ["government"] })).corrected, true);
});

Deno.test("readQuestion() joins and splits compounds of the index", () => {
  const joined = asked("co working spaces", indexOf(["en:cowork"]));
  assert.deepEqual(waysOf(joined, "co", "compound"), ["coworking"]);
  assert.deepEqual(waysOf(joined, "working", "compound"), ["coworking"]);
  assert.deepEqual(waysOf(asked("7 8 plan", indexOf(["en:78"])), "7", "compound"), []);
  const split = asked("firealarm inspection", indexOf(["en:fire", "en:alarm", "en:inspect"]));
  assert.deepEqual(
    split.units.map(({ text, ways }) => [
      text,
      ways.filter(({ origin }) => origin === "compound").map(({ text }) => text),
    ]),
    [["firealarm", ["fire"]], ["firealarm", ["alarm"]], ["inspection", []]],
  );
  assert.deepEqual(waysOf(asked("I repair elevators"), "repair", "compound"), []);
  assert.deepEqual(waysOf(asked("e commerce"), "commerce", "compound"), ["ecommerce"]);
  // A word that can be corrected is misspelled.
  const parts = indexOf(["en:farm", "en:acutical"], { farmacutical: ["pharmaceutical"] });
  assert.deepEqual(asked("farmacutical", parts).units.length, 1);
  const line = asked("on-line tutoring", indexOf(["en:onlin"]));
  assert.deepEqual(waysOf(line, "line", "compound"), ["online"]);
  assert.ok(unitOf(line, "line").ways[0]!.similarity < 1);
  for (const query of ["on-line tutoring", "vitamin E supplements", "men's health"]) {
    const [word] = asked(query).units.at(-1)!.ways;
    assert.equal(word!.similarity, 1, query);
  }
});

Deno.test("readQuestion() seeks parts and corrections of few words, and parts of no long one", () => {
  const words = Array.from({ length: 49 }, (_, n) => `qz${"xyzvw"[n % 5]!.repeat(3)}kq${n}`);
  const corrected: string[] = [];
  const seeking = { ...indexOf(), corrections: (word: string) => (corrected.push(word), []) };
  assert.deepEqual([asked(words.join(" "), seeking).units.length, corrected.length], [48, 16]);
  // Both parts are words of the index. The first word has 24 letters, and the second one 25.
  const index = indexOf(["en:qxzvkwqxzvkw", "en:wkvzxqwkvzxq", "en:wkvzxqwkvzxqw"]);
  assert.equal(asked("qxzvkwqxzvkwwkvzxqwkvzxq", index).units.length, 2);
  assert.equal(asked("qxzvkwqxzvkwwkvzxqwkvzxqw", index).units.length, 1);
});

Deno.test("readQuestion() lets the words at one place of a choice be met by each other", () => {
  for (
    const [query, word, ...others] of [
      ["work boots and safety footwear", "boots", "footwear"],
      ["work boots and safety footwear", "safety", "work"],
      ["museums or theatres in Ohio", "museums", "theatres"],
      ["SAP implementation or support", "implementation", "support"],
      ["SAP implementation or support", "sap"],
      ["ambulances or paramedic equipment", "paramedic", "ambulances"],
      ["fournitures scolaires et mobilier pour les écoles", "scolaires", "mobilier"],
    ] as const
  ) assert.deepEqual(waysOf(asked(query), word, "words"), [word, ...others], query);
});

Deno.test("readQuestion() adds names of the index, and reads no place in a longer name", () => {
  const question = asked("Toronto Hydro tenders", indexOf(["name:torontohydro"]));
  assert.deepEqual(waysOf(question, "toronto", "name"), ["name:torontohydro"]);
  assert.deepEqual(waysOf(question, "hydro", "name"), ["name:torontohydro"]);
  const news = asked("tenders of $SUPN", indexOf(["ticker:supn"]));
  assert.deepEqual(waysOf(news, "supn", "name"), ["ticker:supn"]);
  assert.deepEqual(question.conditions, []);
  assert.deepEqual(asked("Toronto Hydro tenders").conditions.map(({ on }) => on), ["place"]);
});

Deno.test("readQuestion() excludes a name of the index after a negation", () => {
  const index = indexOf(["name:torontohydro", "name:royalbank", "name:coldstorage"]);
  for (
    const query of [
      "cranes, but not Toronto Hydro",
      "cranes except Toronto Hydro",
      "cranes sauf Toronto Hydro et Royal Bank",
      "cranes -Toronto Hydro",
      "cranes excluding Toronto Hydro and Royal Bank",
    ]
  ) {
    const question = asked(query, index);
    assert.deepEqual(subjectOf(question), ["cranes"], query);
    const ways = question.excluded.flatMap((one) => one.on === "words" ? one.ways : []);
    assert.equal(ways[0]?.text, "name:torontohydro", query);
    assert.equal(ways.length, query.includes("Royal") ? 2 : 1, query);
  }
  assert.deepEqual(asked("cranes - Toronto Hydro", index).excluded, []);
  // A name in small letters may be a subject.
  const need = asked("companies without cold storage", index);
  assert.deepEqual([need.excluded, subjectOf(need)], [[], ["cold", "storage"]]);
});

Deno.test("readQuestion() asks for the company whose name is capitalized", () => {
  const similarity = (query: string) => {
    const { ways } = unitOf(asked(query, indexOf(["name:harbourfoods"])), "foods");
    return ways.map(({ origin, similarity }) => `${origin} ${similarity}`);
  };
  const weak = ["words 0.3", "name 1"];
  assert.deepEqual(similarity("Harbour Foods"), weak);
  assert.deepEqual(similarity("harbour foods").slice(0, 2), ["words 1", "name 1"]);
  assert.deepEqual(similarity("Harbour Foods tenders"), weak);
  assert.deepEqual(similarity("Harbour Foods Tenders").slice(0, 2), ["words 1", "name 1"]);
});

Deno.test("readQuestion() takes quoted words literally", () => {
  for (const quotation of ['"not in Ohio"', "“not in Ohio”", "« not in Ohio »"]) {
    const { conditions, excluded } = asked(`${quotation} contracts`);
    assert.deepEqual([conditions, excluded], [[], []], quotation);
  }
  assert.deepEqual(waysOf(asked('"street lights"'), "lights", "written", "learned"), []);
});

Deno.test("readQuestion() reads hostnames", () => {
  const question = asked("tenders of www.acme.com, not other.ca");
  assert.deepEqual(waysOf(question, "acme", "name"), ["www.acme.com"]);
  assert.deepEqual(question.excluded.map((one) => one.on === "words" && one.text), ["other.ca"]);
});

const HOSTILE =
  ("series a round not in except sans sauf closing by before the end of due within 30 days between 5 and 10 million $ " +
    "or more at least over New York CA, TX la de d' l' du and/or 2012 2012-05 may March q2 last spring since chief " +
    'financial officer request for proposals industry software e-commerce U.S. " « » - + Inc. venture angel seed of ' +
    "the month fin d'ici région appels d'offres uses Node.js c++ acme.com ( without US tender é İ ﬁ \u0301 ﷺ")
    .split(" ");

Deno.test("readQuestion() never throws and keeps its bounds", () => {
  const query = fc.oneof(
    fc.string({ unit: "binary", maxLength: 500 }),
    fc.array(fc.constantFrom(...HOSTILE), { maxLength: 120 }).map((words) => words.join(" ")),
    fc.tuple(fc.constantFrom(...HOSTILE), fc.constantFrom(" ", ", ", "-", "", " the end of "))
      .map(([word, sign]) => (word + sign).repeat(500)),
  ).map((text) => text.slice(0, 500));
  fc.assert(
    fc.property(query, (query) => {
      const { units, conditions } = asked(query, indexOf(["name:newyork", "en:seri"]));
      assert.ok(units.length <= UNITS_MAX);
      for (const { ways, condition } of units) {
        assert.equal(ways[0]!.origin, "words");
        assert.ok(ways.length <= WAYS_MAX);
        assert.ok(ways.every(({ similarity }) => similarity > 0 && similarity <= 1));
        assert.ok(condition === undefined || conditions[condition] !== undefined);
      }
      for (const condition of conditions) {
        if (condition.on !== "occurred" && condition.on !== "closes") continue;
        assert.ok(!Number.isNaN(condition.after) && !Number.isNaN(condition.before));
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("readQuestion() does not depend on what was read before", () => {
  const first = readQuestion("tenders in Springfield, Canada", NOW, indexOf());
  assert.deepEqual(readQuestion("tenders in Springfield, Canada", NOW, indexOf()), first);
  assert.equal(new Set(READERS).size, READERS.length);
});
