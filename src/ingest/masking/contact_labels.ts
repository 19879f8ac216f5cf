/** Patterns of the words that precede the name of a contact person, and of names in forms. */
import { isGivenName, meaningOf } from "./name_words.ts";
import type { Span } from "./contacts.ts";
import { MARKING_TITLES } from "./person_name.ts";

const TASK =
  "(?:contract(?:s|ing|ual)?|procurement|purchasing|supply(?: arrangement)?|acquisitions?|" +
  "sourcing|standing offer|project|program(?:me)?|technical|inspection|requisitioning|" +
  "administrative|business|bid|tender|sales|account|site|departmental|government|primary|secondary|" +
  "alternate|main|client|customer|hiring|design|construction|commercial|security|financial)";
const OFFICE = "(?:authority|officers?|lead|advis[oe]r|agent|specialist|manager|administrator|" +
  "analyst|coordinator|representative|contact|negotiator|poc|point of contact|engineer|director|" +
  "technical representative|inquiries|enquiries|buyer|monitor)";
const FRENCH_OFFICE = "(?:agente?(?:\\(e\\)|·e)?|spécialiste|gestionnaire|conseill(?:er|ère)|" +
  "chargée?|chef(?:fe)?|responsable|directeur|directrice|coordonnat(?:eur|rice)|autorité|" +
  "représentante?|administrat(?:eur|rice))";

/** Sources of patterns for labels. A colon, a dash or a line break and the name follow them. */
const LABELS = [
  "(?:primary |secondary |alternate |main )?(?:points? of )?contacts?" +
  "(?:[ -](?:persons?|names?|information|info|details|us))?",
  "p\\.?o\\.?c\\.?s?",
  `(?:senior |lead )?${TASK}(?: and ${TASK}| ${TASK})? ${OFFICE}(?:['’]s(?: technical)? representative)?`,
  "cot?r",
  "[kp]o",
  "att[’']?n?\\.?",
  "attention(?: de| to)?",
  "c/o",
  "a/s",
  "(?:senior |lead |assistant )?buyers?",
  "acheteu(?:r|se)s?",
  "personnes?(?:[ -]ressources?| à contacter| contact)",
  "autorité (?:contractante|technique|responsable|du projet|de l['’]offre[^\\n:]{0,30})",
  `${FRENCH_OFFICE} [^\\n:]{1,60}?`,
  "renseignements",
  "(?:prepared|submitted|issued|signed|approved|posted|préparé|rédigé|signé|soumis|publié) (?:by|par)",
  "recruiters?|hiring manager|recruteu(?:r|se)",
  "inquiries|enquiries|questions",
  "sincerely|(?:best |kind |warm )?regards|cordialement|respectfully|yours truly|salutations",
].join("|");

const QUALIFIED = "(?:\\(s\\))?(?:[ -](?:name|nom))?(?: ?\\([^()\\n]{1,40}\\))?" +
  "(?: (?:for|on|pour)(?: [\\p{L}’'-]{1,20}){1,5}?)?(?: is| are| est| sont)?";
const PART =
  "[ \\u00a0]{0,2}(?::|=|(?<=\\s)[-–—]|[-–—](?=\\s)|,?\\n|(?<= (?:is|are|est|sont)))\\s{0,3}";

/** Matches a label with the separator before the name. */
export const LABEL = new RegExp(
  `(?:(?<![\\p{L}\\p{N}/-])|(?<=(?:poc|officer|contact|buyer|authority|manager)[ ]?/[ ]?))` +
    `(?:${LABELS})${QUALIFIED}${PART}(?:(?:name|nom|to|de|à)[ \\u00a0]?:\\s{0,2})?`,
  "giu",
);

/**
 * Matches a label without a separator before the name. After a label in the group `letter`, such as
 * "Attn", any name is that of a person.
 */
