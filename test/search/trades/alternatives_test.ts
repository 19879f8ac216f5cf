import assert from "node:assert/strict";
import fc from "fast-check";
import { words } from "../../../src/search/engine/text.ts";
import { type Alternatives, alternativesOf } from "../../../src/search/trades/alternatives.ts";

/** Returns the synonyms (`same`) and the related forms (`near`) of one span of a query. */
function formsOf(query: string, span: string): { same: string[]; near: string[] } {
  const query_words = words(query);
  const alternatives = alternativesOf(query_words).find(({ from, to }) =>
    query_words.slice(from, to).join(" ") === span
  );
  const texts = (weight: number) =>
    alternatives?.forms.filter((form) => form.weight === weight).map(({ words }) =>
      words.join(" ")
    ) ?? [];
  return { same: texts(1), near: texts(0.5) };
}

function assertTranslations(cases: readonly [query: string, span: string, form: string][]): void {
  for (const [query, span, form] of cases) {
    assert.ok(formsOf(query, span).same.includes(form), `${query}: no ${form} for ${span}`);
  }
}

function spansOf(query: string): string[] {
  const query_words = words(query);
  return alternativesOf(query_words).map(({ from, to }) => query_words.slice(from, to).join(" "));
}

Deno.test("alternativesOf() translates the trades between English and French", () => {
  const cases: [query: string, span: string, form: string][] = [
    ["bridge rehabilitation", "bridge", "pont"],
    ["réfection de ponts", "ponts", "bridge"],
    ["janitorial services", "janitorial", "custodial"],
    ["custodial", "custodial", "janitorial"],
    ["entretien ménager", "entretien menager", "janitorial"],
    ["conciergerie", "conciergerie", "janitorial"],
    ["snow removal in Toronto", "snow removal", "deneigement"],
    ["déneigement à Montréal", "deneigement", "snow plowing"],
    ["paving contractors", "paving", "pavage"],
    ["asphaltage", "asphaltage", "paving"],
    ["roofs", "roofs", "toiture"],
    ["toitures", "toitures", "roofing"],
    ["camionnage", "camionnage", "trucking company"],
    ["trucking", "trucking", "camionnage"],
    ["freight", "freight", "camionnage"],
    ["IT services", "it services", "informatique"],
    ["services informatiques", "services informatiques", "information technology"],
    ["cyber security", "cyber security", "cybersecurite"],
    ["cybersécurité", "cybersecurite", "cyber security"],
    ["nurses", "nurses", "infirmier"],
    ["infirmières", "infirmieres", "nurse"],
    ["soudeur", "soudeur", "welder"],
    ["développeuses", "developpeuses", "software engineer"],
    ["programmer", "programmer", "developpeur"],
    ["biotech", "biotech", "biotechnology"],
    ["e-commerce", "commerce ecommerce", "online retail"],
    ["cleantech", "cleantech", "clean technology"],
    ["fintechs", "fintechs", "financial technology"],
    ["égouts", "egouts", "sewer"],
    ["traitement des eaux usées", "traitement eaux usees", "wastewater"],
    ["assurance", "assurance", "insurance"],
    ["customer service", "customer service", "service clientele"],
    ["law firms", "law firms", "avocat"],
  ];
  assertTranslations(cases);
});

Deno.test("alternativesOf() translates goods and equipment", () => {
  assertTranslations([
    ["conveyors", "conveyors", "convoyeur"],
    ["convoyeur à courroie", "convoyeur", "conveyor"],
    ["pallet racking", "pallet racking", "palettier"],
    ["palettiers", "palettiers", "pallet racking"],
    ["forklifts", "forklifts", "chariot elevateur"],
    ["chariots élévateurs", "chariots elevateurs", "forklift"],
    ["flight simulator", "flight simulator", "simulateur vol"],
    ["simulateurs de vol", "simulateurs vol", "flight simulator"],
    ["fire trucks", "fire trucks", "camion incendie"],
    ["LED lighting", "led lighting", "eclairage del"],
    ["éclairage DEL", "eclairage del", "led lighting"],
    ["welding robots", "welding robots", "robot soudage"],
    ["backup generator", "backup generator", "generatrice secours"],
    ["packaging", "packaging", "emballage"],
    ["emballage alimentaire", "emballage alimentaire", "food packaging"],
    ["defibrillators", "defibrillators", "defibrillateur"],
    ["fauteuils roulants", "fauteuils roulants", "wheelchair"],
    ["fire extinguishers", "fire extinguishers", "extincteur"],
    ["heat pumps", "heat pumps", "thermopompe"],
    ["gants de travail", "gants travail", "gloves"],
    ["street sweeper", "street sweeper", "balai mecanique"],
    ["brise-glace", "brise glace", "icebreaker"],
    ["elevator", "elevator", "ascenseur"],
    ["firewall", "firewall", "pare feu"],
    ["mobilier scolaire", "mobilier scolaire", "classroom furniture"],
  ]);
});

