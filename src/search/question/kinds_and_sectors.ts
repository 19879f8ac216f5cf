/**
 * Table of the phrases that name kinds of observations and whole sectors of NAICS 2022. The French
 * words for sectors are from Statistics Canada.
 */
import { KINDS, SECTOR_CODES } from "../../contract/vocabulary.ts";
import { patternsOf } from "../facets/patterns.ts";

/**
 * Pattern of occupations in English. It omits those whose work companies also buy as a service, such
 * as architects and inspectors.
 */
const OCCUPATION = "(?:" + [
  "accountants?|actuar(?:y|ies)|administrators?|analysts?|apprentices?|assemblers?|assistants?|attendants?",
  "bakers?|bookkeepers?|butchers?|caregivers?|carpenters?|cashiers?|chefs?|chemists?|clerks?|cooks?",
  "coordinators?|dentists?|developers?|dispatchers?|doctors?|drafters?|drillers?|drivers?|economists?",
  "editors?|educators?|electricians?|employees|engineers?|estimators?|foremen|foreman|gardeners?",
  "geologists?|hygienists?|interns?|interpreters?|journalists?|labou?rers?|lawyers?|librarians?",
  "machinists?|managers?|mechanics?|mechanists?|metallurgists?|millwrights?|nurses?|operators?",
  "paralegals?|paramedics?|pharmacists?|physicians?|physiotherapists?|pilots?|pipefitters?|plumbers?",
  "professors?|programmers?|receptionists?|representatives?|salespeople|scientists?|secretar(?:y|ies)",
  "specialists?|staff|students?|supervisors?|surveyors?|tailors?|teachers?|technicians?|technologists?",
  "tellers?|testers?|therapists?|trainees?|truckers?|veterinarians?|waiters?|welders?|workers?",
].join("|") + ")";

/** Pattern of occupations in French, without accents. */
const OCCUPATION_FR = "(?:" + [
  "acheteu(?:r|rs|se|ses)|actuaires?|adjointe?s?|agronomes?|analystes?|apprentie?s?|avocate?s?|bouchers?",
  "boulangers?|caissi(?:er|ers|ere|eres)|camionneu(?:r|rs|se|ses)|charpentiers?|chauffeu(?:r|rs|se|ses)|chimistes?",
  "commis|comptables?|conduct(?:eur|eurs|rice|rices)|contremaitres?|coordonnat(?:eur|eurs|rice|rices)",
  "couvreurs?|cuisini(?:er|ers|ere|eres)|dentistes?|developpeu(?:r|rs|se|ses)|econom(?:iste|istes)",
  "educat(?:eur|eurs|rice|rices)|electricien(?:s|ne|nes)?|employee?s?|enseignante?s?|ergotherapeutes?",
  "forestiers?|gerante?s?|geologues?|gestionnaires?|grutiers?|hygienistes?|infirmi(?:er|ers|ere|eres)",
  "ingenieure?s?|journaliers?|machinistes?|manoeuvres?|mecanicien(?:s|ne|nes)?|medecins?|menuisiers?",
  "metallurgistes?|operat(?:eur|eurs|rice|rices)|ouvri(?:er|ers|ere|eres)|pharmaciens?|pilotes?|plombiers?",
  "preposee?s?|professeure?s?|programmeurs?|receptionnistes?|repartit(?:eur|eurs|rice|rices)|representante?s?",
  "secretaires?|serveu(?:r|rs|se|ses)|soudeu(?:r|rs|se|ses)|specialistes?|stagiaires?|superviseure?s?",
  "techniciens?|techniciennes?|technologues?|travailleu(?:r|rs|se|ses)|vendeu(?:r|rs|se|ses)|veterinaires?",
].join("|") + ")";

const PLACE_EN =
  "(?:plants?|factor(?:y|ies)|facilit(?:y|ies)|sites?|warehouses?|stores?|shops?|offices?|" +
  "branch(?:es)?|locations?|buildings?|centers?|centres?|hotels?|restaurants?|campus(?:es)?|mines?|depots?|hubs?)";
const PLACE_FR =
  "(?:usines?|fabriques?|installations?|sites?|entrepots?|magasins?|boutiques?|bureaux?|" +
  "succursales?|batiments?|centres?|hotels?|restaurants?|mines?|locaux)";
/** Pattern of nouns for places that are more specific than "facility". */
export const PLACE_NOUN = new RegExp(
  "^(?:plants?|factor(?:y|ies)|warehouses?|stores?|shops?|branch(?:es)?|hotels?|restaurants?|" +
    "campus(?:es)?|mines?|depots?|usines?|fabriques?|entrepots?|magasins?|boutiques?|succursales?)$",
);
/** Pattern of the words between a verb and a place: "a new cold storage". */
const SOME_EN = "(?:(?:an?|the|its|their|new|second|more|several) ){0,3}((?:[a-z]+ ){0,2}?)";
const SOME_FR =
  "(?:(?:une?|des|de|la|le|les|l|leurs?|sa|son|ses|nouve(?:aux?|lles?|l)|deuxieme) ){0,3}";
