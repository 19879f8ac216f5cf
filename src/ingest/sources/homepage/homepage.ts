/**
 * Reads the head and the JSON-LD of home pages of companies. A page is fetched for a hostname that
 * an operator or a caller names, if robots.txt allows it.
 */
import { FACET_LIMITS } from "../../../contract/facets.ts";
import type { SourceRecord } from "../../../contract/record.ts";
import type { Country } from "../../../contract/vocabulary.ts";
import { normalizeHostname } from "../../../contract/hostname.ts";
import type { LeftOut, ReadContext, SourceEntry } from "../../record/entry.ts";
import { type HtmlPage, PAGE_BYTES, readHtmlPage } from "../../formats/html_page.ts";
import { findOrganization, type LinkedOrganization } from "./linked_organization.ts";
import { maskedLine, shownValue } from "../../masking/mask_text.ts";
import { type Judged, normalizeRecord } from "../../record/normalize.ts";
import { sectorOfNaics } from "../../classify/sectors.ts";
import type { Remote, Source, SourceRequest } from "../kit/source.ts";
import { cutAtWord } from "../../text/clean_text.ts";
import { legalFormOf } from "../../record/company_name.ts";
import { facetText } from "../../record/facets.ts";

const remote: Remote = {
  // Each target is a host. If the operator sets an address, the hostname is appended to it.
  address: "",
  target: { meaning: "a company's hostname", pattern: /^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/ },
  interval_seconds: 30 * 86_400,
  pause_milliseconds: 1_000,
  robots: true,
  bytes_max: PAGE_BYTES,
  request: (address, { target }) => requestOf(address, target!),
  hostname: requestOf,
  search: {
    kinds: ["company_profile"],
    countries: ["CA", "US"],
    demand_classes: ["structural"],
    request: (address, { domains: [hostname] }) =>
      hostname === undefined ? undefined : requestOf(address, hostname),
  },
};

export const homepage: Source = {
  name: "homepage",
  title: "Home pages of companies",
  licence: "no open licence; short facts and the page's own description, with its address",
  attribution: "As described by the company on its home page.",
  natural_key: "the hostname",
  left_out:
    "persons, telephone numbers, e-mail and street addresses; the body of the page; pages " +
    "that ask not to be indexed",
  async *read(stream, context) {
    yield entryOf(await readHtmlPage(stream), context);
  },
  remote,
};

/** Returns whether a page asks robots not to index it. */
function forbidsIndexing({ meta }: HtmlPage): boolean {
  const rules = (meta.get("robots") ?? "").toLowerCase().split(",").map((rule) => rule.trim());
  return rules.includes("noindex") || rules.includes("none");
}

function requestOf(address: string, hostname: string): SourceRequest {
  return {
    url: address === "" ? `https://${hostname}/` : `${address}/${hostname}/`,
    accept: "text/html, application/xhtml+xml",
    target: hostname,
  };
}

/** Max number of characters that are kept of each text of a page. */
const TEXT_CHARACTERS = 5_000;

/**
 * Confidence in the name and place of the company, which nobody has verified. `stated` means that
 * JSON-LD contains its address. `hinted` means that the language is Canadian or the top-level
 * domain is for residents. `by_title` is subtracted if only the title or the hostname names the
 * company.
 */
const CONFIDENCE = { stated: 0.8, hinted: 0.6, by_title: 0.1 } as const;

/** Top-level domains for residents (CIRA's presence requirements, the .us nexus, .gov). */
const RESIDENTS: Readonly<Record<string, Country>> = { ca: "CA", us: "US", gov: "US" };

function entryOf(page: HtmlPage, context: ReadContext): SourceEntry {
  if (forbidsIndexing(page)) {
    return { line: 1, raw: null, judged: { left_out: "a page that asks not to be indexed" } };
  }
  const hostname = hostnameOf(context);
  return {
    line: 1,
    get raw() {
      return shownValue({ hostname, title: page.title, description: descriptionOf(page) });
    },
    judged: judge(page, { context, hostname }),
  };
}

