/**
 * Questions about the demo dataset that name a narrow subject, together with words that many
 * records match: a kind, a country, a sector, a place.
 */
import type { Wanted } from "./demo_judge.ts";

/** Questions with their criteria. If no record mentions the subject, a good answer is empty. */
export const SUBJECT_QUESTIONS: readonly (readonly [text: string, wanted: Wanted])[] = [
  ["tenders for mass spectrometers in Canada", {
    about: /mass spectrometer|spectromètres de masse/i,
    near: /spectromet|spectromèt|chromatogr/i,
  }],
  ["municipalities buying road salt", {
    about: /road salt|sel de voirie/i,
    near: /snow (clearing|removal)|déneigement/i,
  }],
  ["bridge inspection tenders in Ontario", {
    about: /bridge inspection|inspection de ponts/i,
    near: /\bbridges?\b|\bponts?\b/i,
  }],
  ["American health companies with dialysis", { about: /dialys/i }],
  ["janitorial services contracts", {
    about: /janitorial|entretien ménager/i,
    near: /cleaning|cleaner|nettoyage|lavage de vitres/i,
  }],
  ["custodial companies hiring cleaners", {
    about: /janitorial|entretien ménager|\bcleaner/i,
    near: /cleaning|nettoyage|préposé à l'entretien/i,
  }],
  ["software companies that use Kubernetes", { about: /Kubernetes/i, near: /conteneurs/i }],
  ["vitamin D supplement makers in California", { about: /vitamin/i }],
  ["Series B funding for makers of lithium batteries", {
    about: /lithium/i,
    near: /batter/i,
  }],
  ["arenas purchasing ice resurfacers", { about: /ice resurfac/i }],
  ["dredging tenders of port authorities", { about: /dredg/i, near: /port authority|harbour/i }],
  ["RFPs for translation services", { about: /translation|traduction/i }],
  ["manufacturers in the United States hiring welding supervisors", {
    about: /welding|soud/i,
  }],
  ["elevator maintenance contracts for hotels", { about: /elevator|ascenseur/i }],
  ["submarine cable tenders", { about: /submarine/i }],
  ["appels d'offres pour des simulateurs de vol", {
    about: /simulateurs? de vol|flight simulat/i,
    near: /simulat/i,
  }],
  ["entreprises qui achètent des lave-vaisselle", { about: /dishwasher|lave-vaisselle/i }],
  ["contrats de déneigement au Québec", {
    about: /snow (removal|clearing)|déneigement/i,
    near: /road salt|sel de voirie/i,
  }],
  ["recrutement d'actuaires dans l'assurance", { about: /actuar|actuaire/i }],
  ["financement pour la physiothérapie sportive", { about: /physioth/i }],
];

/** Questions whose subject is a nonsense word. A good answer is empty. */
export const NONSENSE: readonly string[] = [
  "zzzqqq tenders",
  "qwxkzj",
  "appels d'offres pour wqxzvkj",
  "zzzqqq funding rounds in Canada",
  "manufacturers of brzlkwqx in the United States since January",
];
