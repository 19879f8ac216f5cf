/** Converts the two forms of SAM.gov's notices into one form. */
import type { Row } from "../../formats/csv.ts";
import { textOf, valueIn } from "../../mapping/template.ts";

/**
 * Texts that both forms have: the column of the daily extract, and the paths in the API's answers.
 * The first filled path counts.
 */
const TEXTS = {
  id: ["NoticeId", "noticeId"],
  title: ["Title", "title"],
  /** Number of the solicitation. */
  number: ["Sol#", "solicitationNumber"],
  posted: ["PostedDate", "postedDate"],
  type: ["Type", "type"],
  archived: ["ArchiveDate", "archiveDate"],
  set_aside: ["SetASide", "typeOfSetAsideDescription"],
  deadline: ["ResponseDeadLine", "responseDeadLine"],
  /** The Product and Service Code. */
  product: ["ClassificationCode", "classificationCode"],
  city: ["PopCity", "placeOfPerformance.city.name"],
  state: ["PopState", "placeOfPerformance.state.code", "placeOfPerformance.state.name"],
  /** Country of the place of performance, or else of the office. */
  country: [
    "PopCountry",
    "placeOfPerformance.country.code",
    "placeOfPerformance.country.name",
    "officeAddress.countryCode",
  ],
  office_state: ["State", "officeAddress.state"],
  active: ["Active", "active"],
  award_number: ["AwardNumber", "award.number"],
  award_date: ["AwardDate", "award.date"],
  award_amount: ["Award$", "award.amount"],
  awardee: ["Awardee", "award.awardee.name"],
  page: ["Link", "uiLink"],
} as const satisfies Record<string, readonly [column: string, ...paths: string[]]>;
type TextName = keyof typeof TEXTS;

/**
 * A notice of either form. Only names of its contact persons are masked in its texts. Missing texts
 * are empty.
 */
export interface SamNotice extends Record<TextName, string> {
  /** Names and codes of department, agency and office, without missing ones. */
  names: string[];
  codes: string[];
  naics: string[];
  uei: string;
  /** Place of the awardee. */
  location: { city: string; state: string; country: string };
  description: string;
  /** Names of the fields in this form, for messages. */
  fields: Readonly<Record<TextName | "names", string>>;
}

/** Returns a value for each text, by its column and its paths. */
function textsBy(valueOf: (names: readonly [column: string, ...paths: string[]]) => string) {
  const values = Object.entries(TEXTS).map(([key, names]) => [key, valueOf(names)]);
  return Object.fromEntries(values) as Record<TextName, string>;
}

/** The columns of the daily extract that are read. The contact columns are not among them. */
export const NOTICE_COLUMNS = {
  ...textsBy(([column]) => column),
  department: "Department/Ind.Agency",
  department_code: "CGAC",
  agency: "Sub-Tier",
  agency_code: "FPDS Code",
  office: "Office",
  office_code: "AAC Code",
  naics: "NaicsCode",
  office_country: "CountryCode",
  description: "Description",
};

/** Columns without which a notice would be missing, misdated or taken for another kind. */
export const NEEDED_COLUMNS = [
  "id",
  "title",
  "department",
  "posted",
  "type",
  "deadline",
  "country",
  "active",
  "description",
] as const;

/**
 * Columns that are read only to find contact persons, whose names are masked in the rest of the
 * row.
 */
export const CONTACT_COLUMNS = [
  "PrimaryContactFullname",
  "PrimaryContactEmail",
  "SecondaryContactFullname",
  "SecondaryContactEmail",
] as const;

/** Returns the names and e-mail addresses of an element's points of contact. */
export function contactsOfElement(element: unknown): string[] {
  const contacts = [valueIn(element, "pointOfContact")].flat().slice(0, 10);
  return contacts.flatMap((one) => {
    const [first, last, ...others] = ["firstName", "lastName", "fullName", "email"]
      .map((name) => textOf(valueIn(one, name)));
    return [`${first} ${last}`.trim(), ...others];
  });
}

/** Reads a row of the daily extract. */
export function noticeOfRow(row: Row<typeof NOTICE_COLUMNS>): SamNotice {
  return {
    ...row,
    names: present([row.department, row.agency, row.office]),
    codes: present([row.department_code, row.agency_code, row.office_code]),
    naics: present([row.naics]),
    country: row.country.trim() || row.office_country,
    ...splitAwardee(row.awardee),
    uei: "",
    fields: { ...NOTICE_COLUMNS, names: NOTICE_COLUMNS.office },
  };
}

/**
 * Splits an awardee of the extract into name and address: "ACME, LLC  Orlando FL 32819 USA". The
 * text stays whole if the end of the name is not clear.
 */
function splitAwardee(cell: string): Pick<SamNotice, "awardee" | "location"> {
  const [, awardee = cell, city = "", state = "", country = ""] = AWARDEE.exec(cell.trim()) ?? [];
  return { awardee, location: { city, state, country } };
}

/**
 * Matches a name that ends with a legal form or two spaces, then city, state, postal code and
 * country.
 */
const AWARDEE =
  /^(.+?)(?:\s{2,}|(?<=\b(?:LLC|INC|CORP|CORPORATION|COMPANY|CO|LTD|LIMITED|LLP|LP)\b\.?),?\s+)([\p{L} .'-]+?),?\s+([A-Z]{2}),?\s+[\dA-Z][\dA-Z -]{4,9}(?:,?\s+([A-Z]{3}))?$/iu;

/** Names of the fields in the API's answers. */
const ELEMENT_FIELDS = { ...textsBy(([, path]) => path!), names: "fullParentPathName" };

/**
 * Reads an element of `opportunitiesData`. Its `description` is not kept, because it is only the
 * address of a text.
 */
export function noticeOfElement(element: unknown): SamNotice {
  const first = (...paths: string[]) =>
    paths.map((path) => textOf(valueIn(element, path))).find((text) => text !== "") ?? "";
  const codes = first("fullParentPathCode").split(".");
  const names = levelsOf(first("fullParentPathName"), codes.length);
  const awardee = "award.awardee.location";
  return {
    ...textsBy(([, ...paths]) => first(...paths)),
    // Between the agency and the office, there can be any number of further levels.
    names: present(outerLevels(names)),
    codes: present(outerLevels(codes)),
    naics: present([first("naicsCode"), ...[valueIn(element, "naicsCodes")].flat().map(textOf)]),
    uei: first("award.awardee.ueiSAM"),
    location: {
      city: first(`${awardee}.city.name`),
      state: first(`${awardee}.state.code`, `${awardee}.state.name`),
      country: first(`${awardee}.country.code`, `${awardee}.country.name`),
    },
    description: "",
    fields: ELEMENT_FIELDS,
  };
}

/**
 * Splits a path of names at its dots. If this does not give the expected number of levels, some
 * dots belong to names: those after an initial or before a space.
 */
function levelsOf(path: string, levels: number): string[] {
  const names = path.split(".");
  return names.length === levels ? names : path.split(/(?<!\b\p{Lu})\.(?!\s|$)/u);
}

/** Returns department, agency and office: the first two levels and the last. */
function outerLevels(levels: readonly string[]): string[] {
  return levels.length <= 3 ? [...levels] : [levels[0]!, levels[1]!, levels.at(-1)!];
}

function present(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}
