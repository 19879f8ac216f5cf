/**
 * Recognizes queries that request what the service does not support, in English and French: contact
 * data, outreach, exports of the dataset. Each rule requires the wording of a request. Queries in
 * which the same words name goods or services are supported: "email security software". A request
 * that no rule recognizes does no harm, because it is searched like any other.
 */
import type { SearchFilters } from "../contract/filters.ts";
import { Failure } from "../failures.ts";
import { memoized } from "../memoized.ts";
import { mayExclude } from "./question/negation.ts";
import type { Question } from "./question/question.ts";
import { fold } from "./words/stems.ts";

/** Pattern that fails if the words after a phrase show that the phrase names goods or services. */
const NOT_A_PRODUCT = "(?! (?:\\w+ )?(?:platforms?|software|systems?|tools?|solutions?|services?|" +
  "management|providers?|vendors?|security|validation|verification|portability|porting|masking|" +
  "centers?|centres?|enrichment|technolog(?:y|ies)|plateformes?|logiciels?|systemes?)\\b)";

/**
 * Pattern of people whose contact data a query may ask for. It omits employees in general, because
 * a query for "phones for employees" is about a purchase.
 */
const ROLE =
  "(?:c[efoi]os?|ctos?|cmos?|founders?|owners?|presidents?|vps?|executives?|directors?|" +
  "(?:purchasing |procurement |plant |sales )?managers|buyers?|purchasers?|decision[- ]?makers?|" +
  "contacts|recruiters?|leads|prospects)";
const ROLE_FR = "(?:pdg|presidente?s?|direct(?:eur|rice)s?|responsables?|gestionnaires?|" +
  "acheteu(?:r|se)s?|decideu(?:r|se)s?|dirigeante?s?|proprietaires?|fondat(?:eur|rice)s?|contacts)";

/** Pattern of up to three words between "names of" and a role: "the purchasing". */
const MODIFIERS = "(?:[\\w'-]+ ){0,3}";

/** Pattern of the text before an order: the query's start, punctuation, or a polite opening. */
const ORDER =
  "(?:^|[.;:!?,] ?|\\b(?:please|can you|could you|help me|help us|i want to|we want to|" +
  "i need to|we need to|i would like to|i'd like to|let's|merci de|veuillez|pouvez-vous|peux-tu|" +
  "je veux|je voudrais|nous voulons|il faut) )";
/** Pattern that continues an order: "find tenders and …". */
const ALSO = "\\b(?:and|then|so i can|so we can|et|puis) (?:then |also |to |ensuite )?";
const EITHER = `(?:${ORDER}|${ALSO})`;

const THEM = "(?:them|these|those|each|every|all of|all the|all companies)";

/** Pattern of data of the service that a query may ask for as a whole. */
const HOLDINGS =
  "(?:data ?sets?|data ?bases?|data|records?|observations?|results?|lists?|entries|" +
  "index|companies|everything)";
const HOLDINGS_FR =
  "(?:bases? de donnees|donnees|jeux? de donnees|listes?|resultats|observations|" +
  "registres?|entreprises|compagnies|ensemble)";
const FILE = "(?:csv|excel|xlsx?|spreadsheets?|google sheets?|json|ndjson|pdf|parquet)";

