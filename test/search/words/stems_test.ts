import assert from "node:assert/strict";
import { fold, stem } from "../../../src/search/words/stems.ts";

Deno.test("stem() gives one stem to the inflections of a word, in each language", () => {
  const forms = {
    en: [
      ["roof", "Roofs", "roofing", "roofed"],
      ["battery", "batteries"],
      ["university", "Universities"],
      ["glass", "glasses"],
      ["file", "filed", "filing", "files"],
      ["plan", "planned", "planning"],
      ["control", "controlled"],
      ["taxi", "taxis"],
      ["bus", "buses"],
    ],
    fr: [
      ["lampadaire", "Lampadaires"],
      ["hôpital", "hôpitaux"],
      ["installé", "installées", "installer"],
      ["infirmier", "infirmières"],
      ["directeur", "directrice"],
      ["technicien", "techniciennes"],
      ["bureau", "bureaux"],
      ["rue", "rues"],
      ["taxe", "taxes"],
    ],
  } as const;
  for (const language of ["en", "fr"] as const) {
    for (const [word, ...others] of forms[language]) {
      for (const other of others) assert.equal(stem(other, language), stem(word, language), other);
    }
  }
});

Deno.test("stem() separates words that are derived from each other, and short words", () => {
  const pairs = [
    ["generator", "generation"],
    ["opera", "operations"],
    ["interns", "international"],
    ["organic", "organization"],
    ["authors", "authority"],
    ["wine", "win"],
    ["speed", "spe"],
    ["news", "new"],
    ["customs", "custom"],
    ["trainings", "trains"],
    ["parking", "park"],
    ["gps", "gp"],
  ] as const;
  for (const [one, other] of pairs) assert.notEqual(stem(one, "en"), stem(other, "en"), other);
  assert.notEqual(stem("petit", "fr"), stem("pet", "fr"));
});

Deno.test("stem() keeps the beginning of a run that is no word", () => {
  assert.equal(stem("A".repeat(100), "en"), "a".repeat(40));
});

Deno.test("fold() drops accents, capital letters and ligatures", () => {
  assert.equal(fold("Œuvre d’ÉTÉ straße"), "oeuvre d'ete strasse");
});
