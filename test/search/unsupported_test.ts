import assert from "node:assert/strict";
import fc from "fast-check";
import { Failure } from "../../src/failures.ts";
import { normalizeFilters, normalizeQuery } from "../support/inputs.ts";
import { refuseNegationAlone, refuseUnsupported } from "../../src/search/unsupported.ts";
import { readQuestion } from "../../src/search/question/read_question.ts";
import { soon } from "../support/soon.ts";

const NOW = new Date("2026-06-15T12:00:00Z");

const ANYTHING = normalizeFilters({});

/** Reads a query without an index. */
const read = (query: string) =>
  readQuestion(query, NOW, { frequency: () => 0, corrections: () => [] });

/** Returns the words of the units that are no filler. */
const termsOf = (query: string) =>
  read(query).units.filter(({ is_filler }) => !is_filler).map(({ text }) => text);

const refuse = (query: string) => {
  refuseUnsupported(normalizeQuery(query));
  refuseNegationAlone(read(query), ANYTHING);
};

const CONTACT_DATA = [
  "email addresses of procurement managers in Ontario",
  "e-mail address of the buyer at Northwind Foods",
  "Get me the phone numbers of construction companies in Alberta",
  "contact  details\nfor the CFO of Acme",
  "contact information of companies expanding warehouses",
  "Who should I contact about the fleet tender?",
  "who to call at the city of Winnipeg",
  "names of the purchasing managers at food manufacturers",
  "CEO emails for startups in Toronto",
  "find contacts at mining companies in Quebec",
  "linkedin profiles of CTOs at software companies",
  "list decision makers at hospitals",
  "who is the procurement officer of Hydro One",
  "direct dial numbers",
  "people to contact about warehouse leases",
  "how do I reach the owner",
  "adresses courriel des acheteurs",
  "Adresses e-mail des entreprises de construction",
  "numéros de téléphone des entreprises à Montréal",
  "coordonnées des responsables des achats",
  "noms des directeurs d'usine",
  "courriels des dirigeants d'entreprises manufacturières",
  "qui contacter pour l'appel d'offres de déneigement",
  "personnes à contacter chez Hydro-Québec",
  "trouve-moi des contacts chez les transporteurs",
  ..."find emails|emails for roofing contractors|contacts for Acme|buyers to call".split("|"),
  ..."email of the CEO of Acme|email for the owner of Acme|what is the email of Acme".split("|"),
  ..."name of the purchasing manager at Acme|joindre le PDG d'Acme|personne-ressource de Laval"
    .split("|"),
  ..."home address of the CEO|who is the CEO to contact|courriel des entreprises|contact chez Acme"
    .split("|"),
];

const OUTREACH = [
  "send an email to companies building new plants",
  "Find warehouse expansions and email them",
  "write a personalized cold email to each food manufacturer",
  "Please draft outreach messages for these companies",
  ..."find companies hiring welders, then call them|call Northwind for me".split("|"),
  ..."write to the CEO of Acme|ring Acme for me|appelez Acme pour moi".split("|"),
  "book a meeting with the companies that need ERP software",
  "schedule demos with hospitals",
  "reach out to construction firms in Manitoba",
  "find tenders and send them our brochure",
  "launch an outreach campaign to manufacturers",
  "can you call the companies that issued an RFP",
  "contact these companies for me",
  "envoyer un courriel aux entreprises en expansion",
  "Envoyez un message aux acheteurs",
  "trouve les usines en expansion et contacte-les",
  "rédige un courriel pour les entreprises de transport",
  "trouver des entreprises pour les appeler",
  "prendre rendez-vous avec les municipalités",
  "liste des fabricants puis leur écrire",
];

const EXPORTS = [
  "export the whole dataset",
  "download all companies",
  "export all your data to csv",
  "Dump the database",
  "give me a csv of every observation",
  "all companies in your database",
  "list every company you have",
  "give me everything you have on Canada",
  "full data dump",
  "scrape all the records",
  "find tenders and export them",
  "give me the entire database",
  "list all tenders as an Excel spreadsheet",
  "bulk download of observations",
  "I want to download the complete list of companies",
  "télécharger toute la base de données",
  "exporter toutes les entreprises",
  "exporte les résultats",
  "liste des appels d'offres en format csv",
  "toutes les données que vous avez",
  ..."list all companies|entire dataset|liste toutes les entreprises".split("|"),
];

