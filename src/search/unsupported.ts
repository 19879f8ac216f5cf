/**
 * Recognizes queries that request what the service does not support, in English and French: contact
 * data, outreach, exports of the dataset. Each rule requires the wording of a request. Queries in
 * which the same words name goods or services are supported: "email security software". A request
 * that no rule recognizes does no harm, because it is searched like any other.
 */
import type { SearchFilters } from "../contract/filters.ts";
import { Failure } from "../failures.ts";
import { readPatterns } from "./facets/patterns.ts";
import type { Question } from "./question/question.ts";
import table from "./unsupported.tsv" with { type: "text" };
import { fold } from "./words/stems.ts";

/** Messages to the caller by the reasons for a refusal. */
const MESSAGES = {
  contact_data:
    "This service has no contact data: no e-mail addresses, phone numbers or people to contact. " +
    'Ask for companies by what they do or need, such as "warehouse expansion in Ontario".',
  outreach:
    "This service does not contact anybody. Leave the outreach out and ask only for the companies, " +
    'such as "tenders for fleet maintenance".',
  export:
    "This service has no exports or downloads of its dataset. Narrow the question to the companies " +
    'that you look for, such as "new food processing plants", and page through the results.',
};

/** Patterns of each reason, from unsupported.tsv, with its message. They read a folded query. */
const PATTERNS = readPatterns(table);
const RULES = Object.entries(MESSAGES).map(([reason, message]) => ({
  patterns: PATTERNS.get(reason)!.map((pattern) => new RegExp(pattern)),
  message,
}));

/** @throws Failure unsupported_request for contact data, outreach and exports of the dataset */
export function refuseUnsupported(query: string): void {
  const text = fold(query).replace(/\s+/g, " ").trim();
  const rule = RULES.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
  if (rule !== undefined) throw new Failure("unsupported_request", { message: rule.message });
}

/**
 * Refuses a question that contains only exclusions, unless filters state what is wanted. Almost any
 * record of the dataset would match it.
 *
 * @throws Failure unsupported_request
 */
export function refuseNegationAlone(
  { units, conditions, excluded }: Question,
  filters: SearchFilters,
): void {
  const { exclude_company_ids: _, exclude_domains: __, ...admitted } = filters;
  const isWanted = conditions.length > 0 || units.some(({ is_filler }) => !is_filler) ||
    Object.values(admitted).some((values) => values !== null && values.length > 0);
  if (excluded.length > 0 && !isWanted) throw new Failure("unsupported_request");
}
