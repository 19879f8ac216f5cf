/** Proposes a mapping for a file from its header and its first rows. */
import { type Mapping, TO_DO } from "./mapping.ts";
import { sampleOf } from "./sample.ts";
import { textOf } from "./template.ts";
import { dateReader, numberIn } from "./values.ts";

/** Forms of dates that are recognized. A form with the day first precedes that with the month. */
const DATE_FORMS = ("DD/MM/YYYY MM/DD/YYYY YYYY/MM/DD DD-MM-YYYY MM-DD-YYYY DD.MM.YYYY " +
  "D/M/YYYY M/D/YYYY D.M.YYYY").split(" ");
const TIMES = ["", " HH:mm", " HH:mm:ss", " HH:mm A", " HH:mm:ss A"];

/** Words in names of columns, folded, by the field for which the column is proposed. */
const WORDS: readonly (readonly [field: string, words: RegExp])[] = [
  [
    "evidence.source_uri",
    /^(?!.*\b(logo|image|photo)\b).*\b(url|uri|link|lien|website|web|href|adresse web|permalink)\b/,
  ],
  ["expires_at", /\b(clos\w*|ferme\w*|deadline|due|expir\w*|limite|end)\b/],
  ["occurred_at", /\b(publi(?!c\b)\w*|posted|post|date|issued|created|emission|parution|start)\b/],
  ["facets.amount.value", /\b(amount|montant|value|valeur|price|prix|budget)\b/],
  ["external_id", /\b(id|no|numero|number|num|reference|ref|code|uuid|key)\b/],
  [
    "company.name",
    // "Company ID" and "company size" name no company.
    new RegExp(
      "^(?!.*\\b(id|no|num\\w*|code|slug|url|\\w*link|type|size|street|first|last|owner)\\b).*" +
        "\\b(company|entreprise|buyer|acheteur|organi\\w*|employer|client|agency|name|nom)\\b",
    ),
  ],
  ["evidence.excerpt", /\b(title|titre|subject|objet|headline|heading|position|poste)\b/],
  ["text", /\b(description|details|body|texte|text|summary|resume|content)\b/],
  ["facets.place.city", /\b(city|ville|town|municipalit\w*|location|lieu)\b/],
  ["facets.place.region", /\b(province|region|state)\b/],
  ["country", /\b(country|pays)\b/],
  ["facets.unspsc", /\bunspsc\b/],
  ["facets.naics", /\b(naics|scian)\b/],
];

/** Matches numbers of a date, but no postal code such as "LS10 2RU". */
const DATE = /\d[/. -]\w+[/. -]\d|\d{4}\D\d|\d\D+\d{4}|\d{8}/;

/** Conditions for the texts of a column without which it is not proposed for a field. */
const SUITS: Readonly<Record<string, RegExp>> = {
  "evidence.source_uri": /^(?:https?|ftp):/,
  "expires_at": DATE,
  "occurred_at": DATE,
  "facets.amount.value": /\d/,
};

/** Matches folded names of columns that name contact persons or how to reach them. */
const CONTACT = new RegExp(
  "\\b(contacts?|poc|personnes? (ressources?|contacts?)|recruiter|recruteur|e ?mails?|courriels?|" +
    "(tele)?phones?|tel|fax)\\b",
);

/** Matches folded names of columns that may name persons. */
const PERSON = new RegExp(
  "\\b(persons?|personnes?|buyer|acheteu\\w*|officer|agente?|manager|gestionnaire|responsable|" +
    "owner|proprietaire|applicant|demandeu\\w*|inspector|(first|last) name|prenom)\\b",
);

/** Matches folded names of columns that tell something else about a contact. */
const NO_NAME = new RegExp(
  "\\b(url|lien|date|id|code|type|statu[st]|lens|province|country|pays|postal|number of|nombre|" +
    "address|title|role|(org(ani\\w*)?|compan\\w*|entreprise|agency|department|ministere|city|" +
    "ville|cent(er|re)|firm|vendor|supplier|office)(?!.{0,99} (contact|e ?mail|courriel)))\\b",
);

/**
 * Proposes a mapping. Fields without a fitting column get a text that begins with `TO DO`.
 * @param name name of the file, from which the name of the source is made
 * @throws UnreadableSource if the file has no rows
 */
