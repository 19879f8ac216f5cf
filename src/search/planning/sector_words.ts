/**
 * What people call the sectors of NAICS 2022 (phrases: see reading.ts): words of their titles, in
 * French those of Statistics Canada, and everyday names of those who belong to them.
 */
import type { Sector } from "../../contract/vocabulary.ts";

export const SECTOR_WORDS: Readonly<Record<Sector, readonly string[]>> = {
  "11": [
    "agricultur(?:e|al); farm(?:s|ers?|ing)?; forestry; fishing; fisher(?:y|ies)",
    "dairy farms?",
    "agricoles?; agriculteurs?; fermes?; foresterie; forestieres?; peche(?:ries?)?",
  ],
  "21": [
    "mining; miners?; mines?; quarr(?:y|ies|ying); oil and gas; oil gas",
    "minier(?:e|es|s)?; mines?; carrieres de pierre; extraction; petrole(?: et gaz)?",
  ],
  "22": [
    "utilit(?:y|ies); power (?:producers?|compan(?:y|ies)|generation|plants?); electricity; hydro; wind power",
    "water utilit(?:y|ies); natural gas distribution; energy (?:producers?|compan(?:y|ies))",
    "services publics; electricite; hydroelectri(?:que|ques|cite); eolien(?:ne|nes|s)?; energie",
  ],
  "23": [
    "construction; builders?; contractors?; civil works; homebuilders?",
    "construction; constructeurs?; entrepreneurs? generaux?",
  ],
  "31-33": [
    "manufactur(?:er|ers|ing|es); factor(?:y|ies); makers?; industrial producers?; food process(?:ing|ors?)",
    "manufacturi(?:er|ers|ere|eres); fabricants?; fabrication; transformation alimentaire",
  ],
  "42": [
    "wholesal(?:e|ers?|ing); distributors?; wholesale trade",
    "gross(?:iste|istes); commerce de gros; distributeurs?",
  ],
  "44-45": [
    "retail(?:ers?|ing)?; stores?; shops?; grocer(?:y|ies|s)?; supermarkets?; pharmac(?:y|ies); hardware stores?",
    "detaill?ants?; commerces? de detail; magasins?; boutiques?; epiceries?; pharmacies?; quincailleries?",
  ],
  "48-49": [
    "transport(?:ation|ers?)?; trucking; truckers?; logistics; freight; warehousing; carriers?; rail(?:ways?|roads?)?",
    "shipping; ports?; airlines?; couriers?",
    "transports?; transporteurs?; camionnage; camionneurs; logistique; entreposage; ferroviaires?; messageries?",
  ],
  "51": [
    "software (?:compan(?:y|ies)|firms?|makers?|vendors?); information (?:industry|sector); telecom(?:s|munications)?",
    "media(?: compan(?:y|ies))?; broadcasters?; publishers?; data cent(?:er|re)s?; tech(?:nology)? (?:compan(?:y|ies)|firms?)",
    "game studios?; broadband",
    "editeurs? de logiciels?; medias?; telecommunications?; centres? de donnees; entreprises? de technologies?; technos?",
  ],
  "52": [
    "financ(?:e|ial)(?: services?| institutions?| firms?)?; insur(?:ance|ers?); banks?; banking; credit unions?; fintechs?",
    "payments? (?:compan(?:y|ies)|processors?|firms?); pensions?; lenders?",
    "assur(?:ances?|eurs?); banques?; institutions? financieres?; services? financiers?; caisses? populaires?",
    "finances?; cooperatives? de credit; regimes? de retraite",
  ],
  "53": [
    "real estate; realt(?:y|ors?); property (?:managers?|developers?|compan(?:y|ies)); landlords?; leasing compan(?:y|ies)",
    "equipment rentals?; self storage",
    "immobili(?:er|ers|ere|eres); location (?:d equipements?|de vehicules); gestionnaires? immobiliers?",
  ],
  "54": [
    "professional services; scientific; engineering (?:firms?|compan(?:y|ies)|services); consult(?:ing|ants?|anc(?:y|ies))",
    "architects?; architecture firms?; laborator(?:y|ies); labs?; law firms?; accountants?; surveyors?; surveying",
    "services? professionnels?; ingenierie; genie conseil; cabinets?; architectes?; laboratoires?; arpent(?:eurs?|age)",
  ],
  "55": [
    "holding compan(?:y|ies); holdings?; head offices?; management of companies; conglomerates?",
    "societes? de portefeuille; sieges? soci(?:al|aux); societes? de gestion",
  ],
  "56": [
    "administrative services; waste(?: management)?; recycl(?:ing|ers?); remediation; staffing(?: agenc(?:y|ies))?",
    "janitorial; facility services; security (?:compan(?:y|ies)|firms?|guards?|services)",
    "matieres residuelles; dechets; recyclage; recycleurs?; assainissement; agences? de placement",
    "entretien menager; agen(?:ts?|ces?) de securite; services administratifs",
  ],
  "61": [
    "educat(?:ion|ional|ors?); schools?; colleges?; universit(?:y|ies); training (?:providers?|schools?|compan(?:y|ies))",
    "enseignement; education; ecoles?; colleges?; cegeps?; universites?; etablissements? d enseignement",
  ],
  "62": [
    "health ?care; health(?: services?)?; hospitals?; clinics?; dentists?; dental; nursing homes?; senior (?:living|care)",
    "social assistance; medical (?:centers?|centres?|clinics?)",
    "sante; soins de sante; hopita(?:l|ux); cliniques?; residences? pour aines; dentistes?; assistance sociale",
  ],
  "71": [
    "arts; entertainment; recreation; museums?; theat(?:re|er)s?; arenas?; ski (?:resorts?|hills?); amusement",
    "arts?; spectacles?; loisirs; musees?; theatres?; arenas?; stations? de ski; divertissements?",
  ],
  "72": [
    "accommodations?; food services?; hotels?; restaurants?; cafes?; cater(?:ing|ers?); hospitality; lodg(?:es?|ing); diners?",
    "hebergement; restauration; hotell?(?:erie|iers?)?; hotels?; restaurants?; restaurateurs?; traiteurs?; auberges?; cafes?",
  ],
  "81": [
    "(?:auto|car|vehicle|appliance) repairs?(?: shops?)?; garages?; laundr(?:y|ies); dry cleaners?; pet care; personal services",
    "garages?; reparation (?:automobile|d autos?|d electromenagers); buanderies?; nettoyeurs?; services personnels",
  ],
  "92": [
    "public (?:administration|bod(?:y|ies)|sector); governments?; municipal(?:ity|ities)?; cit(?:y|ies) of; town of",
    "public authorit(?:y|ies); agencies of government; local authorit(?:y|ies)",
    "administrations? publiques?; secteur public; gouvernements?; municipa(?:l|le|les|ux|lites?); villes?; organismes? publics?",
  ],
};

/** The word of a sector's title that tells it: documents are labelled with titles, in English. */
export const SECTOR_NAMES: Readonly<Partial<Record<Sector, string>>> = {
  "11": "agriculture",
  "21": "mining",
  "22": "utilities",
  "23": "construction",
  "31-33": "manufacturing",
  "42": "wholesale",
  "44-45": "retail",
  "48-49": "transportation",
  "51": "information",
  "52": "finance",
  "53": "estate",
  "54": "scientific",
  "55": "enterprises",
  "56": "remediation",
  "61": "educational",
  "62": "health",
  "71": "arts",
  "72": "accommodation",
  "92": "administration",
};
