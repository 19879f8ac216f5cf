import type { Kind } from "../contract/vocabulary.ts";
import type { Scene, Template } from "./texts.ts";

/** French templates by kind. Inserted products, facilities and technologies begin with articles. */
export const FRENCH: Record<Kind, readonly Template[]> = {
  procurement_request: [
    (s) => ({
      fact: `${s.company} lance un appel d'offres à ${s.city} pour : ${s.need}.`,
      why: `L'acheteur invite les fournisseurs à soumissionner d'ici ${s.months} semaines.`,
      excerpt: `Appel d'offres : ${s.need}. Le contrat, d'une durée de ${s.months} mois, vise ` +
        `${s.facility}. Les soumissionnaires présentent trois mandats comparables.`,
    }),
    (s) => ({
      fact: `${s.company} cherche un fournisseur (${s.need}) dans la région de ${s.city}.`,
      why: `Demande ouverte : la portée, les quantités et l'échéance sont publiées.`,
      excerpt: `Nous cherchons un fournisseur : ${s.need}. Livraison à ${s.city}; le prix et le ` +
        `service en français sont évalués.`,
    }),
  ],
  facility_expansion: [
    (s) => ({
      fact: `${s.company} construit ${s.facility} à ${s.city}.`,
      why: `Un nouveau site exige de l'équipement et des entrepreneurs avant son ouverture, ` +
        `prévue dans ${s.months} mois.`,
      excerpt: `Le chantier de ${s.millions} millions de dollars créera ${s.count} emplois. ` +
        `${s.company} y offrira ${s.product}.`,
    }),
    (s) => ({
      fact: `${s.company} agrandit ses installations de ${s.city} pour offrir ${s.second_product}.`,
      why: `Un agrandissement de cette taille comprend d'ordinaire : ${s.need}.`,
      excerpt:
        `La Ville de ${s.city} a approuvé les plans. Le projet prévoit ${s.facility}, avec ` +
        `${s.technology} lors de la deuxième phase.`,
    }),
  ],
  funding_round: [
    (s) => ({
      fact: `${s.company} obtient ${s.millions} millions de dollars pour croître à ${s.city}.`,
      why: `Le financement servira à acquérir ${s.technology} et de l'équipement.`,
      excerpt:
        `Le tour de financement a été mené par ${s.investor}. Les fonds serviront à offrir ` +
        `${s.product} et à embaucher à ${s.city}.`,
    }),
  ],
  leadership_change: [
    (s) => ({
      fact: `${s.company} nomme une nouvelle directrice générale à ${s.city}.`,
      why: `Une nouvelle direction revoit souvent ses fournisseurs dans les six premiers mois.`,
      excerpt:
        `Le conseil d'administration ${de(s.company)} a choisi une dirigeante ${de(s.partner)}. ` +
        `Elle aura pour mandat de déployer ${s.technology}.`,
    }),
    (s) => ({
      fact: `Le ${headOf(s)} ${de(s.company)} cède sa place à la relève.`,
      why: `Une succession rouvre souvent des ententes de longue date (${s.need}).`,
      excerpt: `Après ${s.years} ans, le ${headOf(s)} se retire. La relève veut moderniser les ` +
        `installations de ${s.city} et continuer d'offrir ${s.product}.`,
    }),
  ],
  product_launch: [
    (s) => ({
      fact: `${s.company} offre désormais ${s.second_product}.`,
      why: `Une nouvelle gamme crée des besoins : ${s.need}, distribution.`,
      excerpt: `Dès ce mois-ci, l'équipe de ${s.city} propose ${s.second_product}, après ` +
        `${s.months} mois de mise au point.`,
    }),
  ],
  partnership: [
    (s) => ({
      fact: `${s.company} s'associe à ${s.partner} au Québec.`,
      why: `Une offre commune exige des systèmes partagés, notamment ${s.technology}.`,
      excerpt: `L'entente de ${s.months} mois permettra aux deux partenaires d'offrir ` +
        `${s.product} à partir de ${s.city}.`,
    }),
  ],
  technology_use: [
    (s) => ({
      fact: `${s.company} utilise ${s.technology} à ${s.city}.`,
      why: `Les utilisateurs achètent l'entretien, l'intégration et les mises à niveau.`,
      excerpt: `Notre équipe de ${s.city} emploie chaque jour ${s.technology} pour offrir ` +
        `${s.product}.`,
    }),
  ],
  job_posting: [
    (s) => ({
      fact: `${s.company} recrute à ${s.city} : ${s.role}.`,
      why: `L'offre d'emploi indique une croissance des activités.`,
      excerpt: `Poste permanent à temps plein : ${s.role}. Vous aimez offrir ${s.product} et ` +
        `travailler avec ${s.technology}.`,
    }),
    (s) => ({
      fact: `${s.company} affiche plusieurs postes (${s.role}) à ${s.city}.`,
      why: `Plusieurs embauches pour un même poste précèdent un nouveau quart ou un nouveau site.`,
      excerpt: `Nous embauchons : ${s.role}. Formation offerte, horaire de jour ou de soir, dans ` +
        `${s.facility} à ${s.city}.`,
    }),
  ],
  company_profile: [
    (s) => ({
      fact: `${s.company}, de ${s.city}, offre ${s.product} et ${s.second_product}.`,
      why: `Décrit l'activité de l'organisation, sans intention d'achat.`,
      excerpt: `Établie à ${s.city}, l'organisation de ${s.count} employés offre ${s.product} et ` +
        `${s.second_product} dans toute la province.`,
    }),
  ],
};

/** French templates, by kind, for the excerpt of a second page. */
export const FRENCH_MORE: Record<Kind, (scene: Scene) => string> = {
  procurement_request: (s) =>
    `Addenda : une visite des lieux est prévue à ${s.city} avant la clôture. Les réponses aux ` +
    `questions sont publiées.`,
  facility_expansion: (s) =>
    `Permis de construction : ${s.facility}, ${s.city}, valeur estimée de ${s.millions} millions ` +
    `de dollars. Demandeur : ${s.company}.`,
  funding_round: (s) =>
    `${s.company} compte pourvoir ${s.count} postes d'ici ${s.months} mois, a indiqué sa ` +
    `direction financière.`,
  leadership_change: (s) =>
    `Le changement prend effet dans ${s.months} semaines. ${s.company} continuera d'offrir ` +
    `${s.second_product}.`,
  product_launch: (s) =>
    `Bon de commande : premières livraisons à partir de ${s.city} d'ici ${s.months} semaines.`,
  partnership: (s) =>
    `Un bureau commun de ${s.count} personnes ouvrira à ${s.city}, ont annoncé les deux ` +
    `partenaires.`,
  technology_use: (s) =>
    `Conférence : ce que ${s.months} mois nous ont appris, et pourquoi nous achèterions d'abord ` +
    `de la formation.`,
  job_posting: (s) =>
    `Carrières chez ${s.company} : ${s.role}, ${s.city}. Les candidatures sont lues dès leur ` +
    `réception, pendant ${s.months} semaines.`,
  company_profile: (s) => `Nos lieux : ${s.city} (siège). Fondation : il y a ${s.years} ans.`,
};

/** Returns "de" and a name. "de" is elided before a vowel or a mute h ("haut" has no mute h). */
export function de(name: string): string {
  return /^(?!haut)[aeiouyhàâäéèêëîïôöùûü]/i.test(name) ? `d'${name}` : `de ${name}`;
}

function headOf({ is_public }: Scene): string {
  return is_public ? "directeur général" : "fondateur";
}