const SUPPORTED = [
  ..."call center outsourcing for US|contact lenses for US|call for tenders for us".split("|"),
  ..."hosted email for the executive branch|email of people management platform".split("|"),
  "companies expanding contact center capacity",
  "email security software RFP",
  "call centre expansion in Winnipeg",
  "phone system procurement",
  "export terminal expansion",
  "customer data platform",
  "contact lens manufacturer",
  "direct mail services tender",
  "warehouse expansion in Ontario",
  "Toronto",
  "data centre construction in Quebec",
  "database administrator hiring",
  "companies that export grain to Asia",
  "export companies in British Columbia",
  "bulk grain export terminal",
  "database migration services",
  "complete database migration tender",
  "email address validation software",
  "email marketing platform procurement",
  "software to send secure messages to patients",
  "mass notification system that sends text messages",
  "telephone number portability platform",
  "contact management software",
  "contact tracing application",
  "electrical contacts manufacturer",
  "meeting room booking system",
  "appointment scheduling software for clinics",
  "call for tenders for snow removal",
  "call for proposals, mobile cranes",
  "calls for bids on bridges",
  "letter mail sorting equipment",
  "leadership change: new chief executive officer",
  "appointed a new CEO",
  "companies whose CFO was replaced",
  "new director of procurement hired",
  "mobile phone retailer opening stores",
  "outreach programs for homeless people tender",
  "data extraction and records digitization services",
  "dump truck purchase",
  "garbage dump closure",
  "download speed upgrade for rural internet",
  "invitation to tender for roofing",
  "standing offer list for translation",
  "dataset labelling services",
  "public engagement and community outreach services",
  "appel d'offres pour le déneigement à Montréal",
  "agrandissement d'un centre d'appels",
  "sécurité du courriel, logiciel",
  "entreprises qui veulent exporter des produits laitiers",
  "terminal d'exportation de céréales",
  "plateforme de données clients",
  "système téléphonique, demande de propositions",
  "fabricant de lentilles de contact",
  "migration d'une base de données",
  "services de publipostage",
  "réseau de personnes-ressources en santé",
  "coordonnées géographiques, services de cartographie",
  "appel à projets de recherche",
  "call centre companies",
  "phone companies in Canada",
  "text analytics companies",
  "email marketing companies",
  "mobile phones for employees tender",
  "staff email migration",
  "staff phones replacement",
  "how to reach net zero, consulting",
  "migrate the entire database to the cloud",
  "leak detection on all pipes in the system",
  "companies that import and export all kinds of lumber",
  "logiciel pour exporter les données cliniques",
  "remplacement des téléphones des employés",
  "hospitals that reach out to patients",
  "full service restaurants opening",
  "names of companies building solar farms",
  "who are the suppliers of steel expanding in Texas",
  "complete street lighting replacement",
  ..."contact lens|email marketing|records management|dataset labelling|all firms here".split("|"),
  ..."companies that list all prices|list all companies hiring welders|all companies".split("|"),
  ..."companies hiring sales managers to call on customers|contacts for motor starters".split("|"),
];

for (const [reason, queries] of Object.entries({ CONTACT_DATA, OUTREACH, EXPORTS })) {
  Deno.test(`refuseUnsupported() refuses ${reason.toLowerCase().replace("_", " ")}`, () => {
    const parts = { CONTACT_DATA: "contact data", OUTREACH: "contact anybody", EXPORTS: "exports" };
    for (const query of queries) {
      const part = parts[reason as keyof typeof parts];
      assert.throws(
        () => refuse(query),
        (failure) => {
          assert(failure instanceof Failure, query);
          assert.equal(failure.code, "unsupported_request");
          assert(failure.message.includes(part), `${query}: ${failure.message}`);
          return true;
        },
        query,
      );
    }
  });
}

