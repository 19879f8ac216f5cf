import type { Wanted } from "./demo_judge.ts";
import { COLD } from "./demo_questions_en.ts";

/** French questions with their criteria: see demo_questions.ts. */
export const FRENCH: [string, Wanted][] = [
  ["appels d'offres pour la réfrigération au Canada", {
    kinds: ["procurement_request"],
    about: COLD,
    country: "CA",
  }],
  ["entreprises manufacturières qui agrandissent leur usine", {
    kinds: ["facility_expansion"],
    sectors: ["31-33"],
  }],
  ["levées de fonds depuis mars", { kinds: ["funding_round"], after: "2026-03-01" }],
  ["offres d'emploi pour infirmières", { kinds: ["job_posting"], about: /nurse|infirmi/i }],
  ["qui cherche un fournisseur de convoyeurs ?", {
    kinds: ["procurement_request"],
    about: /conveyor|convoyeurs|sorter belts/i,
  }],
  ["municipalités qui achètent des camions d'incendie", {
    kinds: ["procurement_request"],
    sectors: ["92"],
    about: /camions d'incendie|fire engines/i,
  }],
  ["hôtels et restaurants en expansion, sauf les traiteurs", {
    kinds: ["facility_expansion"],
    sectors: ["72"],
    not: /traiteur|catering/i,
  }],
  ["nouveaux PDG dans les assurances", {
    kinds: ["leadership_change"],
    trade: /Assurances|Insurance/,
  }],
  ["entreprises américaines du secteur de la construction", { sectors: ["23"], country: "US" }],
  ["serres et vergers du Québec", { region: /Québec/, trade: /Serres|Vergers/ }],
  ["demandes explicites de services de traduction", {
    kinds: ["procurement_request"],
    about: /traduction|translation/i,
  }],
  ["lancements de produits au dernier trimestre", {
    kinds: ["product_launch"],
    after: "2026-01-01",
    before: "2026-04-01",
  }],
  ["logiciels de paie", { about: /logiciels de paie|payroll software/i }],
  ["partenariats dans les transports", { kinds: ["partnership"], sectors: ["48-49"] }],
  ["appels d'offres des municipalités, sans déneigement", {
    kinds: ["procurement_request"],
    sectors: ["92"],
    not: /déneigement|snow clearing|sel de voirie|road salt/i,
  }],
  ["« entrepôt frigorifique »", { about: /entrepôt frigorifique/i, near: COLD }],
  ["minières qui embauchent des géologues", {
    kinds: ["job_posting"],
    sectors: ["21"],
    about: /géologue|geologist/i,
    near: /engineer|ingénieur|metallurgist|métallurgiste/i,
  }],
  ["compagnies d'énergie éolienne ou hydroélectrique", {
    sectors: ["22"],
    trade: /Énergie|Hydro|Power/,
  }],
  ["financement obtenu par des entreprises de technologie aux États-Unis", {
    kinds: ["funding_round"],
    sectors: ["51"],
    country: "US",
  }],
  ["nouvelles usines depuis 90 jours", {
    kinds: ["facility_expansion"],
    after: "2026-03-17",
    about: /usine|plant\b|factory/i,
  }],
  ["établissements de santé qui lancent des appels d'offres", {
    kinds: ["procurement_request"],
    sectors: ["62"],
  }],
  ["écoles de pilotage : simulateurs de vol", { sectors: ["61"], about: /simulat/i }],
  ["recrutement de mécaniciens, sauf dans l'automobile", {
    kinds: ["job_posting"],
    about: /mécanicien|mechanic/i,
    not: /automobile|electric vehicle repair|véhicules électriques/i,
  }],
  ["détaillants qui ouvrent un nouveau magasin", {
    kinds: ["facility_expansion"],
    sectors: ["44-45"],
  }],
  ["changements de direction au Québec depuis le début de l'année", {
    kinds: ["leadership_change"],
    region: /Québec/,
    after: "2026-01-01",
  }],
  ["emballages pour la transformation alimentaire", { about: /emballages|packaging/i }],
  ["grossistes cherchant des palettiers", {
    kinds: ["procurement_request"],
    sectors: ["42"],
    about: /palettiers|\bracking/i,
    near: /shelving|chariots|réfrigération/i,
  }],
  ["recyclage et matières résiduelles, appels d'offres ouverts", {
    kinds: ["procurement_request"],
    trade: /Recycl/,
  }],
  ["qui utilise des drones d'arpentage ?", {
    kinds: ["technology_use"],
    about: /drone/i,
    near: /lidar|survey/i,
  }],
  ["musées et théâtres aux États-Unis", { country: "US", trade: /Museums|Theatres/ }],
  ["offres d'emploi pour agents de sécurité", {
    kinds: ["job_posting"],
    about: /agent de sécurité|security guard/i,
    near: /opérations|operations manager/i,
  }],
  ["cabinets d'ingénierie et laboratoires qui recrutent", {
    kinds: ["job_posting"],
    trade: /Engineering|Ingénierie|Laborat/,
  }],
  ["immobilier : agrandissements au Canada en 2026", {
    kinds: ["facility_expansion"],
    sectors: ["53"],
    country: "CA",
    after: "2026-01-01",
  }],
  ["quoi de neuf chez twin-harbour.example", { hostname: "twin-harbour.example" }],
  ["institutions financières : demandes de propositions pour la détection de fraude", {
    kinds: ["procurement_request"],
    sectors: ["52"],
    about: /fraud/i,
    near: /identity|identité/i,
  }],
  ["usines de produits alimentaires, appels d'offres des 60 derniers jours", {
    kinds: ["procurement_request"],
    trade: /Aliments|Frozen Foods/,
    after: "2026-04-16",
  }],
];