const CHIEF =
  "(?:ceos?|cfos?|coos?|ctos?|cios?|chiefs?|presidents?|executives?|directors?|heads?|leaders?|" +
  "leadership|management|vps?|vice presidents?)";
const CHIEF_FR =
  "(?:pdg|dg|presidente?s?(?: direct(?:eurs?|rices?) gener(?:ale?s?|aux))?|direct(?:ion|eurs?|rices?)(?: gener(?:ale?s?|aux))?|dirigeante?s?|chefs?|cadres?)";
/** Pattern of words between a verb and an officer. */
const WHOM = "(?:(?:an?|the|its|their|a new|new|of|d|de|leurs?|son|sa|le|la|l|un|une) ){0,3}";
const SUPPLIER =
  "(?:suppliers?|vendors?|contractors?|bidders?|quotes?|quotations?|offers?|proposals?)";
/** Pattern of the words between a verb and an occupation: "an experienced". */
const QUALIFIED =
  "(?:(?:an?|the|to hire|new|more|some|several|many|qualified|experienced|skilled|certified|licensed) ){0,3}";
const QUALIFIED_FR = "(?:(?:des?|d|un|une|plusieurs|nouveaux|nouvelles|a embaucher) ){0,2}";

/**
 * Patterns by the kinds or the sector that they name. Every record of a kind or sector matches a
 * query with such a phrase, whatever words the record contains. Narrower words than those for a
 * sector, such as "janitorial" or "museums", are searched for, because not every record of the
 * sector is about them.
 */
