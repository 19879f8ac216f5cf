import { FACET_LIMITS, type Place } from "../../contract/facets.ts";
import { normalizeInstant } from "../../contract/instant.ts";
import type { SourceRecord } from "../../contract/record.ts";
import type { Country } from "../../contract/vocabulary.ts";
import type { LeftOut } from "../record/entry.ts";
import { faultOfBounds } from "../record/field_bounds.ts";
import { sectionsOf, textOfMarkdown } from "../text/markdown.ts";
import { maskedLine, maskedParagraphs } from "../masking/mask_text.ts";
import { distinctPlaces, readPlaces } from "../classify/places.ts";
import { technologiesIn, technologyOfTag } from "../classify/technologies.ts";
import { cutAtWord, withoutEnding } from "../text/clean_text.ts";
import { valueAt } from "./field.ts";
import { countryOfCompany } from "./remote_jobs_place.ts";

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

const FIELDS = [
  ...["title", "slug", "website", "updatedAt", "addedAt"],
  ...["remote_policy", "company_size", "technologies"],
];

/** Matches hosts whose pages are not a company's own site. */
const SHARED_SITES =
  /(?:^|\.)(?:ashbyhq\.com|facebook\.com|github\.com|greenhouse\.io|lever\.co|linkedin\.com|notion\.(?:site|so)|workable\.com|ycombinator\.com)$/;

/**
 * Maps a company's page to records: a profile and, if the page has a date, the technologies that it
 * names. A date means midnight UTC. Returns the reason if the page is left out or faulty.
 *
 * @param retrievedAt time at which the page was read
 */
export function recordsOfListing(
  value: unknown,
  retrievedAt: Date,
): ListingRecord[] | LeftOut | { reason: string } {
  const beyond = faultOfBounds(fieldsOf(value), { descriptions: [] });
  if (beyond !== undefined) return { reason: beyond };
  const name = maskedLine(textIn(value, "title"));
  const slug = textIn(value, "slug");
  const website = textIn(value, "website");
  const date = textIn(value, "updatedAt") || textIn(value, "addedAt");
  if (name === "") return { reason: "title: is empty" };
  if (!/^[\p{L}\p{N}._-]+$/u.test(slug)) return { reason: `slug: is not a slug: ${shown(slug)}` };
  const hostnames = hostnamesOf(website);
  if (hostnames === undefined) {
    return { reason: `website: is not a web address: ${shown(website)}` };
  }
  const instant = date === "" ? undefined : `${date}T00:00:00Z`;
  if (instant !== undefined && normalizeInstant(instant) === undefined) {
    const field = textIn(value, "updatedAt") === "" ? "addedAt" : "updatedAt";
    return { reason: `${field}: is not a date: ${shown(date)}` };
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

/** Returns the members of a page that are read, except its body. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(FIELDS.map((field) => [field, valueAt(value, field)]));
}

interface ListingPage {
  value: unknown;
  sections: ReadonlyMap<string, string>;
  name: string;
  slug: string;
  hostnames: string[];
  instant: string | undefined;
  country: Country;
}

type Part = Pick<
  SourceRecord,
  | "external_id"
  | "kind"
  | "observed_fact"
  | "why_it_may_matter"
  | "confidence"
  | "occurred_at"
  | "text"
  | "facets"
  | "evidence"
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
  const tags = textsIn(value, "technologies").map(maskedLine).filter((word) => word !== "");
  if (tags.length === 0 || instant === undefined) return undefined;
  const listed = supportedTags(tags, page);
  const statement = sectionInOneLine(page, "company technologies", 900);
  const excerpt = maskedParagraphs(
    textOfMarkdown(page.sections.get("company technologies") ?? ""),
  );
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

/** Sections that are searched. "How to apply" is left out, because it names persons. */
const SEARCHED_SECTIONS = [
  "company blurb",
  "company size",
  "remote status",
  "region",
  "company technologies",
  "office locations",
];

function textOfPage({ name, sections }: ListingPage): string {
  const parts = SEARCHED_SECTIONS.map((heading) =>
    maskedParagraphs(textOfMarkdown(sections.get(heading) ?? ""))
  );
  return [name, ...parts].filter((part) => part !== "").join("\n\n");
}

/**
 * Returns the offices that are clearly in Canada or the United States, or the country if there are
 * none.
 */
function placesOf({ sections, country }: ListingPage): Place[] {
  const offices = textOfMarkdown(sections.get("office locations") ?? "").split("\n");
  const places = distinctPlaces(offices.flatMap((office) => readPlaces(office).places));
  return places.length === 0 ? [{ country }] : places.slice(0, FACET_LIMITS.list);
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

function pageOf(slug: string): string {
  return `https://remoteintech.company/companies/${encodeURIComponent(slug)}/`;
}

/** Returns a section as one line, with semicolons between its lines and list items. */
function sectionInOneLine({ sections }: ListingPage, heading: string, max: number): string {
  const lines = maskedParagraphs(textOfMarkdown(sections.get(heading) ?? "")).split("\n")
    .map((line) => withoutEnding(line, /[\s.;,!]/)).filter((line) => line !== "");
  return cutAtWord(lines.join("; ").replaceAll(":; ", ": "), max);
}

/**
 * Returns the hostnames of a company's own site, and none for a shared site. Returns undefined if
 * the text is not an address.
 */
function hostnamesOf(website: string): string[] | undefined {
  const url = URL.parse(website);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  const { hostname } = url;
  if (SHARED_SITES.test(hostname)) return [];
  const bare = hostname.replace(/^www\.(?=[^.]+\.)/, "");
  return bare === hostname ? [hostname] : [bare, hostname];
}

function textIn(value: unknown, name: string): string {
  const member = valueAt(value, name);
  return typeof member === "string" ? member.trim() : "";
}

function textsIn(value: unknown, name: string): string[] {
  const member = valueAt(value, name);
  return Array.isArray(member) ? member.filter((text) => typeof text === "string") : [];
}

function shown(text: string): string {
  return cutAtWord(maskedLine(text), 40) || "(empty)";
}