const CONTACT_DATA = rules(
  `\\be-?mail(?:ing)? address(?:es)?\\b${NOT_A_PRODUCT}`,
  `\\b(?:phone|telephone|mobile|cell|fax|direct dial|contact) numbers?\\b${NOT_A_PRODUCT}`,
  "\\bcontact (?:details|info|information|data|persons?|names?|e-?mails?|lists?)\\b" +
    NOT_A_PRODUCT,
  `\\b(?:e-?mails|phones|names?|linkedin profiles?) of ${MODIFIERS}(?:${ROLE}|people|persons)\\b`,
  `\\b(?:e-?mails|names|contacts) for (?:the )?${ROLE}\\b`,
  `\\b${ROLE}(?:'s?)? (?:e-?mails?|phones?|linkedin)(?:$| (?:for|of|at|in|from|and|to)\\b)`,
  "\\blinkedin (?:profiles?|urls?|pages?) (?:of|for)\\b",
  "\\bwhom? (?:should|can|do|could|must|to) (?:i |we |you )?" +
    "(?:contact|call|e-?mail|reach|talk to|speak)\\b",
  "\\b(?:people|persons?|someone) (?:to|i can|we can|i should|we should) " +
    "(?:contact|call|e-?mail|reach)\\b",
  "\\bhow (?:to|can i|can we|do i|do we) (?:contact|reach|call|e-?mail) " +
    `(?:them|someone|${MODIFIERS}(?:${ROLE}|company|companies|firms?)\\b)`,
  "\\b(?:get|find|list|show|give|identify|provide)(?: me| us)?" +
    "(?: (?:the|all|key|top|main|sales|procurement|purchasing)){0,3} " +
    "(?:decision[- ]?makers?|contacts) (?:at|for|in|from|of|within|inside|who)\\b",
  "\\bwho (?:is|are) (?:the |in charge of )(?:procurement|purchasing|sourcing|buying)\\b",
  "\\badresses? (?:e-?mails?|courriels?|electroniques?|mails?|de courriel)\\b",
  "\\b(?:courriels?|e-?mails?|noms?|coordonnees|telephones?|contacts?) (?:de |des |du |d')" +
    `(?:la |l'|le |les )?${MODIFIERS}${ROLE_FR}\\b`,
  "\\bnumeros? (?:de |du )?(?:telephones?|tel|cellulaires?|portables?|mobiles?|telecopieurs?)\\b",
  "\\bcoordonnees (?:de |des |du |d'|telephoniques|pour (?:joindre|contacter))",
  "\\b(?:personnes?|gens) (?:a|que je peux) (?:contacter|joindre|appeler|rejoindre)\\b",
  "\\b(?:qui|comment) (?:dois-je |puis-je |peut-on |faut-il )?(?:contacter|joindre|appeler)\\b",
  "\\b(?:trouver?|trouvez|lister?|listez|donner?|donnez|montrer?|montrez)(?:[- ]moi)? " +
    "(?:les |des |tous les )?contacts (?:chez|dans|des|de|aupres|du)\\b",
);

const OUTREACH = rules(
  `${ORDER}(?:send|write|draft|compose|prepare|generate)(?: (?:me|us|them|him|her|an?|the|out|` +
    "my|our|some|cold|sales|intro|introductory|outreach|marketing|follow-?up|personali[sz]ed))" +
    "{0,4} (?:e-?mails?|messages?|letters?|dms?|sms|text messages?|pitch(?:es)?|invitations?)\\b",
  `${ALSO}(?:send|write)(?: (?:an?|the|my|our|some|cold)){0,2} ` +
    "(?:e-?mails?|messages?|letters?|invitations?|pitch(?:es)?) to " +
    "(?:them|the|these|those|each|every|all|their|companies|firms|businesses)\\b",
  "\\b(?:send|write) (?:to )?(?:them|him|her|each of them|these companies|those companies) ",
  `${EITHER}(?:cold[- ]?)?(?:e-?mail|call|phone|contact|message|text|pitch|approach|invite) ` +
    `${THEM}\\b`,
  `${ORDER}(?:cold[- ]?)?(?:e-?mail|call|phone|contact|message|text) the ${MODIFIERS}` +
    `(?:${ROLE}|companies|firms)\\b`,
  "(?<!\\b(?:that|which|who) )\\breach out to\\b",
  `${EITHER}(?:book|schedule|set ?up|arrange)(?: (?:me|us|an?|the|some|sales|discovery|intro|` +
    "introductory|demo|phone|zoom|video)){0,4} (?:meetings?|calls?|demos?|appointments?)\\b" +
    "(?! (?:rooms?|centers?|centres?|software|systems?))",
  `${EITHER}(?:start|launch|run|create|begin)(?: (?:an?|the|my|our|cold|new)){0,3} ` +
    "(?:e-?mail|outreach|cold[- ]?call(?:ing)?|cold[- ]?e-?mail|linkedin|calling) " +
    "(?:campaigns?|sequences?|blasts?)\\b",
  `${EITHER}(?:envoyer?|envoyez|ecri(?:re|s|vez)|redige[rz]?)(?:[- ](?:leur|lui|moi|nous))?` +
    "(?: (?:un|une|des|le|la|les|mon|notre))? (?:courriels?|e-?mails?|messages?|lettres?|textos?)\\b",
  "\\b(?:appele[rz]|appelle|contacte[rz]?|relance[rz]?|invite[rz]?)-les\\b",
  "\\b(?:pour|et|puis) (?:les|leur) (?:appeler|contacter|joindre|ecrire|demarcher|telephoner)\\b",
  `${EITHER}(?:prendre|prends|prenez|fixer?|fixez|planifier?|planifiez|organiser?|organisez)` +
    "(?: (?:un|une|des|le|les))? (?:rendez-vous|rencontres?|appels?|reunions?|demos?) " +
    "(?:avec|chez|pour)\\b",
);