function judge(
  page: HtmlPage,
  { context, hostname }: { context: ReadContext; hostname: string | undefined },
): Judged | LeftOut {
  if (hostname === undefined) {
    return { reason: "the hostname of the page is not known: state it by --company and --domain" };
  }
  const organization = findOrganization(page.linked_data, hostname);
  const place = placeOf(page, { hostname, organization });
  if (place === undefined) {
    return { left_out: "a page that names no place in Canada or the United States" };
  }
  const descriptions = [descriptionOf(page), organization?.description ?? ""].map(lineOf);
  const excerpt = [...new Set([lineOf(page.title), ...descriptions])].filter(Boolean).join("\n");
  if (excerpt === "") return { reason: "the page has neither a title nor a description" };
  const named = context.company?.name ?? organization?.name ?? page.meta.get("og:site_name") ?? "";
  const name = lineOf(named) || nameOfTitle(page, hostname);
  if (name === undefined || (lineOf(named) === "" && FOR_SALE.test(page.title))) {
    return { left_out: "a page that does not name its company" };
  }
  const record: SourceRecord = {
    source: "homepage",
    external_id: hostname,
    company: {
      name,
      domains: [hostname],
      // An identifier that a page states of itself is text. As an identifier of the record, it would
      // attach the page to any company whose identifier the page copies.
      identifiers: {},
    },
    kind: "company_profile",
    observed_fact: factOf(name, {
      hostname,
      organization,
      description: descriptions.find(Boolean),
    }),
    why_it_may_matter: `What ${name} says about itself tells what it is and does. It is the ` +
      "company's own description, and no sign that it wants to buy anything now.",
    demand_class: "structural",
    country: place.country,
    confidence: Number(
      (CONFIDENCE[place.basis] - (lineOf(named) === "" ? CONFIDENCE.by_title : 0)).toFixed(2),
    ),
    observed_at: context.retrieved_at.toISOString(),
    text: textOf(organization, excerpt),
    facets: {
      place: place.basis === "stated" && organization?.located !== undefined
        ? organization.located
        : { country: place.country },
      industry: facetText(maskedLine(organization?.industry ?? "")),
      product: facetText(maskedLine(organization?.products.join(", ") ?? "")),
      naics: organization?.naics.slice(0, FACET_LIMITS.list),
    },
    categories: (organization?.naics ?? []).flatMap((code) => sectorOfNaics(code) ?? []),
    evidence: [{ source_uri: `https://${hostname}/`, excerpt }],
  };
  return normalizeRecord(record, { undated: true });
}

/**
 * Returns the requested hostname, or else that of the operator or of the fetched address. An
 * address that the page states is not used, because it can be that of another company.
 */
function hostnameOf({ target, company, address }: ReadContext): string | undefined {
  return [target, company?.domains[0], URL.parse(address ?? "")?.hostname]
    .map((name) => normalizeHostname(name ?? "")).find((name) => name !== undefined);
}

/**
 * Returns the country and its basis. Returns undefined if JSON-LD states a place in another
 * country, even if language or hostname hint at Canada or the United States.
 */
function placeOf(
  page: HtmlPage,
  { hostname, organization }: { hostname: string; organization: LinkedOrganization | undefined },
): { country: Country; basis: "stated" | "hinted" } | undefined {
  const stated = organization?.country;
  if (stated === "elsewhere") return undefined;
  if (stated !== undefined) return { country: stated, basis: "stated" };
  const resident = RESIDENTS[hostname.split(".").at(-1)!];
  if (resident !== undefined) return { country: resident, basis: "hinted" };
  // "en-US" is no hint, because it is the default of many tools.
  const languages = [page.language, page.meta.get("og:locale") ?? ""];
  const isCanadian = languages.some((language) => /^\s*(?:en|fr)[-_]CA\b/i.test(language));
  return isCanadian ? { country: "CA", basis: "hinted" } : undefined;
}