export const DIRECT_LABEL = new RegExp(
  "(?<![\\p{L}\\p{N}/-])(?:(?<letter>att[’']?n?[.,]?|attention of|à l['’]attention d[eu]|" +
    `aux soins d[eu]|c/o|a/s|/s/)|(?:(?:best |kind |warm )?regards|sincerely|yours truly|thanks|thank you|cordialement|merci)(?=,)|attention(?: de)?|p\\.?o\\.?c\\.?|(?:senior |lead )?${TASK} ${OFFICE}|recruiter|hiring manager|` +
    "(?:senior )?buyer|acheteu(?:r|se)|contacts?|personnes?[ -]ressources?|" +
    "autorité (?:contractante|technique)|gestionnaire de projet|chargée? de projet|" +
    "agente? (?:de négociation des contrats|d['’]approvisionnement|des achats|de projet|" +
    "de contrats))(?:,|,? (?:is|est))?[ \\u00a0]{1,2}",
  "giu",
);

/**
 * Matches an abbreviation of a role such as contracting officer, with a colon, in American notices:
 * "CO: …". "Denver, CO: …" is a place.
 */
export const CODE_LABEL =
  /(?<![\p{L}\p{N}/.-]|,[ \u00a0]?)(?:[APT]?CO|KO|PO|CS|COTR|COR)(?:[ \u00a0]?\([^()\n]{1,30}\))?[ \u00a0]?:[ \u00a0]{0,3}/gu;

/**
 * Matches such an abbreviation without a colon: "CO …". After a capitalized word or a comma, CO is
 * Colorado: "Boulder, CO Example", "Denver CO Springs". In "CO Kidde Nighthawk", CO is a gas.
 * Therefore only a sure name (PersonName.isSure) counts. After a request (group `asked`), as in
 * "contact the CO …", any name counts.
 */
export const DIRECT_CODE_LABEL = new RegExp(
  "(?<![\\p{L}\\p{N}/.&-]|,[ \\u00a0]?|(?<![\\p{L}\\p{N}])" +
    "(?!(?:The|THE|Your|Our|This|Contact|CONTACT|Call|CALL|Email|By|BY|To|TO|From|Please|Le|L[ae]s?)[ \\u00a0])" +
    "\\p{Lu}[\\p{L}\\p{N}'’.-]{0,40}[ \\u00a0])" +
    "(?:(?<asked>(?<=(?:[Cc]ontact|[Cc]all|[Ee]-?mail|[Aa]sk|[Bb]y|[Tt]o|[Ff]rom|[Ww]ith|[Yy]our|is)[ \\u00a0](?:the )?))|)" +
    "(?:[APT]?CO|KO|COTR|COR)(?:[ \\u00a0]?\\([^()\\n]{1,30}\\))?,?(?: is| was)?[ \\u00a0]{1,2}",
  "gu",
);

/**
 * Matches roles that both persons and firms have. The words after the role must read as a person's
 * name. After a role in the group `firm`, a name of two surnames is often that of a firm.
 */
export const ROLE_LABEL =
  /(?<![\p{L}\p{N}])(?:reports to|manager|director|directeur|directrice|gestionnaire|supervisor|superviseur|superintendent|coordinator|administrator|representative|représentante?|responsable|(?<firm>engineer|owner|chair)|inspector|president|présidente?|founder|specialist|spécialiste|analyst|secretary|clerk)(?:\.?[ \u00a0]{0,2}:|[ \u00a0][-–—])\s{0,2}/giu;

/** Matches words that precede both persons and things. Only a sure name counts after them. */
export const WEAK_LABEL =
  /(?<![\p{L}\p{N}])(?:to|from|by|with|de|par|à|pour|signature|name|nom|full name|nom complet|e-?mail|courriel|phone|tel|tél|téléphone)(?:\.?[ \u00a0]{0,2}:|[ \u00a0][-–—])\s{0,2}/giu;

/** Matches "Name: …" at the start of a line. Elsewhere, the name may be that of a product. */
export const LISTED_LABEL = /^(?:full )?(?:name|nom)(?: complet)?[ \u00a0]?: ?/gimu;

/**
 * Matches a title that marks the name after it as that of a person. Among the ranks, it matches
 * only those in MARKING_TITLES.
 */
