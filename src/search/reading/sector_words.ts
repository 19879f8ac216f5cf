/** Common words for the sectors of NAICS 2022. The French words are from Statistics Canada. */
import type { Sector } from "../../contract/vocabulary.ts";
import { anyOf, patternsOf } from "./passages.ts";

/**
 * Pattern of words for sectors and for parts of them. A negation of such a word, even with
 * "without", is a definite exclusion. See `certain` in readNegations().
 */
export const SECTOR_PATTERN = new RegExp(
  anyOf(
    "agricultur(?:e|al); farm(?:s|ers?|ing)?; forestry; fishing; fisher(?:y|ies)",
    "dairy farms?",
    "agricoles?; agriculteurs?; fermes?; foresterie; forestieres?; peche(?:ries?)?",
    "mining; miners?; mines?; quarr(?:y|ies|ying); oil and gas; oil gas",
    "minier(?:e|es|s)?; carrieres de pierre; extraction; petrole(?: et gaz)?",
    "utilit(?:y|ies); power (?:producers?|compan(?:y|ies)|generation|plants?); electricity; hydro; wind power",
    "water utilit(?:y|ies); natural gas distribution; energy (?:producers?|compan(?:y|ies))",
    "services publics; electricite; hydroelectri(?:que|ques|cite); eolien(?:ne|nes|s)?; energie",
    "construction; builders?; contractors?; civil works; homebuilders?",
    "constructeurs?; entrepreneurs? generaux?",
    "manufactur(?:er|ers|ing|es); factor(?:y|ies); makers?; industrial producers?; food process(?:ing|ors?)",
    "manufacturi(?:er|ers|ere|eres); fabricants?; fabrication; transformation alimentaire",
    "wholesal(?:e|ers?|ing); distributors?; wholesale trade",
    "gross(?:iste|istes); commerce de gros; distributeurs?",
    "retail(?:ers?|ing)?; stores?; shops?; grocer(?:y|ies|s)?; supermarkets?; pharmac(?:y|ies); hardware stores?",
    "detaill?ants?; commerces? de detail; magasins?; boutiques?; epiceries?; pharmacies?; quincailleries?",
    "transport(?:ation|ers?)?; trucking; truckers?; logistics; freight; warehousing; carriers?; rail(?:ways?|roads?)?",
    "shipping; ports?; airlines?; couriers?",
    "transports?; transporteurs?; camionnage; camionneurs; logistique; entreposage; ferroviaires?; messageries?",
    "software (?:compan(?:y|ies)|firms?|makers?|vendors?); information (?:industry|sector); telecom(?:s|munications)?",
    "media(?: compan(?:y|ies))?; broadcasters?; publishers?; data cent(?:er|re)s?; tech(?:nology)? (?:compan(?:y|ies)|firms?)",
    "game studios?; broadband",
    "editeurs? de logiciels?; medias?; telecommunications?; centres? de donnees; entreprises? de technologies?; technos?",
    "financ(?:e|ial)(?: services?| institutions?| firms?)?; insur(?:ance|ers?); banks?; banking; credit unions?; fintechs?",
    "payments? (?:compan(?:y|ies)|processors?|firms?); pensions?; lenders?",
    "assur(?:ances?|eurs?); banques?; institutions? financieres?; services? financiers?; caisses? populaires?",
    "finances?; cooperatives? de credit; regimes? de retraite",
    "real estate; realt(?:y|ors?); property (?:managers?|developers?|compan(?:y|ies)); landlords?; leasing compan(?:y|ies)",
    "equipment rentals?; self storage",
    "immobili(?:er|ers|ere|eres); location (?:d equipements?|de vehicules); gestionnaires? immobiliers?",
    "professional services; scientific; engineering (?:firms?|compan(?:y|ies)|services); consult(?:ing|ants?|anc(?:y|ies))",
    "architects?; architecture firms?; laborator(?:y|ies); labs?; law firms?; accountants?; surveyors?; surveying",
    "services? professionnels?; ingenierie; genie conseil; cabinets?; architectes?; laboratoires?; arpent(?:eurs?|age)",
    "holding compan(?:y|ies); holdings?; head offices?; management of companies; conglomerates?",
    "societes? de portefeuille; sieges? soci(?:al|aux); societes? de gestion",
    "administrative services; waste(?: management)?; recycl(?:ing|ers?); remediation; staffing(?: agenc(?:y|ies))?",
    "janitorial; facility services; security (?:compan(?:y|ies)|firms?|guards?|services)",
    "matieres residuelles; dechets; recyclage; recycleurs?; assainissement; agences? de placement",
    "entretien menager; agen(?:ts?|ces?) de securite; services administratifs",
    "educat(?:ion|ional|ors?); schools?; colleges?; universit(?:y|ies); training (?:providers?|schools?|compan(?:y|ies))",
    "enseignement; education; ecoles?; cegeps?; universites?; etablissements? d enseignement",
    "health ?care; health(?: services?)?; hospitals?; clinics?; dentists?; dental; nursing homes?; senior (?:living|care)",
    "social assistance; medical (?:centers?|centres?|clinics?)",
    "sante; soins de sante; hopita(?:l|ux); cliniques?; residences? pour aines; dentistes?; assistance sociale",
    "arts; entertainment; recreation; museums?; theat(?:re|er)s?; arenas?; ski (?:resorts?|hills?); amusement",
    "arts?; spectacles?; loisirs; musees?; theatres?; stations? de ski; divertissements?",
    "accommodations?; food services?; hotels?; restaurants?; cafes?; cater(?:ing|ers?); hospitality; lodg(?:es?|ing); diners?",
    "hebergement; restauration; hotell?(?:erie|iers?)?; restaurateurs?; traiteurs?; auberges?",
    "(?:auto|car|vehicle|appliance) repairs?(?: shops?)?; garages?; laundr(?:y|ies); dry cleaners?; pet care; personal services",
    "reparation (?:automobile|d autos?|d electromenagers); buanderies?; nettoyeurs?; services personnels",
    "public (?:administration|bod(?:y|ies)|sector); governments?; municipal(?:ity|ities)?; cit(?:y|ies) of; town of",
    "public authorit(?:y|ies); agencies of government; local authorit(?:y|ies)",
    "administrations? publiques?; secteur public; gouvernements?; municipa(?:l|le|les|ux|lites?); villes?; organismes? publics?",
  ),
  "gu",
);

/**
 * Patterns of phrases that name a sector as a whole. Every record of the sector matches a query
 * with such a phrase, whatever words the record contains. Narrower words, such as "janitorial" or
 * "museums", are searched for, because not every record of the sector is about them.
 */
export const WHOLE_SECTOR_PATTERNS = patternsOf<Sector>({
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
