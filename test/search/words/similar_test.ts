import assert from "node:assert/strict";
import { isKnownPhrase, phrasesAt, similarTo } from "../../../src/search/words/similar.ts";
import { keyOf } from "../../../src/search/words/terms.ts";
import { readWritten } from "../../../src/search/words/written.ts";

function textsOf(words: string[], origin: "written" | "learned"): string[] {
  return similarTo(words).filter((each) => each.origin === origin).map(({ text }) => text);
}

Deno.test("similarTo() finds words of the hand-written table in both languages", () => {
  assert.deepEqual(textsOf(["viaduct"], "written"), [
    ...["bridge", "overpass", "pont", "viaduc", "passerelle", "ouvrage d'art"],
  ]);
});

Deno.test("similarTo() finds learned words that no one has written down", () => {
  const texts = textsOf(["marijuana"], "learned");
  assert.ok(texts.includes("weed"), texts.join());
});

Deno.test("similarTo() finds phrases, in any form of their words", () => {
  const texts = textsOf(["street", "lights"], "written");
  assert.ok(texts.includes("lampadaire"), texts.join());
  assert.deepEqual(texts, textsOf(["Street", "light"], "written"));
  // Both are related to biometrics.
  assert.ok(!textsOf(["facial", "recognition"], "written").includes("fingerprint"));
});

Deno.test("similarTo() reads French words without accents", () => {
  assert.deepEqual(similarTo(["deneigement"]), similarTo(["déneigement"]));
  assert.deepEqual(similarTo(["electricite"]), similarTo(["électricité"]));
});

Deno.test("similarTo() sorts by similarity, without the word itself, and no term twice", () => {
  for (const word of ["lawyer", "roofing", "avocat", "startup"]) {
    const found = similarTo([word]);
    const similarities = found.map(({ similarity }) => similarity);
    assert.deepEqual(similarities, similarities.toSorted((a, b) => b - a));
    assert.ok(similarities.every((each) => each > 0 && each <= 1));
    assert.equal(new Set(found.flatMap(({ keys }) => keys)).size, found.length);
    assert.ok(!found.some(({ text }) => text === word || text === `${word}s`));
  }
});

Deno.test("similarTo() leaves out what the hand-written table forbids", () => {
  const texts = similarTo(["bridge"]).map(({ text }) => text);
  assert.ok(texts.includes("ponte"), texts.join());
  assert.ok(!texts.includes("bruges") && !texts.includes("bridge loan"), texts.join());
  assert.ok(!textsOf(["parking"], "learned").includes("park"));
  assert.ok(!textsOf(["bruges"], "learned").includes("bridge"));
});

Deno.test("similarTo() knows nothing of an unknown word", () => {
  assert.deepEqual(similarTo(["qzxwvy"]), []);
});

Deno.test("phrasesAt() gives the lengths of known phrases", () => {
  assert.deepEqual(phrasesAt(["new", "street", "lights"], 1), [2]);
  assert.deepEqual(phrasesAt(["street", "lights"], 1), []);
});

Deno.test("isKnownPhrase() takes the key of stems of one language", () => {
  assert.equal(isKnownPhrase(keyOf("en:street light")), true);
  assert.equal(isKnownPhrase(keyOf("en:street zebra")), false);
});

Deno.test("readWritten() names a line that is no group", () => {
  assert.throws(() => readWritten("99\tbridge\tpont\n"), /line 1/);
  assert.throws(() => readWritten("\tbridge\n\t\t\tspan\n"), /line 2/);
});

Deno.test("readWritten() reads the columns of a group and forbidden pairs", () => {
  const { groups, forbidden } = readWritten("!\tbridge\tbridge loan\n\troof\ttoit\troofer\n");
  assert.deepEqual(
    groups.map(({ same, near, asked }) =>
      [same, near, asked].map((list) => list.map((one) => one.key))
    ),
    [[["en:roof", "fr:toit"], ["en:roofer"], []].map((terms) => terms.map(keyOf))],
  );
  assert.ok(
    forbidden.some(([left, right]) => left.text === "bridge" && right.text === "bridge loan"),
  );
});

Deno.test("the hand-written table has each group once, in at most 2,400 lines", () => {
  const lines = Deno.readTextFileSync("src/search/words/written.tsv").trimEnd().split("\n");
  assert.ok(lines.length <= 2400);
  assert.equal(new Set(lines).size, lines.length);
});
