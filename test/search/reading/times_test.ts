import assert from "node:assert/strict";
import type { Question } from "../../../src/search/reading/question.ts";
import { readQuery } from "../../../src/search/reading/read_query.ts";
import { ask, asksAll, textsOf } from "./asked.ts";

/**
 * Returns the period of a question as "after/before". Each side is a day or an instant, or empty if
 * the period has no such bound.
 */
function periodOf({ occurred: { after, before } }: Question): string {
  const short = (instant: string | null) =>
    instant?.replace("T00:00:00.000000Z", "").replace(".000000Z", "") ?? "";
  return `${short(after)}/${short(before)}`;
}

const readsAll = (cases: Record<string, string>) => asksAll(cases, periodOf);

Deno.test("readQuery() reads times in English", () => {
  readsAll({
    "cranes since March": "2026-03-01/",
    "cranes since march 2025": "2025-03-01/",
    "cranes since September": "2025-09-01/",
    "cranes since March 15": "2026-03-15/",
    "cranes since March 15, 2025": "2025-03-15/",
    "cranes since 2025": "2025-01-01/",
    "cranes since 2026-02-10": "2026-02-10/",
    "cranes after May": "2026-05-01/",
    "cranes in May": "2026-05-01/2026-06-01",
    "cranes in December": "2025-12-01/2026-01-01",
    "cranes in 2025": "2025-01-01/2026-01-01",
    "cranes before 2025": "/2025-01-01",
    "cranes before April": "/2026-04-01",
    "cranes from January to March": "2026-01-01/2026-04-01",
    "cranes between November and February": "2025-11-01/2026-03-01",
    "cranes in the last quarter": "2026-01-01/2026-04-01",
    "cranes last quarter": "2026-01-01/2026-04-01",
    "cranes this quarter": "2026-04-01/",
    "cranes in Q1": "2026-01-01/2026-04-01",
    "cranes Q4 2025": "2025-10-01/2026-01-01",
    "cranes last month": "2026-05-01/2026-06-01",
    "cranes last week": "2026-06-08/2026-06-15",
    "cranes this week": "2026-06-15/",
    "cranes last year": "2025-01-01/2026-01-01",
    "cranes this year": "2026-01-01/",
    "cranes past 30 days": "2026-05-16T12:00:00/",
    "cranes in the last three months": "2026-03-15T12:00:00/",
    "cranes over the past year": "2025-06-15T12:00:00/",
    "cranes since last fall": "2025-09-21/",
    "cranes since the beginning of the year": "2026-01-01/",
    "recent cranes": "2026-03-17T12:00:00/",
  });
});

Deno.test("readQuery() reads quarters by their ordinals", () => {
  readsAll({
    "cranes in the first quarter of 2012": "2012-01-01/2012-04-01",
    "cranes, 4th quarter 2010": "2010-10-01/2011-01-01",
    "cranes in the third quarter": "2025-07-01/2025-10-01",
    "cranes since the second quarter of 2024": "2024-04-01/",
    "cranes in 2012 Q3": "2012-07-01/2012-10-01",
  });
});

Deno.test("readQuery() reads times in French", () => {
  readsAll({
    "grues depuis mars": "2026-03-01/",
    "grues depuis le 15 mars 2025": "2025-03-15/",
    "grues depuis août": "2025-08-01/",
    "grues depuis 2025": "2025-01-01/",
    "grues en mai": "2026-05-01/2026-06-01",
    "grues en 2025": "2025-01-01/2026-01-01",
    "grues avant avril": "/2026-04-01",
    "grues de janvier à mars": "2026-01-01/2026-04-01",
    "grues, le dernier trimestre": "2026-01-01/2026-04-01",
    "grues au dernier trimestre": "2026-01-01/2026-04-01",
    "grues T4 2025": "2025-10-01/2026-01-01",
    "grues au deuxième trimestre 2013": "2013-04-01/2013-07-01",
    "grues, premier trimestre de 2012": "2012-01-01/2012-04-01",
    "grues le mois dernier": "2026-05-01/2026-06-01",
    "grues, la semaine dernière": "2026-06-08/2026-06-15",
    "grues l'an dernier": "2025-01-01/2026-01-01",
    "grues l'année dernière": "2025-01-01/2026-01-01",
    "grues cette année": "2026-01-01/",
    "grues ce mois-ci": "2026-06-01/",
    "grues des 30 derniers jours": "2026-05-16T12:00:00/",
    "grues au cours des trois derniers mois": "2026-03-15T12:00:00/",
    "grues depuis 90 jours": "2026-03-17T12:00:00/",
    "grues depuis l'automne": "2025-09-21/",
    "grues depuis le début de l'année": "2026-01-01/",
    "grues récemment": "2026-03-17T12:00:00/",
  });
});