const EXPORT = rules(
  `${ORDER}(?:export|download|dump|extract|scrape)(?: me| us)?(?: (?:all|the|your|this|entire|` +
    `whole|full|complete|every|these|those|my|of)){1,4} ${MODIFIERS}${HOLDINGS}\\b`,
  `${ORDER}(?:export|download|dump|scrape) ` +
    "(?:everything|data ?sets?|data ?bases?|results|records|observations)\\b" +
    "(?! (?:software|tools?|terminals?|services?))",
  `${ALSO}(?:export|download|dump) ` +
    "(?:it|them|these|those|as|the (?:list|results?|data|records|companies))\\b",
  "\\b(?:export|download|dump|save|give|send|return|list|output)\\b.{0,60} (?:as|to|in|into) " +
    `(?:an? )?${FILE}(?: ${FILE})?(?: file| format)?$`,
  `\\b(?:give|send|make|create|generate|provide|get)(?: me| us)? (?:an? |the )?${FILE}` +
    "(?: file| export)? (?:of|with|containing|listing)\\b",
  "\\b(?:all|every|everything|entire|whole|full|complete)\\b.{0,40}\\b" +
    "(?:you have|you hold|you know(?: of)?|in your (?:data ?set|data ?base|index|system|service))\\b",
  "\\byour (?:entire|whole|full|complete) (?:data ?set|data ?base|index|list of companies)\\b",
  "\\b(?:give|show|list|send|return|provide|get|dump)(?: me| us)?(?: (?:the|your|an?))? " +
    "(?:entire|whole|full|complete|raw) (?:data ?set|data ?base|index|(?:data )?dump)\\b",
  "\\b(?:data ?set|data ?base|data|full|bulk) (?:dump|download)s?(?: of|$)",
  `\\b(?:dump|export|download) of (?:the|your|all|this) ${MODIFIERS}${HOLDINGS}\\b`,
  `${EITHER}(?:exporter?|exportez|telecharger?|telechargez|extraire|extrais|extrayez)` +
    "(?:[- ]moi)? (?:(?:toutes?|tous|tout|la|le|les|vos|votre|ces|cette) |l'){1,3}" +
    `(?:[\\w'-]+ ){0,2}${HOLDINGS_FR}\\b`,
  "\\b(?:exporter?|telecharger?|donne[rz]?|envoye[rz]?|listes?)\\b.{0,60} en " +
    "(?:format )?(?:csv|excel|json|pdf|xlsx?)\\b",
  "\\b(?:toute|l'integralite de) votre base de donnees\\b",
  "\\btoutes (?:les|vos) (?:donnees|entreprises|observations) " +
    "(?:que vous avez|de votre|du jeu de|dans votre)\\b",
);

function rules(...patterns: string[]): RegExp[] {
  return patterns.map((pattern) => new RegExp(pattern));
}

const REFUSALS: readonly [RegExp[], string][] = [
  [
    CONTACT_DATA,
    "This service has no contact data: no e-mail addresses, phone numbers or people to contact. " +
    'Ask for companies by what they do or need, such as "warehouse expansion in Ontario".',
  ],
  [
    OUTREACH,
    "This service does not contact anybody. Leave the outreach out and ask only for the companies, " +
    'such as "tenders for fleet maintenance".',
  ],
  [
    EXPORT,
    "This service has no exports or downloads of its dataset. Narrow the question to the companies " +
    'that you look for, such as "new food processing plants", and page through the results.',
  ],
];

/**
 * Refuses a query that the service does not answer.
 *
 * @throws Failure unsupported_request for contact data, outreach and exports of the dataset
 */
export function refuseUnsupported(query: string): void {
  const message = refusalOf(query);
  if (message !== null) throw new Failure("unsupported_request", { message });
}

/**
 * Refuses a query that contains only exclusions, unless filters state what is wanted. Almost any
 * record of the dataset would match it. Only a claimed search calls this, because reading a query is
 * work that no refused request may cause.
 *
 * @param read reads the query
 * @throws Failure unsupported_request
 */
export function refuseNegationAlone(
  query: string,
  filters: SearchFilters,
  read: () => Question,
): void {
  if (hasWantedValues(filters) || !mayExclude(query)) return;
  const { units, conditions, excluded } = read();
  const isWanted = conditions.length > 0 || units.some(({ is_filler }) => !is_filler);
  if (excluded.length > 0 && !isWanted) throw new Failure("unsupported_request");
}

/**
 * Returns a message for an unsupported query: why it is refused, and how to change it. Returns null
 * for a supported query.
 */
const refusalOf = memoized((query) => {
  const text = fold(query).replace(/\s+/g, " ").trim();
  return REFUSALS.find(([patterns]) => patterns.some((pattern) => pattern.test(text)))?.[1] ?? null;
});

/** Returns whether filters state what is wanted, and not only what is excluded. */
function hasWantedValues(filters: SearchFilters): boolean {
  const { exclude_company_ids: _, exclude_domains: __, ...admitted } = filters;
  return Object.values(admitted).some((values) => values !== null && values.length > 0);
}