export const TITLED = new RegExp(
  `(?<![\\p{L}\\p{N}.'’-])(?:(?<plural>${MARKING_TITLES.plural})|` +
    `(?<civil>${MARKING_TITLES.civil})|${MARKING_TITLES.ranks}|` +
    "(?<!\\p{Lu}[\\p{L}.’'-]{0,30} )(?<civilian>Dre?)|" +
    "(?<maitre>Me)(?= \\p{Lu}\\p{Ll}+ \\p{Lu})|" +
    "(?<=(?:^|[:,;(\\n]|(?<!\\p{L})(?:à|avec|de|par|contacter|contactez|est|et|ou|and|c/o))\\s?)(?<monsieur>M))" +
    "(?:\\.[ \\u00a0]?|[ \\u00a0])(?=\\p{Lu}|[dl]['’]|(?:de|du|des|van|von|la|le) )",
  "gu",
);

const ASKED = "(?<asked>[Pp]lease |[Vv]euillez |[Kk]indly |[Pp]ri[èe]re de |S['’]il vous plaît )?";
const VERBS =
  "[Cc]ontact(?:er|ez|ing)?|[Cc]all|[Pp]hone|[Tt]elephone|[Ee]-?mail|[Rr]each(?: out to)?|" +
  "[Ww]rite(?: to)?|(?:[Ss]peak|[Tt]alk)(?: with| to)|[Aa]sk(?: for)?|[Nn]otify|[Tt]ext|[Ss]ee|[Dd]ial|" +
  "[Ff]ax|(?:[Ff]orward(?:ed)?|[Aa]ddress(?:ed)?|[Dd]irect(?:ed)?|[Ss]ent|[Ss]end|[Ss]ubmit(?:ted)?|[Rr]eport(?:s|ing)?|" +
  "attention|care|available) (?:to|of|from)|(?:questions|inquiries|enquiries|bids|proposals|" +
  "submissions|quotes|invoices|them|it|requests) (?:to|by)|meet(?:ing)? with|[Cc]ommuni(?:quer|quez) avec|" +
  "[Jj]oi(?:ndre|gnez)|[Aa]ppele[rz]|[Éé]cri(?:re|vez)(?: à)?|(?:s['’])?[Aa]dresse[rz](?:-vous)? à|" +
  "[Ee]nvoy(?:er|ez|ée?s?)(?: (?:votre|vos|une?|les?|la) [\\p{Ll}V]{2,20})? à|" +
  "(?:[Ss]end|[Ss]ubmit|[Ff]orward|[Ee]-?mail) (?:your|all|the|an?|any) (?:[\\p{L}é]{2,20} ){1,3}to|" +
  "(?:[Pp]osted|[Pp]repared|[Ss]igned|[Aa]pproved|[Ii]ssued) by|[Tt]ransmettre à|auprès d[eu]|attention d[eu]|[Tt]éléphone[rz] à|soins d[eu]";

/** Matches a request to contact somebody. */
export const REQUEST = new RegExp(
  `(?<![\\p{L}\\p{N}/-])${ASKED}(?:${VERBS})[ \\u00a0]{1,2}`,
  "gu",
);

/** Matches "Doe, Jane" before a telephone number or an e-mail label, as in forms. */
const SURNAME_FIRST =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}'’-]{1,40}), ?(\p{Lu}[\p{L}'’-]{1,40})(?: \p{Lu}\.?)?(?=[\s,(–-]{1,4}(?:(?:tele?phone|téléphone|t[eé]l|phone|e-?mail|courriel)(?:[. ]{0,2}(?:no|number|address)\.?)?[ \u00a0]?[:.–-]|n[°ºo]\.? de tél|\(?[2-9]\d\d\)?[-. ]\d{3}))/giu;

/** Yields the positions of names such as "Doe, Jane" before a telephone number. */
export function* surnameFirstNames(text: string): Generator<Span> {
  for (const { 0: name, 1: family, 2: given, index } of text.matchAll(SURNAME_FIRST)) {
    const isName = isGivenName(given!) ||
      (meaningOf(given!) === "open" && meaningOf(family!) === "open");
    if (isName && /^\p{Lu}/u.test(given!)) yield { start: index, end: index + name.length };
  }
}