Deno.test("readQuery() does not read other words as times", () => {
  readsAll({
    "companies that may expand": "/",
    "march barriers": "/",
    "sweet corn, second crop": "/",
    "mars chocolate": "/",
    "cranes in 2027": "/",
    "cranes since 2026-13-41": "/",
    "part 2025-B cranes": "/",
    "last mile delivery": "/",
    "livraison du dernier kilomètre": "/",
    "winter tires": "/",
    "in Marchmont": "/",
    "livraison en sept jours": "/",
    "cranes for 30 days": "/",
  });
});

Deno.test("readQuery() does not read a month in a name as a time", () => {
  readsAll({
    "cameras from March Networks": "/",
    "cameras in May Department Stores": "/",
    "cameras from March Networks since April": "2026-04-01/",
    "Cameras From March To April": "2026-03-01/2026-05-01",
    "Cameras Since March In Ontario": "2026-03-01/",
    "cameras since March Ontario": "2026-03-01/",
    "CAMERAS FROM MARCH NETWORKS": "2026-03-01/",
    "caméras depuis mars Montréal": "2026-03-01/",
    "caméras d'avant Mars Canada": "/",
    "cameras from March 3 Networks": "2026-03-03/",
  });
  assert.deepEqual(textsOf(ask("cameras from March Networks")), [
    "cameras",
    "march",
    "networks",
  ]);
});

Deno.test("readQuery() keeps a quarter without a cue as a word, because it may be a name", () => {
  assert.deepEqual(textsOf(ask("Q2 Holdings, Inc.")), ["q2", "holdings"]);
  assert.deepEqual(textsOf(ask("T2 Systems")), ["t2", "systems"]);
  assert.deepEqual(textsOf(ask("cranes in Q1")), ["cranes"]);
  assert.deepEqual(textsOf(ask("grues T4 2025")), ["grues"]);
});

Deno.test("readQuery() reads no past period from a closing date", () => {
  readsAll({
    "tenders closing before December": "/",
    "tenders closing in July": "/",
    "tenders closing this month": "/",
    "bids due before April 15": "/",
    "bids due on or before the 3rd of July": "/",
    "RFPs, deadline: in May": "/",
    "offers, closing date is in Q3": "/",
    "appels d'offres, date limite avant le 15 décembre": "/",
    "appels d'offres dont la clôture est en mai": "/",
    "appels d'offres, échéance : avant juillet": "/",
    "stores closed in May": "2026-05-01/2026-06-01",
    "magasins qui ferment en mai": "2026-05-01/2026-06-01",
    "seed rounds closed in March 2012": "2012-03-01/2012-04-01",
    "stores closing in the last 30 days": "2026-05-16T12:00:00/",
    "cranes before April 15": "/2026-04-15",
    "grues avant le 15 avril 2025": "/2025-04-15",
  });
  assert.deepEqual(textsOf(ask("tenders closing before December")), []);
});

Deno.test("readQuery() resolves relative times by the given time", () => {
  const read = (query: string, now: string) => periodOf(readQuery(query, new Date(now)).question);
  assert.equal(read("cranes last quarter", "2026-01-05T00:00:00Z"), "2025-10-01/2026-01-01");
  assert.equal(read("cranes last week", "2026-03-01T23:59:59Z"), "2026-02-16/2026-02-23");
  // One month before 31 March is the last day of February.
  assert.equal(read("cranes past 1 month", "2026-03-31T00:00:00Z"), "2026-02-28/");
});
