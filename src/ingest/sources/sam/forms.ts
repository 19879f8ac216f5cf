/** Converts the two forms of SAM.gov's notices into one form. */
import type { Row } from "../../formats/csv.ts";
import { valueAt } from "../kit/field.ts";

/**
 * A notice of either form. Only names of its contact persons are masked in its texts. Missing texts
 * are empty.
 */
export interface SamNotice {
  id: string;
  title: string;
  /** Number of the solicitation. */
  number: string;
  /** Names and codes of department, agency and office, without missing ones. */
  names: string[];
  codes: string[];
  posted: string;
  type: string;
  archived: string;
  set_aside: string;
  deadline: string;
  naics: string[];
  /** The Product and Service Code. */
  product: string;
  city: string;
  state: string;
  /** Country of the place of performance, or else of the office. */
  country: string;
  /** Place of the buying office. */
  office: { city: string; state: string };
  active: string;
  award: {
    number: string;
    date: string;
    amount: string;
    awardee: string;
    uei: string;
    /** Place of the awardee. */
    location: { city: string; state: string; country: string };
  };
  page: string;
  description: string;
  /** Names of the required fields in this form, for messages. */
  fields: Readonly<Record<FieldName, string>>;
}

/** Names of the fields that a notice needs. */
export type FieldName = "id" | "title" | "names" | "posted" | "deadline" | "type" | "country";

/** The columns of the daily extract that are read. The contact columns are not among them. */
export const NOTICE_COLUMNS = {
  id: "NoticeId",
  title: "Title",
  number: "Sol#",
  department: "Department/Ind.Agency",
  department_code: "CGAC",
  agency: "Sub-Tier",
  agency_code: "FPDS Code",
  office: "Office",
  office_code: "AAC Code",
  posted: "PostedDate",
  type: "Type",
  archived: "ArchiveDate",
  set_aside: "SetASide",
  deadline: "ResponseDeadLine",
  naics: "NaicsCode",
  product: "ClassificationCode",
  city: "PopCity",
  state: "PopState",
  country: "PopCountry",
  active: "Active",
  award_number: "AwardNumber",
  award_date: "AwardDate",
  award_amount: "Award$",
  awardee: "Awardee",
  office_country: "CountryCode",
  page: "Link",
  description: "Description",
  office_city: "City",
  office_state: "State",
} as const;

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
  const contacts = valueAt(element, "pointOfContact");
  const each = Array.isArray(contacts) ? contacts : [contacts];
  return each.slice(0, 10).flatMap((one) => [textAt(one, "fullName"), textAt(one, "email")]);
}

/** Reads a row of the daily extract. */
export function noticeOfRow(row: Row<typeof NOTICE_COLUMNS>): SamNotice {
  return {
    ...row,
    names: present([row.department, row.agency, row.office]),
    codes: present([row.department_code, row.agency_code, row.office_code]),
    naics: present([row.naics]),
    country: row.country.trim() || row.office_country,
    office: { city: row.office_city, state: row.office_state },
    award: {
      number: row.award_number,
      date: row.award_date,
      amount: row.award_amount,
      ...splitAwardee(row.awardee),
      uei: "",
    },
    fields: { ...NOTICE_COLUMNS, names: NOTICE_COLUMNS.office },
  };
}

/**
 * Splits an awardee of the extract into name and address: "ACME, LLC  Orlando FL 32819 USA". The
 * text stays whole if the end of the name is not clear.
 */
function splitAwardee(cell: string): Pick<SamNotice["award"], "awardee" | "location"> {
  const [, awardee = cell, city = "", state = "", country = ""] = AWARDEE.exec(cell.trim()) ?? [];
  return { awardee, location: { city, state, country } };
}

/**
 * Matches a name that ends with a legal form or two spaces, then city, state, postal code and
 * country.
 */
const AWARDEE =
  /^(.+?)(?:\s{2,}|(?<=\b(?:LLC|INC|CORP|CORPORATION|COMPANY|CO|LTD|LIMITED|LLP|LP)\b\.?),?\s+)([\p{L} .'-]+?),?\s+([A-Z]{2}),?\s+[\dA-Z][\dA-Z -]{4,9}(?:,?\s+([A-Z]{3}))?$/iu;

/** Paths in the API's answers of the fields that a notice needs. */
const NOTICE_FIELDS = {
  id: "noticeId",
  title: "title",
  names: "fullParentPathName",
  posted: "postedDate",
  deadline: "responseDeadLine",
  type: "type",
  country: "placeOfPerformance.country.code",
} as const;

/**
 * Reads an element of `opportunitiesData`. Its `description` is not kept, because it is only the
 * address of a text.
 */
export function noticeOfElement(element: unknown): SamNotice {
  const text = (path: string) => textAt(element, path);
  const codes = text("fullParentPathCode").split(".");
  const names = levelsOf(text("fullParentPathName"), codes.length);
  return {
    id: text("noticeId"),
    title: text("title"),
    number: text("solicitationNumber"),
    // Between the agency and the office, there can be any number of further levels.
    names: present(outerLevels(names)),
    codes: present(outerLevels(codes)),
    posted: text("postedDate"),
    type: text("type"),
    archived: text("archiveDate"),
    set_aside: text("typeOfSetAsideDescription"),
    deadline: text("responseDeadLine"),
    naics: present([text("naicsCode"), ...textsAt(element, "naicsCodes")]),
    product: text("classificationCode"),
    city: text("placeOfPerformance.city.name"),
    state: text("placeOfPerformance.state.code") || text("placeOfPerformance.state.name"),
    country: text("placeOfPerformance.country.code") || text("placeOfPerformance.country.name") ||
      text("officeAddress.countryCode"),
    office: { city: text("officeAddress.city"), state: text("officeAddress.state") },
    active: text("active"),
    award: {
      number: text("award.number"),
      date: text("award.date"),
      amount: text("award.amount"),
      awardee: text("award.awardee.name"),
      uei: text("award.awardee.ueiSAM"),
      location: {
        city: text("award.awardee.location.city.name"),
        state: text("award.awardee.location.state.code") ||
          text("award.awardee.location.state.name"),
        country: text("award.awardee.location.country.code") ||
          text("award.awardee.location.country.name"),
      },
    },
    page: text("uiLink"),
    description: "",
    fields: NOTICE_FIELDS,
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

function textAt(value: unknown, path: string): string {
  const member = valueAt(value, path);
  return typeof member === "string" || typeof member === "number" ? `${member}` : "";
}

function textsAt(value: unknown, path: string): string[] {
  const member = valueAt(value, path);
  return Array.isArray(member) ? member.filter((one) => typeof one === "string") : [];
}
