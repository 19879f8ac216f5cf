/** Reads what questions exclude, and the foreign countries that they ask for. */
import assert from "node:assert/strict";
import { asked, subjectOf } from "./asked.ts";

/** Queries with the names of countries that the records' texts are asked for. */
const FOREIGN: readonly [string, string | undefined][] = [
  ["cold storage in Mexico", "mexico, mexique"],
  ["entrepôts au Mexique", "mexico, mexique"],
  ["cold storage in mexico", "mexico, mexique"],
  ["companies exporting to Japan", "japan, japon"],
  ["jobs in Turkey", "turkiye, turquie, turkey"],
  ["importations du Mexique", "mexico, mexique"],
  ["usines au Liban", "lebanon, liban"],
  ["manufacturers that do not export to Mexico", undefined],
  ["no suppliers from China", undefined],
  ["jobs in Ukraine or Poland", "ukraine, poland, pologne"],
  ["offices in Paris, France", "france"],
  ["entreprises à Athens, en Grèce", "greece, grece"],
  ["Dublin, Ireland startups", "ireland, irlande"],
  ["Crystal, China and Silverware wholesalers", undefined],
  ["jobs in Toronto or Paris, France", undefined],
  ["jobs in Texas, Mexico", undefined],
  ["plants in Mexico, US", undefined],
  ["plants in Canada and Mexico", undefined],
  ["storage in Peru, Indiana", undefined],
  ["furniture in Holland, Michigan", undefined],
  ["ships in Norway House", undefined],
  ["gants de suède", undefined],
  ["location de salle de réunion", undefined],
  ["vans across India-based teams", undefined],
  ["poultry in turkey processing", undefined],
  ["engineers in New Mexico", undefined],
  ["grocers in Jersey City", undefined],
  ["contracts in Georgia", undefined],
  ["diners in Lebanon, NH", undefined],
  ["Mexico cantina", undefined],
  ["storage outside Mexico", undefined],
  ["storage in Mexico but not in Texas", "mexico, mexique"],
  ["rail in Canada", undefined],
];

Deno.test("readQuestion() asks the text of records for a foreign country", () => {
  for (const [query, names] of FOREIGN) {
    const { conditions } = asked(query);
    const [text] = conditions.flatMap((one) => one.on === "text" ? [one.text] : []);
    assert.equal(text, names, query);
    // Athens in Georgia is not asked for.
    if (names !== undefined) assert.equal(conditions.length, 1, query);
  }
});

Deno.test("readQuestion() excludes all that a French negation names", () => {
  const cases: [string, string[]][] = [
    ["tourisme sauf les hôtels et les restaurants", ["hôtels", "restaurants"]],
    ["toiture à l'extérieur de Montréal", ["montreal"]],
    ["toiture sauf Montréal et Laval", ["montreal", "laval"]],
  ];
  for (const [query, expected] of cases) {
    const excluded = asked(query).excluded.map((one) =>
      one.on === "words" ? one.text : one.on === "place" ? one.places[0]!.city : one.on
    );
    assert.deepEqual(excluded, expected, query);
  }
});