/** Matches titles of parked domains: "acme.ca is for sale", "Domain name for sale". */
const FOR_SALE =
  /(?:domaine?(?: names?)?|\.[a-z]{2,24})["'”]?(?: (?:is|may be|est))?(?: available)? (?:for (?:sale|purchase)|à vendre)/i;

/** Matches parts of titles that name no company, even if the hostname contains the word. */
const NAMES_NOBODY = new RegExp(
  "^(?:home ?(?:page)?|accueil|log ?in|sign in|shop|store|boutique|blog|react app|index of|" +
    "coming soon|just a moment|access denied|welcome to nginx|(?:404 )?(?:page )?not found)\\P{L}*$",
  "iu",
);

/**
 * Returns the part of a title that resembles the hostname, or else one with a legal form: "Home |
 * Acme Robotics" gives "Acme Robotics". If there is none, the title may be that of any page, so the
 * hostname is the name. Returns undefined if such a page has no description either.
 */
function nameOfTitle(page: HtmlPage, hostname: string): string | undefined {
  // The last label before the top-level domain is rather that of the company than "shop" or "en".
  const labels = hostname.split(".").slice(0, -1).reverse().map(foldedOf)
    .filter((label) => label.length > 1 && label !== "www");
  const parts = lineOf(page.title).split(/\s+[-–—|·:•]\s+|:\s+|\s*\|\s*/)
    .filter((part) => foldedOf(part) !== "" && !NAMES_NOBODY.test(part));
  const [resembling = parts.find((part) => legalFormOf(part) !== "")] = labels
    .flatMap((label) => parts.find((part) => resembles(part, label)) ?? []);
  return resembling ?? (descriptionOf(page) === "" ? undefined : hostname);
}

/** Returns whether a part of a title has the words, the first word or the initials of a label. */
function resembles(part: string, label: string): boolean {
  const words = part.split(/\s+/).map(foldedOf).filter(Boolean);
  const [first] = words as [string];
  return label.includes(words.join("")) || first === label ||
    (label.length > 2 && words.join("").includes(label)) ||
    (first.length > 3 && label.includes(first)) ||
    (words.length > 1 && words.map(([initial]) => initial).join("").startsWith(label));
}

function factOf(
  name: string,
  { hostname, organization, description }: {
    hostname: string;
    organization: LinkedOrganization | undefined;
    description: string | undefined;
  },
): string {
  const legal = lineOf(organization?.legal_name ?? "");
  const place = lineOf(organization?.place ?? "");
  const industry = lineOf(organization?.industry ?? "");
  const products = lineOf(organization?.products.join(", ") ?? "");
  const naics = organization?.naics.join(", ") ?? "";
  const sentences = [
    description === undefined
      ? `${name} has a home page at ${hostname}.`
      : `${name} describes itself at ${hostname}: ${
        cutAtWord(description, 1_000).replace(/[.…]$/, "")
      }.`,
    legal !== "" && legal !== name && `Legal name: ${legal.replace(/\.$/, "")}.`,
    organization?.founded && `Founded: ${organization.founded}.`,
    place && `Place: ${place}.`,
    industry && `Industry: ${industry}.`,
    products && `Offers: ${cutAtWord(products, 300)}.`,
    naics && `NAICS: ${naics}.`,
    organization?.lei && `LEI: ${organization.lei}.`,
  ];
  return sentences.filter(Boolean).join(" ");
}

function descriptionOf({ meta }: HtmlPage): string {
  return meta.get("description") || meta.get("og:description") || "";
}

/**
 * Returns the searched text: excerpt, industry and offers. Returns undefined if it would be only
 * the excerpt.
 */
function textOf(organization: LinkedOrganization | undefined, excerpt: string): string | undefined {
  const more = [organization?.industry ?? "", ...organization?.products ?? []].map(lineOf)
    .filter(Boolean);
  return more.length === 0 ? undefined : [excerpt, ...more].join("\n");
}

function lineOf(text: string): string {
  return cutAtWord(maskedLine(text), TEXT_CHARACTERS);
}

function foldedOf(text: string): string {
  return text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}
