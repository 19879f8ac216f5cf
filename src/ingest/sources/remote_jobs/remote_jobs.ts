/**
 * Reads the companies of remoteintech/remote-jobs, a list of employers of remote workers. Each
 * company writes its own page. The input has one JSON object per line, with the front matter and
 * the Markdown body of one page. The list itself is a repository of Markdown files, so there is no
 * address to fetch.
 */
import type { LeftOut, ReadContext, SourceEntry } from "../../record/entry.ts";
import { readJsonLines } from "../../formats/json.ts";
import { maskedLine, maskedParagraphs, shownValue } from "../../masking/mask_text.ts";
import { normalizeRecord } from "../../record/normalize.ts";
import { textOf, valueIn } from "../../mapping/template.ts";
import { fieldFault } from "../kit/field.ts";
import type { Source } from "../kit/source.ts";
import { FACET_LIMITS } from "../../../contract/facets.ts";
import { normalizeInstant } from "../../../contract/instant.ts";
import type { SourceRecord } from "../../../contract/record.ts";
import { faultOfBounds } from "../../record/field_bounds.ts";
import { sectionsOf, textOfMarkdown } from "../../text/markdown.ts";
import { technologiesIn, technologyOfTag } from "../../classify/technologies.ts";
import {
  countryOfCompany,
  fieldsOf,
  hostnamesOf,
  type ListingPage,
  pageOf,
  placesOf,
  sectionInOneLine,
  textIn,
  textOfPage,
} from "./page.ts";

export const remoteJobs: Source = {
  name: "remote_jobs",
  title: "Remote jobs: companies of remoteintech.company",
  licence: "ISC",
  attribution: "remoteintech/remote-jobs and its contributors (https://remoteintech.company).",
  natural_key: "the company's slug; for its technologies, the slug with /technologies",
  left_out: "companies that are not clearly in Canada or the United States by their main office, " +
    "their first office or, without offices, the region in which they employ; how to apply, " +
    "because it names persons; contact data in texts. For a homepage www.NAME, the hostname " +
    "NAME is recorded too, because lookups do not remove www; job boards and directories do not " +
    "count as homepages",
  read: readListings,
};

/** Max bytes of a page, which bounds its time on the event loop. Real pages have up to 5,000. */
export const PAGE_BYTES = 16_384;

function readListings(
  stream: AsyncIterable<Uint8Array>,
  { retrieved_at }: ReadContext,
): AsyncGenerator<SourceEntry> {
  return readJsonLines(stream, {
    longest: PAGE_BYTES,
    judge(value) {
      const records = recordsOfListing(value, retrieved_at);
      return Array.isArray(records)
        ? records.map(({ record, undated }) => normalizeRecord(record, { undated }))
        : records;
    },
    shown: (value) => shownValue(fieldsOf(value)),
  });
}

/** A record that is not normalized yet. */
interface ListingRecord {
  record: SourceRecord;
  /** True if the page has no date. Its observation time is then the time of reading. */
  undated: boolean;
}

/**
 * Confidence in hundredths. It is limited, because companies write their pages themselves and few
 * update them. `less_without_own_words` is subtracted for technologies if the page only has tags.
 */
const CONFIDENCE = { revised: 70, never_revised: 60, undated: 50, less_without_own_words: 5 };

/**
 * Maps a company's page to records: a profile and, if the page has a date, the technologies that it
 * names. A date means midnight UTC. Returns the reason if the page is left out or faulty.
 *
 * @param retrievedAt time at which the page was read
 */
function recordsOfListing(
  value: unknown,
  retrievedAt: Date,
): ListingRecord[] | LeftOut | { reason: string } {
  const beyond = faultOfBounds(fieldsOf(value), { descriptions: [] });
  if (beyond !== undefined) return { reason: beyond };
  const name = maskedLine(textIn(value, "title"));
  const slug = textIn(value, "slug");
  const website = textIn(value, "website");
  const date = textIn(value, "updatedAt") || textIn(value, "addedAt");
  if (name === "") return fieldFault("title", "", "a name");
  if (!/^[\p{L}\p{N}._-]+$/u.test(slug)) return fieldFault("slug", maskedLine(slug), "a slug");
  const hostnames = hostnamesOf(website, name);
  if (hostnames === undefined) {
    return fieldFault("website", maskedLine(website), "a web address");
  }
  const instant = date === "" ? undefined : `${date}T00:00:00Z`;
  if (instant !== undefined && normalizeInstant(instant) === undefined) {
    const field = textIn(value, "updatedAt") === "" ? "addedAt" : "updatedAt";
    return fieldFault(field, maskedLine(date), "a date");
  }
  const sections = sectionsOf(textIn(value, "body_markdown"));
  const country = countryOfCompany(sections);
  if (country === undefined) {
    return {
      left_out: "a company that does not clearly say that it is in Canada or the United States",
    };
  }
  const page = { value, sections, name, slug, hostnames, instant, country };
  const base = {
    source: "remote_jobs",
    company: { name, external_id: slug, domains: hostnames },
    demand_class: "structural",
    country,
    observed_at: instant ?? retrievedAt.toISOString(),
    expires_at: null,
  } as const;
  const records: SourceRecord[] = [{ ...base, ...profileOf(page) }];
  const technologies = technologiesOf(page);
  if (technologies !== undefined) records.push({ ...base, ...technologies });
  return records.map((record) => ({ record, undated: instant === undefined }));
}