const PATTERNS = patternsOf({
  procurement_request: [
    "tenders?; tendering; rfps?; rfqs?; rfis?; bids?; bidding; procurements?; solicitations?; sourcing",
    "requests? for (?:proposals?|quotes?|quotations?|bids?|tenders?|information|suppliers?)",
    `(?:(?:looking|searching|asking) for|seek(?:ing|s)?|need(?:ing|s)?|want(?:ing|s)?) (?:an? |new |more )?((?:[a-z]+ ){0,3}?)${SUPPLIER}`,
    `${SUPPLIER} (?:are |is )?(?:wanted|needed|sought|required)`,
    "buy; buys; buying; purchas(?:e|es|ing); procur(?:e|es|ing); standing offers?; supply contracts?",
    "contract opportunit(?:y|ies); (?:buyers?|purchasers?) of; acheteu(?:rs?|ses?) d(?:e|es|u)?",
    "(?:(?:lance(?:nt|r)?|publie(?:nt|r)?) (?:des |un |les |leurs? )?)?(?:avis d )?appels? d offres?; demandes? de (?:propositions?|prix|soumissions?|devis|qualification)",
    "soumissions?; soumissionner; marches? publics?; approvisionnements?; avis d achats?",
    "(?:cherche|cherchent|cherchant|recherche|recherchent|recherchant|a la recherche)(?: d| de| des| un| une| leurs?)*" +
    " (?:nouveaux? )?fournisseurs?",
    "achats?; achet(?:e|er|ent|ant|eurs?)",
  ],
  facility_expansion: [
    "(?:facilit(?:y|ies) )?expan(?:d|ds|ded|ding|sions?); enlarg(?:e|es|ing|ements?); relocat(?:e|es|ing|ions?)",
    `(?:open|opens|opening|opened|build|builds|building|built|construct|constructs|constructing) ${SOME_EN}${PLACE_EN}`,
    `new ((?:[a-z]+ ){0,2}?)${PLACE_EN}(?! (?:managers?|supervisors?|operators?|engineers?|workers?)); ${PLACE_EN} openings?; opening (?:of )?${PLACE_EN}`,
    `${PLACE_EN} (?:(?:are |is )?being |to be |newly |recently )?(?:built|constructed|expanded|enlarged)`,
    "building(?= (?:in|across|near) ); groundbreakings?; broke ground; breaking ground; building permits?",
    `agrandi(?:r|t|ssent|ssant) ${SOME_FR}${PLACE_FR}`,
    "agrandi(?:r|t|e|es|ssent|ssements?|ssant); expansions?; demenag(?:e|ent|er|ements?); implantations?",
    `(?:ouvre|ouvrent|ouvrir|ouvrant|construit|construisent|construire|batit|batissent|batir) ${SOME_FR}${PLACE_FR}`,
    `nouve(?:aux?|lles?) ${PLACE_FR}; ouvertures? d(?:e|es|u)? ?(?:nouve(?:aux?|lles?) )?${PLACE_FR}`,
  ],
  funding_round: [
    "funding; fundings; funded; financings?; fundrais(?:e|es|ing); venture capital; series [a-e]; seed rounds?",
    "(?:investment|funding|financing) rounds?; capital rais(?:e|es|ed|ing); loans? obtained",
    "rais(?:e|es|ed|ing) (?:[a-z$0-9.,]+ ){0,3}?(?:money|capital|funds|million|millions)",
    "levees?(?: de (?:fonds|capitaux))?; (?:rondes?|tours?) de (?:financement|table); capital de risque",
    "financements?; refinancements?; l(?:eve|event|ever) (?:[a-z0-9,]+ ){0,3}?(?:fonds|millions)",
  ],
  leadership_change: [
    `new (?:[a-z]+ )?${CHIEF}; ${CHIEF} (?:changes?|replaced|appointed|appointments?|succession|hires?)`,
    "resign(?:s|ed|ing|ations?)?; (?:officers?|executives?) (?:changes?|departures?|who left); stepp?(?:s|ed|ing)? down",
    "demissions?; demissionn(?:e|ent|er|aires?); departs? d(?:e|u|es)? (?:la|le|l)? ?direction",
    "leadership changes?; appoint(?:s|ed|ments?); successors?; succession; changes? of leadership",
    `(?:chang|replac|hir|nam)(?:e|es|ed|ing) ${WHOM}${CHIEF}; (?:chang|remplac)(?:e|ent|er|eant|ant) ${WHOM}${CHIEF_FR}`,
    `nouve(?:aux?|lles?|l) ${CHIEF_FR}; (?:changements?|remplacements?) (?:de|a la|de la) ${CHIEF_FR}`,
    "nominations?; nomm(?:e|es|ent|er|ant); releve de la direction; successions?",
  ],
  product_launch: [
    "product (?:launch(?:es)?|releases?|pilots?); new ((?:[a-z]+ )?)(?:products?|services|lines?|offerings?)",
    "launch(?:es|ed|ing)?",
    "lancements?(?: de (?:nouveaux )?(?:produits?|services?))?; nouveaux? produits?; nouvelles? gammes?",
    "lan(?:ce|cent|cant) (?:une?|de|des|leurs?|son|sa) (?:nouve(?:aux?|lles?) )?(?:produits?|gammes?)",
  ],
  partnership: [
    "partnerships?; partner(?:ing)? with; partnered; partnering; alliances?; joint ventures?; collaborations?",
    "partenariats?; coentreprises?; s associe(?:nt|r)?; ententes? avec",
    "(?:ententes?|accords?) (?:import|defini|signific|commercia)[a-z]+",
  ],
  technology_use: [
    "uses; (?:who|that|which|companies|firms|organizations) use; (?:companies|firms|organizations) using; users of; adopt(?:s|ed|ing|ion); tech(?:nology)? stack",
    "runs? on; deployed; implemented",
    "utilis(?:e|ent|ant|ateurs? d[eu]s?); utilisation; adopt(?:e|ent|ant); technologies? utilisees?",
  ],
  job_posting: [
    "hir(?:e|es|ing); jobs; job (?:postings?|openings?|offers?|ads?|listings?); vacanc(?:y|ies)",
    "recruit(?:s|ing|ment)?; careers?; open (?:positions?|roles?); openings for",
    "offres? d emplois?; emplois?; embauch(?:e|es|ent|er|ant); recrut(?:e|ent|er|ant|ements?)",
    "postes? (?:a pourvoir|vacants?|ouverts?); carrieres?",
    `(?:(?:looking|searching|hunting) for|seek(?:ing|s)?|need(?:ing|s)?|want(?:ing|s)?) ${QUALIFIED}((?:[a-z]+ ){0,2}?${OCCUPATION})`,
    `((?:[a-z]+ ){0,2}?${OCCUPATION}) (?:are |is )?(?:wanted|needed|sought)`,
    `(?:re)?cherch(?:e|ent|er|ant|ons) ${QUALIFIED_FR}((?:[a-z]+ )?${OCCUPATION_FR})`,
    `(${OCCUPATION_FR}(?: (?:de|d|en|du|a|au))?(?: [a-z]+){0,2}?) (?:sont )?(?:recherche|demande)(?:e|s|es)`,
  ],
  company_profile: ["company (?:profiles?|overviews?|backgrounds?)", "profils? d entreprises?"],
  // Tenders lead to contracts, and partnerships are made by them.
  "procurement_request partnership": ["contracts?; contrats?"],
  "job_posting leadership_change": ["hired"],
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

/** Patterns of phrases that name kinds. */
export const KIND_PATTERNS = PATTERNS.map(([names, pattern]) => ({
  kinds: KINDS.filter((kind) => names.split(" ").includes(kind)),
  pattern,
})).filter(({ kinds }) => kinds.length > 0);

/** Patterns of phrases that name a sector as a whole. */
export const SECTOR_PATTERNS = SECTOR_CODES.flatMap((sector) =>
  PATTERNS.flatMap(([name, pattern]) => name === sector ? [{ sector, pattern }] : [])
);
