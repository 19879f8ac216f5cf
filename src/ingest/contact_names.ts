/**
 * Names of contact persons in running text, as far as the text itself says that they are: behind a
 * label ("Contracting Authority: …"), before an e-mail address, or in one (jane.doe@…). A name that
 * nothing marks cannot be told from that of a place or a product, and stays.
 */
import { EMAIL, emailsOf, MASK } from "./contacts.ts";

/** @returns the text with such names masked; to be called before maskContacts(). */
export function maskContactNames(text: string): string {
  if (!/[:@＠]/.test(text)) return text;
  const masked = text.replace(LABELLED, `$1${MASK}`).replace(LISTED, `$1${MASK}`);
  return namesOfAddresses(masked).reduce(
    (rest, name) => rest.replace(name, MASK),
    masked.replace(ADDRESSED, MASK),
  );
}

/** Words of organizations, places, forms and sentences: where one stands there is no name. */
const NO_NAME = "(?:e-?mails?|mail|courriels?|t[eé]l|phone|t[eé]l[eé]phone|fax|cell|mobile|" +
  "titles?|titre|adresse?|address|number|numéro|date|closing|solicitations?|tenders?|bids?|" +
  "bidders?|proposals?|requests?|submissions?|receiving|documents?|forms?|details|public|services?|" +
  "procurement|purchasing|purchases|supply|suppliers?|vendors?|contract(?:s|ing|ors?)?|materials?|" +
  "management|operations|engineering|technical|information|project|canad(?:a|ian|ienne?)|" +
  "national|federal|government|gouvernement|department|ministry|ministère|offices?|officer|branch|" +
  "division|unit|team|cent(?:er|re)|agency|authority|board|commission|corporation|company|inc|" +
  "ltd|llc|city|ville|town|county|region|states?|united|university|université|college|hospital|" +
  "school|help|desk|helpdesk|director|directeur|directrice|managers?|specialist|senior|advisor|" +
  "defen[cs]e|parks?|toronto|ottawa|north|south|east|west|street|avenue|road|building|room|floor|" +
  "please|the|all|any|to|in|on|for|from|this|that|if|see|not|none|new|small|business|no|tbd|" +
  "january|february|march|april|june|july|august|september|october|november|december|" +
  "mon|tues|wednes|thurs|fri|satur|sun)(?:day)?(?!\\p{Ll})";

/** "Clark", "McKay", "O’Neil-Roy", "CLARK"; in "ClarkEmail" the sentence was glued to the name. */
const WORD = `(?!(?i:${NO_NAME}))(?:\\p{Lu}(?:\\p{Ll}|['’-]\\p{L}|(?<=\\bMa?c)\\p{Lu}){1,40}|` +
  "\\p{Lu}{2,40}(?:['’-]\\p{Lu}{1,40})?(?!\\p{L}))";
const NAME =
  `${WORD} (?:\\p{Lu}\\.? )?(?:(?:de|du|des|van|von|der|la|le) ){0,2}${WORD}(?: ${WORD})?`;

const LABELS = "contact(?:[ -](?:person|name))?|personne(?:[ -]ressource| à contacter)|attn\\.?|" +
  "attention(?: de)?|(?:contracting|procurement|purchasing|standing offer|supply arrangement|" +
  "project|technical) (?:authority|officer|lead|advisor|agent|specialist|manager)|buyer|" +
  "acheteu(?:r|se)|autorité (?:contractante|technique)|chargée? de projet|" +
  "agente?(?:\\(e\\))? [^\\n:]{0,60}";

/** A label, a colon, and the name on the same line or the next. */
const LABELLED = new RegExp(
  `((?<!\\p{L})(?i:${LABELS})(?: is| est)?[ \\u00a0]?:\\s{0,3}(?:(?i:mr|mrs|ms|mme|dr|m)\\.? )?)` +
    NAME,
  "gu",
);

/** "Name: …" alone on its line: elsewhere it may be that of a product. */
const LISTED = new RegExp(`^((?i:name|nom)[ \\u00a0]?: ?)${NAME}(?= ?(?:\\n|$))`, "gmu");

const ADDRESSED = new RegExp(
  `(?<!\\p{L})${NAME}(?=[\\s,;:(<–—-]{1,4}(?:(?i:at|by|via|à|par|e-?mail|courriel)[\\s:,]{1,3}){0,2}` +
    `${EMAIL})`,
  "gu",
);

/** More addresses than that stand in no notice. */
const ADDRESSES = 50;

/** @returns for jane.doe@… where "Jane Doe" and "Jane A. Doe" stand. */
function namesOfAddresses(text: string): RegExp[] {
  const locals = [...emailsOf(text).take(ADDRESSES)].map(({ start, end }) => text.slice(start, end))
    .map((address) => /^(\p{L}{2,})[._-](\p{L}{2,})\d*[@＠]/u.exec(address));
  return locals.flatMap((local) => {
    const words = local?.slice(1) ?? [];
    if (local === null || words.some((word) => IS_NO_NAME.test(word))) return [];
    const [first, last] = words.map((word) => RegExp.escape(word!));
    const name = `(?=\\p{Lu})(?i:${first}) (?:\\p{Lu}\\.? )?(?=\\p{Lu})(?i:${last})`;
    return [new RegExp(`(?<!\\p{L})${name}(?!\\p{Ll})`, "gu")];
  });
}

const IS_NO_NAME = new RegExp(`^${NO_NAME}`, "iu");
