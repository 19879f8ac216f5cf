import assert from "node:assert/strict";
import fc from "fast-check";
import { legalFormOf, normalizeName } from "../../../src/ingest/record/company_name.ts";

/** Spellings of one name per line, after their normalized name. */
const ONE: [common: string, ...spellings: string[]][] = [
  ["acme", "ACME, Inc.", "acme inc", "Acme Incorporated", "The Acme Company", "ACME INC /DE/"],
  ["ford motor", "Ford Motor Company", "Ford Motor Co", "FORD MOTOR CO.", "ford  motor co /NEW/"],
  ["aliments quebec", "Les Aliments Québec Ltée", "ALIMENTS QUEBEC INC.", "Aliments Que\u0301bec"],
  ["cafe&fils", "Café & Fils", "CAFE ET FILS, S.E.N.C.", "Café and Fils s.e.n.c.r.l."],
  ["smith", "Smith & Co.", "Smith and Company", "Smith et Cie", "SMITH"],
  ["at&t", "AT&T Inc.", "AT & T", "A.T. & T. Corp"],
  ["plan b", "Plan B L.L.C.", "Plan B LLC", "Plan-B, l. l. c."],
  ["mcdonalds", "McDonald's Corp", "McDonald\u2019s", "McDonalds Corporation"],
  ["abc supply", "A.B.C. Supply", "ABC Supply Co., Inc.", "A B C Supply ULC"],
  ["siemens energy", "Siemens Energy GmbH & Co. KG", "SIEMENS ENERGY AG"],
  ["shell", "Shell PLC", "Shell p.l.c.", "Shell N.V."],
  ["gaz metro", "Gaz Métro, société en commandite", "Gaz Metro S.E.C.", "Gaz Métro LP"],
  ["bell canada", "Bell Canada Limitée", "Bell Canada Limited Liability Company"],
  ["co operators", "Co-operators Ltd", "The Co operators"],
];

Deno.test("normalizeName() returns the same name for all spellings of it", () => {
  for (const [common, ...spellings] of ONE) {
    assert.deepEqual(spellings.map(normalizeName), spellings.map(() => common));
  }
});

Deno.test("normalizeName() keeps the words and signs that distinguish names", () => {
  const distinct: [string, string][] = [
    ["Inc.", "inc"],
    ["Co. Ltd.", "co ltd"],
    ["The Limited", "limited"],
    ["The", "the"],
    ["& Co", "& co"],
    ["La Presse inc.", "la presse"],
    ["Company of Wolves", "company of wolves"],
    ["Limited Brands", "limited brands"],
    ["AC/DC", "ac dc"],
    ["C++ Tools", "c++ tools"],
    ["PSA", "psa"],
    ["Östergötland", "ostergotland"],
    ["東京 株式会社", "東京 株式会社"],
    ["!!!", "!!!"],
  ];
  for (const [name, expected] of distinct) assert.equal(normalizeName(name), expected, name);
});

Deno.test("legalFormOf() returns the same code for all spellings of a legal form", () => {
  const forms: [string, ...names: string[]][] = [
    [
      "",
      "Acme",
      "Acme Company",
      "Smith & Co.",
      "Smith et Cie",
      "Garage Roy enr.",
      "Inc.",
      "Co. Ltd.",
    ],
    [
      "inc",
      "ACME, Inc.",
      "Acme Incorporated",
      "ABC Supply Co., Inc.",
      "ACME INC /DE/",
      "Acme Incorporée",
    ],
    [
      "ltd",
      "Acme Ltd.",
      "Acme Limited",
      "Acme Ltée",
      "Acme Limitée",
      "Acme Pty Ltd",
      "Acme Ltd & Co",
    ],
    ["corp", "Acme Corp", "Acme Corporation"],
    ["llc", "Plan B L.L.C.", "Plan B LLC", "Plan B Limited Liability Company"],
    ["llp", "Roy LLP", "Roy s.e.n.c.r.l.", "Roy Limited Liability Partnership"],
    ["lp", "Gaz Métro, société en commandite", "Gaz Metro S.E.C.", "Gaz Métro LP"],
    ["pllc", "Roy P.L.L.C."],
    ["kg", "Siemens Energy GmbH & Co. KG"],
  ];
  for (const [form, ...names] of forms) {
    assert.deepEqual(names.map(legalFormOf), names.map(() => form));
  }
});

const WORD = fc.constantFrom(
  ..."Acme the Les l L c s a S.A. Inc. INC LLC L.L.C. Ltée co Company and et & | / /DE/ É + 7 B Co."
    .split(" "),
  "limited liability company",
  "McDonald's",
  "société en commandite",
);
const NAME = fc.oneof(
  fc.array(WORD, { minLength: 1, maxLength: 7 }).map((words) => words.join(" ")),
  fc.array(WORD, { minLength: 1, maxLength: 5 }).map((words) => words.join("")),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
);

Deno.test("normalizeName() is idempotent, and never empty", () => {
  fc.assert(
    fc.property(NAME, (name) => {
      const once = normalizeName(name);
      assert.notEqual(once, "");
      assert.equal(normalizeName(once), once);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("normalizeName() ignores case, accents and punctuation", () => {
  const letter = fc.constantFrom(..."abceilnostuéÀçö".split(""));
  const word = fc.oneof(
    fc.string({ unit: letter, minLength: 1, maxLength: 8 }),
    fc.constantFrom("inc", "the", "l.l.c", "co", "et", "and", "ltée", "company"),
  );
  const mark = fc.constantFrom(",", ".", "-", " - ", " \u2019", "\u00a0", "! ", ", ");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, mark), { minLength: 1, maxLength: 6 }),
      (parts) => {
        const plain = parts.map(([text]) => text.replaceAll(".", " ")).join(" ");
        const bare = plain.normalize("NFD").replace(/\p{M}/gu, "");
        const marked = parts.map(([text, sign]) => text + sign).join("");
        for (const variant of [plain.toUpperCase(), plain.normalize("NFD"), bare, marked]) {
          assert.equal(normalizeName(variant), normalizeName(plain), variant);
          assert.equal(legalFormOf(variant), legalFormOf(plain), variant);
        }
      },
    ),
    { numRuns: 3_000 },
  );
});

Deno.test("normalizeName() returns at most 300 characters", () => {
  for (const name of ["\ufdfa".repeat(300), "a&".repeat(150), "\u0390".repeat(300)]) {
    assert.ok(normalizeName(name).length <= 300, name);
  }
});