Deno.test("alternativesOf() translates the roles of people", () => {
  assertTranslations([
    ["actuary", "actuary", "actuaire"],
    ["géologues", "geologues", "geologist"],
    ["mechanics", "mechanics", "mecanicien"],
    ["security guards", "security guards", "agent securite"],
    ["heavy equipment mechanic", "heavy equipment mechanic", "mecanicien machinerie lourde"],
    ["lineman", "lineman", "monteur lignes"],
    ["briqueteur-maçon", "macon", "mason"],
    ["éboueur", "eboueur", "waste collector"],
    ["flight instructor", "flight instructor", "instructeur vol"],
    ["inhalothérapeutes", "inhalotherapeutes", "respiratory therapist"],
    ["helicopter pilot", "helicopter pilot", "pilote helicoptere"],
    ["agronomist", "agronomist", "agronome"],
    ["boilermaker", "boilermaker", "chaudronnier"],
    ["truck drivers", "truck drivers", "camionneur"],
    ["infirmière auxiliaire", "infirmiere auxiliaire", "nurse"],
  ]);
});

Deno.test("alternativesOf() translates the places of work", () => {
  assertTranslations([
    ["fulfillment centre", "fulfillment centre", "centre distribution"],
    ["centres de distribution", "centres distribution", "fulfillment center"],
    ["health care facility", "health care facility", "etablissement sante"],
    ["établissements de santé", "etablissements sante", "health centre"],
    ["museums", "museums", "musee"],
    ["flight school", "flight school", "ecole pilotage"],
    ["copper smelter", "copper smelter", "fonderie cuivre"],
    ["salles de classe", "salles classe", "classroom"],
    ["real estate developer", "real estate developer", "promoteur immobilier"],
    ["écocentre", "ecocentre", "recycling centre"],
    ["caserne", "caserne", "fire station"],
    ["transfer station", "transfer station", "poste transbordement"],
  ]);
});

Deno.test("alternativesOf() gives related trades half of the weight", () => {
  const { same, near } = formsOf("janitorial", "janitorial");
  assert.ok(same.includes("entretien menager"));
  assert.ok(near.includes("housekeeping"));
  assert.ok(!same.includes("housekeeping"));
  assert.ok(formsOf("housekeeping", "housekeeping").near.includes("janitorial"));
});

Deno.test("alternativesOf() returns the same forms for all spellings of a word", () => {
  const spellings: string[][] = [
    ["sewer", "sewers", "Sewer", "SEWERS"],
    ["déneigement", "deneigement", "DÉNEIGEMENT", "de\u0301neigement"],
    ["long-term care", "long term care", "Long-Term Care"],
    ["chemin de fer", "chemins de fer"],
    ["eau d'égout", "eaux d’égouts"],
    ["hôpital", "hôpitaux", "hopitaux"],
    ["infirmier", "infirmière", "infirmiers", "infirmières"],
    ["semiconductor", "semiconductors"],
    ["bus", "buses"],
  ];
  for (const [first, ...rest] of spellings) {
    const expected = alternativesOf(words(first!));
    assert.notDeepEqual(expected, [], first);
    for (const spelling of rest) {
      assert.deepEqual(alternativesOf(words(spelling)), expected, spelling);
    }
  }
});