export async function proposeMapping(
  stream: AsyncIterable<Uint8Array>,
  name: string,
): Promise<Mapping> {
  const sample = await sampleOf(stream);
  const contacts = columnsWith(CONTACT, sample.columns);
  const textsIn = (column: string) =>
    sample.rows.map((row) => textOf(row(column))).filter((text) => text !== "");
  /** Says that the first column with the name of an id is none. */
  let repeating: string | undefined;
  const isSuitable = (column: string, field: string) => {
    if (sample.rows.length === 0) return true;
    const texts = textsIn(column);
    if (field !== "external_id") return texts.some((text) => SUITS[field]?.test(text) ?? true);
    // Rows with the same id would replace each other.
    const repeats = texts.length - new Set(texts).size;
    if (repeats > 0) repeating ??= `; ${column} repeats in ${repeats} of ${texts.length} rows`;
    return repeats === 0 && texts.length >= sample.rows.length * READABLE;
  };
  const columns = sample.columns.filter((name) => !contacts.includes(name));
  const fields = chooseColumns(columns, isSuitable);
  const taken = new Set(fields.values());
  const persons = columnsWith(PERSON, columns).filter((name) => !taken.has(name))
    .map((name) => `${TO_DO}: ${name}, if it names persons`);
  const textsOf = (field: string) => fields.has(field) ? textsIn(fields.get(field)!) : [];
  const dated = [textsOf("occurred_at"), textsOf("expires_at")];
  const dates = dated.flatMap((texts) => formsOf(texts, dated.flat()));
  const amounts = textsOf("facets.amount.value");
  const { format, delimiter, encoding, array } = sample;
  const from = (field: string, otherwise: string) =>
    fields.has(field) ? `{${fields.get(field)}}` : otherwise;
  const title = from("evidence.excerpt", from("text", `${TO_DO}: the text to quote`));
  const optional = WORDS.map(([field]) => field)
    .filter((field) => fields.has(field) && !/^(external_id|company|evidence)/.test(field))
    .map((field) => {
      const isCoded = !["country", "facets.place.region"].includes(field) ||
        textsOf(field).every((text) => /^[A-Z]{2}$/.test(text));
      const column = fields.get(field);
      return [field, isCoded ? `{${column}}` : `${TO_DO}: rules that give codes for ${column}`];
    });
  return {
    source: name.replace(/^.*[/\\]/, "").replace(/\.\w+$|^-$/, "").toLowerCase() || "my-feed",
    format,
    ...delimiter !== undefined && delimiter !== "," && { delimiter },
    ...encoding !== undefined && { encoding },
    ...array !== undefined && { array },
    time_zone: "America/Toronto",
    ...dates.length > 0 && { dates: [...new Set(dates)] },
    ...amounts.some((text) => numberIn(text, ".") === undefined) &&
      amounts.every((text) => numberIn(text, ",") !== undefined) && { decimal: "," as const },
    ...contacts.length + persons.length > 0 && { contacts: [...contacts, ...persons] },
    record: {
      "external_id": from("external_id", `${TO_DO}: columns that identify a row${repeating ?? ""}`),
      "company.name": from("company.name", `${TO_DO}: the column of the company`),
      "kind": `${TO_DO}: procurement_request, job_posting or another kind`,
      "observed_fact": title,
      "why_it_may_matter": `${TO_DO}: why a supplier should care`,
      "demand_class": `${TO_DO}: explicit_request, proxy or structural`,
      "country": `${TO_DO}: CA or US`,
      "confidence": 0.8,
      "evidence.source_uri": from("evidence.source_uri", `${TO_DO}: https://…`),
      "evidence.excerpt": title,
      ...Object.fromEntries(optional),
      ...fields.has("facets.amount.value") && { "facets.amount.currency": `${TO_DO}: CAD or USD` },
    },
  };
}

/** Assigns each column to at most one field, and each field to at most one suitable column. */
function chooseColumns(
  columns: readonly string[],
  isSuitable: (column: string, field: string) => boolean,
): Map<string, string> {
  const chosen = new Map<string, string>();
  const taken = new Set<string>();
  for (const [field, words] of WORDS) {
    // A brace in a name would end its template.
    const column = columns.find((name) =>
      !taken.has(name) && !/[{}]/.test(name) && words.test(foldedWords(name)) &&
      isSuitable(name, field)
    );
    if (column === undefined) continue;
    chosen.set(field, column);
    taken.add(column);
  }
  return chosen;
}

/** Returns the columns whose names contain one of the words, and none of NO_NAME. */
function columnsWith(words: RegExp, columns: readonly string[]): string[] {
  return columns.filter((one) => words.test(foldedWords(one)) && !NO_NAME.test(foldedWords(one)));
}

/** Returns a name in lower case, without accents, with blanks between its words. */
function foldedWords(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, "$1 $2").normalize("NFD").replace(/\p{M}/gu, "")
    .toLowerCase().replaceAll("#", " no ").replace(/[^a-z0-9]+/g, " ");
}

/**
 * Share of the dates that a form has to read, and of the rows that have an id. Some files have a
 * few faulty ones. The share is chosen, not measured.
 */
const READABLE = 0.9;

/**
 * Returns the forms that read the dates of a column, or nothing if ISO 8601 does. If no form does, or
 * no day of any column is above 12, a person has to write the form.
 */
function formsOf(texts: readonly string[], all: readonly string[]): string[] {
  const needed = texts.length * READABLE;
  if (texts.length === 0 || countRead(texts, []) >= needed) return [];
  // Numbers with another first digit can be dates without signs: 202601021530.
  if (texts.every((text) => /^1\d{9}$/.test(text))) return ["seconds"];
  if (texts.every((text) => /^1\d{12}$/.test(text))) return ["milliseconds"];
  for (const form of DATE_FORMS) {
    const forms = TIMES.map((time) => form + (form.includes("DD") ? time : time.replace("HH", "H")))
      .filter((one) => countRead(texts, [one]) > countRead(texts, []));
    if (countRead(texts, forms) < needed) continue;
    const swapped = forms.map((one) => one.replace(/^(DD?)(.)(MM?)/, "$3$2$1"));
    const [asIs, other] = [forms, swapped].map((some) => countRead(all, some));
    if (other! > asIs!) continue;
    const isOpen = swapped[0] !== forms[0] && other === asIs && !form.includes(".");
    return isOpen ? forms.map((one, at) => `${TO_DO}: ${one} or ${swapped[at]}`) : forms;
  }
  return [`${TO_DO}: the form of ${texts.find((text) => countRead([text], []) === 0)}`];
}

/** Returns the number of texts that are dates in ISO 8601 or in one of the forms. */
function countRead(texts: readonly string[], forms: string[]): number {
  const read = dateReader(forms, "UTC");
  return texts.filter((text) => read(text, { ends: false }) !== undefined).length;
}
