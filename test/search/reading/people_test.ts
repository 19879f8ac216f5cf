import { readsAll } from "./asked.ts";

Deno.test("resolve() reads queries for workers as job postings", () => {
  readsAll({
    "companies looking for truck drivers": "truck drivers; job_posting",
    "engineers wanted by hospitals": "engineers hospitals; job_posting",
    "factories needing certified welders": "factories welders; sector 31-33→0; job_posting",
    "recherche chauffeurs de camion": "chauffeurs camion; job_posting",
    "on recherche des infirmières": "infirmieres; job_posting",
    "camionneurs recherchés": "camionneurs; job_posting",
  });
});

Deno.test("resolve() reads queries for suppliers as procurement requests", () => {
  readsAll({
    "looking for snow removal contractors": "snow removal; procurement_request",
    "janitorial contractors wanted": "janitorial; procurement_request",
    "buyers of snow plows": "snow plows; procurement_request",
  });
});

Deno.test("resolve() reads no kind from queries for other things", () => {
  readsAll({
    "looking for cold storage": "cold storage",
    "recherche clinique": "recherche clinique",
    "vitamin research": "vitamin research",
  });
});

Deno.test("resolve() drops the verbs of a change of officers", () => {
  readsAll({
    "who hired a new chief financial officer": "role:cfo; leadership_change",
    "banks that replaced their CEO": "banks; role:ceo; leadership_change",
    "departure of directors at hospitals": "hospitals; role:director; leadership_change",
    "banques qui changent de PDG": "banque; role:ceo; leadership_change",
    "nouvelle directrice générale à Laval": "city:laval; leadership_change",
    "hiring plant managers": "plant managers; job_posting",
  });
});

Deno.test('resolve() keeps "news" as a trade, and drops it as a filler', () => {
  readsAll({
    "news startups": "news",
    "news and media companies": "news media",
    "online news": "online news",
    "news about snow removal": "snow removal",
    "latest news from banks": "banks",
  });
});