Deno.test("readQuestion() excludes what follows a minus sign", () => {
  const exclusionsOf = (query: string) => {
    const { excluded } = asked(query);
    return excluded.map((one) => one.on === "words" ? one.text : one.on);
  };
  const cases: [string, string[], string[]][] = [
    ["roofing -metal", ["roofing"], ["metal"]],
    ['roofing -"metal sheets"', ["roofing"], ["metal sheets"]],
    ["roofing -Texas", ["roofing"], ["place"]],
    ["biotech -Series B", ["biotech"], ["round:series_b"]],
    ["rail in Mexico-Texas corridor", ["rail", "mexico", "texas", "corridor"], []],
    ["trades:\n-roofing\n-siding", ["trades", "roofing", "siding"], []],
    ["Toronto -based roofers", ["toronto", "roofers"], []],
    ["roofing -tenders", ["roofing"], ["kind"]],
    ["roofs AND tiles AND NOT (tin OR tar OR oak)", ["roofs", "tiles"], ["tin", "tar", "oak"]],
    ["HIRING IN MAY AND NOT WELDERS", ["hiring"], ["welders"]],
    ["shops that do not sell alcohol", ["shops"], ["alcohol"]],
    ["lenders, neither banks nor insurers", ["lenders"], ["banks", "insurers"]],
    ["biotech, not a series A", ["biotech"], ["round:series_a"]],
    ["biotech except series A or B", ["biotech"], ["round:series_a round:series_b"]],
    ["vehicle parts, no tires, no glass, no oil", ["vehicle", "parts"], ["tires", "glass", "oil"]],
    ["robots rather than drones", ["robots"], ["drones"]],
    ["banks that don't do crypto", ["banks"], ["crypto"]],
    ["robots that are not for mines", ["robots"], ["mines"]],
    ["logiciels qui n'utilisent pas PHP", ["logiciels"], ["php"]],
    ["low code, no code tools", ["low", "code", "code", "tools"], []],
    ["janitorial tenders except library tenders", ["janitorial", "tenders"], ["library"]],
    ["leadership changes except CEO changes", ["leadership", "changes"], ["ceo changes"]],
    ["sauf la série A, biotech", ["biotech"], ["round:series_a"]],
    ["roofing -acme.com", ["roofing"], ["acme.com"]],
    ["e - commerce", ["commerce"], []],
    ["co-working", ["co", "working"], []],
  ];
  for (const [query, subject, excluded] of cases) {
    assert.deepEqual([subjectOf(asked(query)), exclusionsOf(query)], [subject, excluded], query);
  }
});

Deno.test("readQuestion() excludes places after negations", () => {
  const california = { country: "US", region: "US-CA" };
  const places =
    " outside California| not in California| not in the California area| except in California|" +
    " sauf en Californie| hors de la Californie| anywhere but California|" +
    " neither in California| ailleurs qu'en Californie|, California excluded";
  for (const query of places.split("|").map((place) => `startups${place}`)) {
    const { excluded, conditions } = asked(query);
    assert.deepEqual(excluded, [{ on: "place", places: [california] }], query);
    assert.deepEqual(conditions, [], query);
  }
  const both = asked("biotech not in California or Texas");
  assert.deepEqual(both.excluded, [
    { on: "place", places: [california] },
    { on: "place", places: [{ country: "US", region: "US-TX" }] },
  ]);
  assert.deepEqual(subjectOf(asked("not in California biotech")), ["biotech"]);
});

Deno.test("readQuestion() excludes words, kinds and rounds", () => {
  const words = asked("snow removal, not catering");
  assert.deepEqual(subjectOf(words), ["snow", "removal"]);
  assert.deepEqual(words.excluded.map((one) => one.on === "words" && one.text), ["catering"]);
  const [catering] = words.excluded;
  assert.ok(catering?.on === "words");
  assert.ok(catering.ways.some(({ text }) => text === "traiteur"));
  // Words after the last unit that is read still exclude.
  const nouns = Array.from({ length: 49 }, (_, n) => `crane${n}`).join(" ");
  const long = asked(`${nouns} "fleet parts" but not catering`);
  assert.deepEqual(long.excluded.map((one) => one.on === "words" && one.text), ["catering"]);
  assert.equal(long.phrases.length, 1);
  assert.deepEqual(asked("construction in Ohio but not tenders").excluded, [
    { on: "kind", kinds: ["procurement_request"] },
  ]);
  assert.deepEqual(asked("construction in Ohio but not contracts").excluded, [
    { on: "kind", kinds: ["procurement_request", "partnership"] },
  ]);
  const round = asked("biotech funding except Series A").excluded;
  assert.deepEqual(round.map((one) => one.on === "words" && one.text), ["round:series_a"]);
  assert.deepEqual(asked("companies without ERP").excluded, []);
  assert.deepEqual(asked("snow plows, not snow").excluded, []);
  const [plastic] = asked("steel tanks, not plastic tanks").excluded;
  assert.ok(plastic?.on === "words" && plastic.ways[0]!.text === "plastic");
  // "Traduction" means both words.
  const [proofreading] = asked("translation without proofreading").excluded;
  assert.ok(proofreading?.on === "words");
  assert.deepEqual(proofreading.ways.filter(({ text }) => text === "traduction"), []);
});
