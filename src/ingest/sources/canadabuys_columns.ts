/** Columns of CanadaBuys tender notices that are read. Contact columns are not recorded. */

/** Columns of every file of tender notices. */
export const NOTICE_COLUMNS = {
  title: "title-titre-eng",
  title_fra: "title-titre-fra",
  reference: "referenceNumber-numeroReference",
  amendment: "amendmentNumber-numeroModification",
  solicitation: "solicitationNumber-numeroSollicitation",
  published: "publicationDate-datePublication",
  closing: "tenderClosingDate-appelOffresDateCloture",
  amended: "amendmentDate-dateModification",
  status: "tenderStatus-appelOffresStatut-eng",
  type: "noticeType-avisType-eng",
  method: "procurementMethod-methodeApprovisionnement-eng",
  category: "procurementCategory-categorieApprovisionnement",
  gsin: "gsinDescription-nibsDescription-eng",
  unspsc: "unspscDescription-eng",
  unspsc_codes: "unspsc",
  delivery: "regionsOfDelivery-regionsLivraison-eng",
  buyer: "contractingEntityName-nomEntitContractante-eng",
  buyer_fra: "contractingEntityName-nomEntitContractante-fra",
  url: "noticeURL-URLavis-eng",
  url_fra: "noticeURL-URLavis-fra",
  description: "tenderDescription-descriptionAppelOffres-eng",
  description_fra: "tenderDescription-descriptionAppelOffres-fra",
} as const;

/** Columns that older files lack. */
export const EXTRA_COLUMNS = {
  type_fra: "noticeType-avisType-fra",
  method_fra: "procurementMethod-methodeApprovisionnement-fra",
  criteria: "selectionCriteria-criteresSelection-eng",
  criteria_fra: "selectionCriteria-criteresSelection-fra",
  limited: "limitedTenderingReason-raisonAppelOffresLimite-eng",
  limited_fra: "limitedTenderingReason-raisonAppelOffresLimite-fra",
  agreements: "tradeAgreements-accordsCommerciaux-eng",
  agreements_fra: "tradeAgreements-accordsCommerciaux-fra",
  gsin_codes: "gsin-nibs",
  gsin_fra: "gsinDescription-nibsDescription-fra",
  unspsc_fra: "unspscDescription-fra",
  delivery_fra: "regionsOfDelivery-regionsLivraison-fra",
  opportunity: "regionsOfOpportunity-regionAppelOffres-eng",
  opportunity_fra: "regionsOfOpportunity-regionAppelOffres-fra",
  city: "contractingEntityAddressCity-entiteContractanteAdresseVille-eng",
  province: "contractingEntityAddressProvince-entiteContractanteAdresseProvince-eng",
  user: "endUserEntitiesName-nomEntitesUtilisateurFinal-eng",
  user_fra: "endUserEntitiesName-nomEntitesUtilisateurFinal-fra",
} as const;

/** All columns that are read. */
export const COLUMNS = { ...NOTICE_COLUMNS, ...EXTRA_COLUMNS } as const;

/** Columns without which a notice would be missing, misdated or taken for another kind. */
export const NEEDED_COLUMNS = [
  "title",
  "reference",
  "published",
  "closing",
  "amended",
  "status",
  "type",
  "buyer",
  "description",
] as const satisfies (keyof typeof COLUMNS)[];

/** The cells of one row, in which only the names of contact persons are masked. */
export type CanadaBuysNotice = Record<keyof typeof COLUMNS, string>;

/**
 * Columns that are read only to find contact persons, whose names are masked in the rest of the
 * row.
 */
export const CONTACT_COLUMNS = [
  "contactInfoName-informationsContactNom",
  "contactInfoEmail-informationsContactCourriel",
] as const;