/** The members of a record that differ between a profile and the technologies. */
type Part = Omit<
  SourceRecord,
  "source" | "company" | "demand_class" | "country" | "observed_at" | "expires_at"
>;

function profileOf(page: ListingPage): Part {
  const { value, name, slug, hostnames } = page;
  const policy = maskedLine(textIn(value, "remote_policy"));
  const size = maskedLine(textIn(value, "company_size"));
  const describedSize = sectionInOneLine(page, "company size", 100);
  const offices = sectionInOneLine(page, "office locations", 300);
  const region = sectionInOneLine(page, "region", 200);
  const sentences = [
    `${name}${hostnames.length === 0 ? "" : ` (${hostnames[0]})`} employs people remotely` +
    `${policy && ` (${policy})`}.`,
    (size || describedSize) && `Company size: ${[size, describedSize].filter(Boolean).join("; ")}.`,
    offices && `Offices: ${offices}.`,
    region && `It hires in: ${region}.`,
  ];
  const fact = sentences.filter((sentence) => sentence !== "").join(" ");
  const blurb = maskedParagraphs(textOfMarkdown(page.sections.get("company blurb") ?? ""));
  return {
    external_id: slug,
    kind: "company_profile",
    observed_fact: fact,
    why_it_may_matter: "Who the company is by its own words, in a list of employers of remote " +
      "workers. It is no sign of buying.",
    confidence: confidenceOf(page) / 100,
    occurred_at: null,
    text: textOfPage(page),
    facets: { place: placesOf(page), employment: { workplace: workplaceOfPolicy(policy) } },
    evidence: [{ source_uri: pageOf(slug), excerpt: blurb || fact }],
  };
}

/** Returns one record for all technologies of a company, so that a search finds them together. */
function technologiesOf(page: ListingPage): Part | undefined {
  const { value, name, slug, instant } = page;
  const tags = [valueIn(value, "technologies")].flat().map(textOf).map(maskedLine).filter((word) =>
    word !== ""
  );
  if (tags.length === 0 || instant === undefined) return undefined;
  const listed = supportedTags(tags, page);
  const statement = sectionInOneLine(page, "company technologies", 900);
  const excerpt = maskedParagraphs(textOfMarkdown(page.sections.get("company technologies") ?? ""));
  const named = technologiesIn(excerpt, name);
  if (listed.length + named.length === 0) return undefined;
  const less = statement === "" ? CONFIDENCE.less_without_own_words : 0;
  return {
    external_id: `${slug}/technologies`,
    kind: "technology_use",
    observed_fact: listed.length === 0
      ? `${name} says of its technologies: ${statement}.`
      : `${name} lists these technologies: ${listed.join(", ")}.` +
        (statement && ` In its own words: ${statement}.`),
    why_it_may_matter: "Products and services around these technologies may be of use to the " +
      "company. What it lists is no sign of buying.",
    confidence: (confidenceOf(page) - less) / 100,
    occurred_at: instant,
    // Tags that the text does not support stay searchable.
    text: listed.length < tags.length ? [listing(tags)] : undefined,
    facets: {
      place: placesOf(page),
      technologies: [...new Set([...listed.map(technologyOfTag), ...named])]
        .slice(0, FACET_LIMITS.list),
    },
    evidence: [{
      source_uri: pageOf(slug),
      excerpt: [listing(listed), excerpt].filter((part) => part !== "").join("\n"),
    }],
  };
}

function listing(tags: readonly string[]): string {
  return tags.length === 0 ? "" : `technologies: ${tags.join(", ")}`;
}

/**
 * Patterns of words that support a tag. A tag without support may have been derived from a part of
 * another word. Examples are "go" in Google and MongoDB, "ml" in HTML, "scala" in scalable, and
 * "java" in JavaScript.
 */
const SUPPORT: ReadonlyMap<string, RegExp> = new Map([
  ["go", /(?<![\p{L}\p{N}_.-])go(?:lang)?(?![\p{L}\p{N}_-])/iu],
  ["java", /(?<!\p{L})java(?![\p{L}-]|\s?script)/iu],
  [
    "ml",
    /(?<![\p{L}.])(?:ml|ai|llms?|nlp|machine[ -]learning|deep[ -]learning|artificial intelligence|tensorflow|pytorch|keras|scikit-learn|sklearn|spark)(?!\p{L})/iu,
  ],
  ["scala", /(?<!\p{L})scala(?!\p{L})/iu],
]);

/**
 * Drops those tags of SUPPORT that the company's section on technologies does not support. Without
 * such a section, returns all tags.
 */
function supportedTags(tags: readonly string[], { sections }: ListingPage): string[] {
  const section = sections.get("company technologies") ?? "";
  if (section.trim() === "") return [...tags];
  const text = maskedParagraphs(textOfMarkdown(section));
  return tags.filter((tag) => SUPPORT.get(tag.toLowerCase())?.test(text) ?? true);
}

/**
 * Returns the workplace of a remote policy: "remote-first" and "fully-remote" are remote, but
 * "remote-friendly" is not.
 */
function workplaceOfPolicy(policy: string): "remote" | "hybrid" | undefined {
  if (/hybrid/i.test(policy)) return "hybrid";
  return /fully|first|only|100/i.test(policy) ? "remote" : undefined;
}

function confidenceOf({ value, instant }: ListingPage): number {
  if (instant === undefined) return CONFIDENCE.undated;
  const added = textIn(value, "addedAt");
  return instant.startsWith(added) ? CONFIDENCE.never_revised : CONFIDENCE.revised;
}