Deno.test("refuseUnsupported() has no false positives for supported queries", () => {
  const refused = SUPPORTED.filter((query) => {
    try {
      refuse(query);
      return read(query).units.length === 0;
    } catch {
      return true;
    }
  });
  assert.deepEqual(refused, []);
});

Deno.test("refuseNegationAlone() refuses a query that only excludes, unless it has filters", () => {
  const refusal = { name: "Failure", code: "unsupported_request" };
  for (const query of ["not construction", "companies not roofing", "except Acme"]) {
    for (const filters of [{}, { exclude_domains: ["a.example"], exclude_company_ids: [7] }]) {
      const normalized = normalizeFilters(filters);
      assert.throws(() => refuseNegationAlone(read(query), normalized), refusal, query);
    }
    refuseNegationAlone(read(query), normalizeFilters({ countries: ["CA"] }));
    refuseNegationAlone(read(`Ontario cranes, ${query}`), ANYTHING);
  }
});

Deno.test("readQuestion() keeps content words and names, and marks words that only frame", () => {
  assert.deepEqual(termsOf("Find companies expanding a Warehouse in Québec"), [
    "expanding",
    "warehouse",
    "québec",
  ]);
  assert.deepEqual(termsOf("who needs printed envelopes"), ["printed", "envelopes"]);
  assert.deepEqual(termsOf("firms needed, looking for looms"), ["looms"]);
  assert.deepEqual(termsOf("cherche des entreprises qui ont besoin de grues"), ["grues"]);
  assert.deepEqual(termsOf("organic données"), ["organic", "données"]);
  assert.deepEqual(termsOf("IT services"), ["it", "services"]);
  assert.deepEqual(termsOf("the of and"), []);
  assert.deepEqual(termsOf("€ !!! —"), []);
});

Deno.test("readQuestion() is fast for every query, and bounds the number of units", () => {
  const hostile = ["find ", "give me all the ", "emails of the ", "and then ", "envoyer un "]
    .map((text) => normalizeQuery(text.repeat(500).slice(0, 500)));
  const query = fc.oneof(
    fc.string({ unit: "binary", maxLength: 500 }),
    fc.constantFrom(...hostile),
  );
  fc.assert(fc.property(query, (query) => {
    assert(soon(1_000, () => termsOf(query)).length <= 48);
  }));
});

Deno.test("normalizeQuery() trims and composes, and is idempotent", () => {
  assert.equal(normalizeQuery(" \n\tQue\u0301bec\u00a0"), "Qu\u00e9bec");
  assert.equal([...normalizeQuery("😀".repeat(500))].length, 500);
  assert.equal(normalizeQuery("\ufdfa".repeat(27)), "\ufdfa".repeat(27));
  fc.assert(fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 100 }), (text) => {
    fc.pre(text.trim() !== "" && text.isWellFormed() && !text.includes("\0"));
    const query = normalizeQuery(text);
    assert.equal(normalizeQuery(query), query);
    assert.equal(normalizeQuery(` ${text.normalize("NFD")}\n`), query);
  }));
});

Deno.test("normalizeQuery() refuses values other than texts of 1 to 500 characters", () => {
  const LIGATURES = "of which a ligature counts as all its letters";
  const cases: [unknown, string][] = [
    [undefined, "query: required, a text."],
    [null, "query: a text."],
    [12, "query: a text."],
    [["warehouse"], "query: a text."],
    ["", "query: 1 to 500 characters."],
    [" \n\u00a0 ", "query: 1 to 500 characters."],
    ["a".repeat(501), "query: 1 to 500 characters."],
    ["\ufdfa".repeat(28), `query: 1 to 500 characters, ${LIGATURES}.`],
    ["\ufb03".repeat(167), `query: 1 to 500 characters, ${LIGATURES}.`],
    ["a" + "\u0301\u0323".repeat(60_000), "query: 1 to 500 characters."],
    ["😀".repeat(501), "query: 1 to 500 characters."],
    ["a\ud800b", "query: valid Unicode text."],
    ["a\0b", "query: valid Unicode text."],
  ];
  for (const [raw, message] of cases) {
    assert.throws(() => normalizeQuery(raw), { name: "Failure", code: "invalid_search", message });
  }
});
