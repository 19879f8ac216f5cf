import type { Kind } from "../contract/vocabulary.ts";
import type { Scene, Told } from "./demo_texts.ts";

/** As ENGLISH, for the companies of Quebec. Products and facilities carry their article. */
export const FRENCH: Record<Kind, readonly ((scene: Scene) => Told)[]> = {
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
      excerpt:
        `Nous cherchons un fournisseur pour environ ${s.count} unités : ${s.need}. Livraison ` +
        `à ${s.city}; le prix et le service en français sont évalués.`,
    }),
  ],
  facility_expansion: [
    (s) => ({
      fact: `${s.company} construit ${s.facility} à ${s.city}.`,
      why:
        `Un nouveau site exige de l'équipement et des entrepreneurs avant son ouverture, prévue ` +
        `dans ${s.months} mois.`,
      excerpt: `Le chantier de ${s.millions} millions de dollars créera ${s.count} emplois. ` +
        `${s.company} y offrira ${s.product}.`,
    }),
    (s) => ({
      fact: `${s.company} agrandit ses installations de ${s.city} pour offrir ${s.second_product}.`,
      why: `Un agrandissement de cette taille comprend d'ordinaire : ${s.need}.`,
      excerpt:
        `La Ville de ${s.city} a approuvé les plans. L'entreprise prévoit ${s.facility} et ` +
        `mettra en service ${s.technology} lors de la deuxième phase.`,
    }),
  ],
  funding_round: [
    (s) => ({
      fact: `${s.company} obtient ${s.millions} millions de dollars pour croître à ${s.city}.`,
      why: `Le financement est destiné à ${s.technology} et à l'équipement.`,
      excerpt:
        `Le tour de financement a été mené par ${s.partner} Capital. Les fonds serviront à ` +
        `offrir ${s.product} et à embaucher à ${s.city}.`,
    }),
  ],
  leadership_change: [
    (s) => ({
      fact: `${s.company} nomme une nouvelle directrice générale à ${s.city}.`,
      why: `Une nouvelle direction revoit souvent ses fournisseurs dans les six premiers mois.`,
      excerpt:
        `Le conseil d'administration de ${s.company} a choisi une dirigeante de ${s.partner}. ` +
        `Elle aura pour mandat d'implanter ${s.technology}.`,
    }),
    (s) => ({
      fact: `Le fondateur de ${s.company} cède la présidence à la relève.`,
      why: `Une succession rouvre souvent des contrats de longue date (${s.need}).`,
      excerpt:
        `Après ${s.count} ans, le fondateur se retire. La relève veut moderniser l'entreprise ` +
        `de ${s.city} et continuer d'offrir ${s.product}.`,
    }),
  ],
  product_launch: [
    (s) => ({
      fact: `${s.company} offre désormais ${s.second_product}.`,
      why: `Une nouvelle gamme crée des besoins : ${s.need}, distribution.`,
      excerpt: `Dès ce mois-ci, l'entreprise de ${s.city} propose ${s.second_product}, après ` +
        `${s.months} mois de mise au point.`,
    }),
  ],
  partnership: [
    (s) => ({
      fact: `${s.company} s'associe à ${s.partner} au Québec.`,
      why: `Une offre commune exige des systèmes partagés, notamment : ${s.technology}.`,
      excerpt:
        `L'entente de ${s.months} mois permettra aux deux partenaires d'offrir ${s.product} à ` +
        `partir de ${s.city}.`,
    }),
  ],
  technology_use: [
    (s) => ({
      fact: `${s.company} utilise la technologie suivante à ${s.city} : ${s.technology}.`,
      why: `Les utilisateurs achètent l'entretien, l'intégration et les mises à niveau.`,
      excerpt:
        `Notre équipe de ${s.city} s'appuie chaque jour sur cet outil (${s.technology}) pour ` +
        `offrir ${s.product}.`,
    }),
  ],
  job_posting: [
    (s) => ({
      fact: `${s.company} recrute à ${s.city} : ${s.role}.`,
      why: `L'offre d'emploi indique une croissance des activités.`,
      excerpt: `Poste permanent à temps plein : ${s.role}. Vous aimez offrir ${s.product}; la ` +
        `connaissance de l'outil ${s.technology} est un atout.`,
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
      fact: `${s.company}, de ${s.city} au Québec, offre ${s.product} et ${s.second_product}.`,
      why: `Décrit l'activité de l'entreprise, sans intention d'achat.`,
      excerpt: `Établie à ${s.city}, l'entreprise de ${s.count} employés offre ${s.product} et ` +
        `${s.second_product} partout au Québec.`,
    }),
  ],
};