Deno.test("alternativesOf() distinguishes words that only share a stem or a spelling", () => {
  const cases: [query: string, never: RegExp][] = [
    ["bridge loan", /pont|overpass/],
    ["greenhouse gas emissions", /serre/],
    ["landscape architect", /infonuagique/],
    ["cloud architect", /cabinet architectes/],
    ["solar farm", /agricole|agriculture/],
    ["fibre optics", /photonique|laser/],
    ["body shop", /magasin/],
    ["web hosting", /hotel/],
    ["new media", /journal/],
    ["custom software", /douane/],
    ["train", /formation|professional/],
    ["animals", /animation/],
    ["data mining", /minier|mine/],
    ["quality assurance", /assureur|insurance/],
    ["talent acquisition", /fusion|merger/],
    ["3D printing", /imprimerie/],
    ["clinical stage", /stagiaire/],
    ["food bank", /bancaire/],
    ["seed round", /semence/],
    ["date de clôture", /fence/],
    ["power plant", /usine|factory|garden/],
    ["developer", /promoteur/],
    ["real estate developer", /logiciel|programmeur/],
    ["aircraft pilot", /projet/],
    ["tax shelter", /refuge|abribus/],
    ["bus shelter", /refuge|itinerance/],
    ["medical ventilator", /ventilateur industriel|soufflante/],
    ["railway ties", /cravate/],
    ["protein", /lactoserum|poudre/],
    ["geologist", /geophysique/],
    ["stationary engineer", /papeterie|mecanique batiment/],
    ["cheese", /^(?:lait|milk)$/],
    ["forklift", /manutention bagages|transpalette electrique/],
    ["fire hose", /bas collants/],
    ["wildlife refuge", /itinerant|hebergement/],
  ];
  for (const [query, never] of cases) {
    for (const { forms } of alternativesOf(words(query))) {
      for (const form of forms) assert.doesNotMatch(form.words.join(" "), never, query);
    }
  }
});

Deno.test("alternativesOf() returns no forms of words inside a longer span", () => {
  assert.deepEqual(spansOf("bridge loan"), ["bridge loan"]);
  assert.deepEqual(spansOf("nursing homes for nurses"), ["nursing homes", "nurses"]);
  assert.deepEqual(spansOf("school bus driver"), ["school bus driver"]);
});

Deno.test("alternativesOf() returns both of two overlapping spans", () => {
  assert.deepEqual(spansOf("marine construction management"), [
    "marine construction",
    "construction management",
  ]);
});

Deno.test("alternativesOf() returns no form that contains the words of its span", () => {
  const { same } = formsOf("nursing", "nursing");
  assert.ok(same.includes("infirmier"));
  assert.ok(!same.includes("nursing services"));
});

Deno.test("alternativesOf() returns a form only as related if other words share its stem", () => {
  const cases: [query: string, span: string, never: string][] = [
    ["informatique développeur", "developpeur", "developer"],
    ["R-D", "rd", "research"],
    ["importateur", "importateur", "importer"],
    ["groupe électrogène", "groupe electrogene", "generator"],
    ["stagiaire", "stagiaire", "intern"],
    ["insurance", "insurance", "assurance"],
    ["translation", "translation", "localization"],
    ["œuvre commémorative", "oeuvre commemorative", "statue"],
    ["chapiteau", "chapiteau", "tent"],
    ["minerai", "minerai", "ore"],
    ["estimateur", "estimateur", "estimator"],
    ["barn", "barn", "etable"],
  ];
  assert.ok(formsOf("importateur", "importateur").near.includes("importer"));
  for (const [query, span, never] of cases) {
    const { same } = formsOf(query, span);
    assert.ok(same.length > 0, query);
    assert.ok(!same.includes(never), `${query}: ${never}`);
  }
});

Deno.test("alternativesOf() states the languages of each form", () => {
  const [bridge] = alternativesOf(["bridge"]);
  const languagesOf = (text: string) =>
    bridge?.forms.find(({ words }) => words.join(" ") === text)?.languages;
  assert.deepEqual(languagesOf("pont"), ["french"]);
  assert.deepEqual(languagesOf("overpass"), ["english"]);
});

Deno.test("alternativesOf() returns nothing for words outside the dictionary", () => {
  for (const query of ["zzzqqq", "", "Supernus", "constructor __proto__ toString"]) {
    assert.deepEqual(alternativesOf(words(query)), [], query);
  }
});

Deno.test("alternativesOf() keeps its limits for any words", () => {
  const vocabulary = ["snow", "removal", "bridge", "ponts", "it", "services", "zzzqqq", "s", ""];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...vocabulary), { maxLength: 12 }), (query_words) => {
      for (const alternatives of alternativesOf(query_words)) {
        assertBounds(alternatives, query_words.length);
      }
    }),
  );
});

function assertBounds({ from, to, forms }: Alternatives, size: number): void {
  assert.ok(from >= 0 && from < to && to <= size && to - from <= 3);
  for (const { words, weight, languages } of forms) {
    assert.ok(words.length >= 1);
    assert.ok(weight === 1 || weight === 0.5);
    assert.ok(languages.length >= 1);
  }
}
