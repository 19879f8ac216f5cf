/** Common words for the sectors of NAICS 2022. The French words are from Statistics Canada. */
import type { Sector } from "../../contract/vocabulary.ts";
import { patternsOf } from "../facets/patterns.ts";

/**
 * Patterns of phrases that name a sector as a whole. Every record of the sector matches a query
 * with such a phrase, whatever words the record contains. Narrower words, such as "janitorial" or
 * "museums", are searched for, because not every record of the sector is about them.
 */
export const SECTOR_PATTERNS = patternsOf<Sector>({
  "11": [
    "agricultur(?:e|al); farm(?:s|ers?|ing)?; agribusiness(?:es)?",
    "agricoles?; agriculteurs?; fermes?",
  ],
  "21": ["mining; miners?; mines?; minier(?:e|es|s)?; extraction"],
  "22": [
    "utilit(?:y|ies); energy (?:producers?|compan(?:y|ies)); services publics; energie",
    "(?:[\\p{L}]+ or [\\p{L}]+ )?power producers?",
  ],
  "23": ["construction; builders?; contractors?; constructeurs?; entrepreneurs? generaux?"],
  "31-33": [
    "manufactur(?:er|ers|ing|es); factor(?:y|ies); makers?; industrial producers?",
    "manufacturi(?:er|ers|ere|eres); fabricants?; fabrication; usines?",
  ],
  "42": ["wholesal(?:e|ers?|ing); wholesale trade; gross(?:iste|istes); commerce de gros"],
  "44-45": ["retail(?:ers?|ing)?; detaill?ants?; commerces? de detail"],
  "48-49": [
    "transport(?:ation|ers?)?; logistics; carriers?; transports?; transporteurs?; logistique",
    "trucking and logistics; transportation and warehousing; transport et entreposage",
  ],
  "51": [
    "information (?:industry|sector); tech(?:nology)? (?:compan(?:y|ies)|firms?)",
    "entreprises? de technologies?; technos?",
  ],
  "52": [
    "financ(?:e|ial)(?: services?| institutions?| firms?)?; finances?; institutions? financieres?",
    "services? financiers?",
  ],
  "53": ["real estate; immobili(?:er|ers|ere|eres)"],
  "54": ["professional services; services? professionnels?"],
  "55": ["holding compan(?:y|ies); holdings?; societes? de portefeuille; societes? de gestion"],
  "56": ["administrative services; services administratifs"],
  "61": [
    "educat(?:ion|ional|ors?); schools?; (?:colleges?|universit(?:y|ies)) and schools?",
    "colleges and universities; schools and colleges; universities and colleges",
    "enseignement; education; etablissements? d enseignement; ecoles et colleges",
  ],
  "62": [
    "health ?care(?: providers?)?; health(?: services?)?; hospitals and clinics",
    "(?:etablissements? de |services? de |soins de )?sante; hopitaux et cliniques",
  ],
  "71": [
    "arts and entertainment; entertainment; recreation; spectacles?; loisirs; divertissements?",
  ],
  "72": [
    "accommodations?; food services?; hospitality; hotels and restaurants; restaurants and hotels",
    "hebergement; restauration; hotels et restaurants; restaurants et hotels",
  ],
  "81": ["personal services; services personnels"],
  "92": [
    "public (?:administration|bod(?:y|ies)|sector|authorit(?:y|ies)); governments?",
    "municipal(?:ity|ities)?; cit(?:y|ies) of; town of; local authorit(?:y|ies)",
    "administrations? publiques?; secteur public; gouvernements?; municipa(?:l|le|les|ux|lites?)",
    "villes?; organismes? publics?",
  ],
});
