/** Reads the organization that a page's JSON-LD (schema.org) describes. */
import type { Country } from "../../../contract/vocabulary.ts";
import {
  countryOfName,
  countryOfPlace,
  type Elsewhere,
  type NamedPlace,
  readPlaces,
} from "../../classify/places.ts";
import { regionOf, territoryOf } from "../../classify/gazetteer.ts";
import { splitCamelCase } from "../../text/clean_text.ts";

/** An organization, without persons, telephone numbers and street addresses. */
export interface LinkedOrganization {
  name: string;
  legal_name: string;
  description: string;
  /** Date of foundation: "2004" or "2004-05-01". */
  founded: string;
  /** Place in words: "Ottawa, Ontario, Canada". */
  place: string;
  country: Country | Elsewhere | undefined;
  /** Parts of this place, if it is in Canada or the United States. */
  located: NamedPlace | undefined;
  /** The industry in the page's words, or the type of business: "Auto Repair". */
  industry: string;
  /** Names of products and services that the organization offers. */
  products: string[];
  /** NAICS codes of two to six digits. */
  naics: string[];
  lei: string;
}

type LinkedNode = Record<string, unknown>;

/**
 * Max numbers of nodes, of values per member, and of characters per text, because the page is not
 * trusted.
 */
const NODES = 2_000;
const VALUES = 20;
const TEXT_CHARACTERS = 10_000;
/** Max length of an address as text, and of each field of an address. */
const PLACE_CHARACTERS = 300;

/**
 * Matches Organization and its subtypes (schema.org 29), except subtypes that are usually one
 * person, such as Dentist and Attorney.
 */
const ORGANIZATION = new RegExp(
  "(?:^|[/:#])(?:\\w*(?:Organization|Corporation|Business|Store|Establishment|Restaurant|Agency|" +
    "Dealer|Contractor|Company|Shop|School|Station)|Airline|Consortium|Cooperative|NGO|Hospital|" +
    "MedicalClinic|Pharmacy|CollegeOrUniversity|ProfessionalService|FinancialService|LegalService|" +
    "AccountingService|EmergencyService|BankOrCreditUnion|Hotel|Library|Bakery|Brewery|Winery|" +
    "Distillery|AutoRental|AutoRepair|Electrician|Plumber|Locksmith|SelfStorage|RecyclingCenter|" +
    "ShoppingCenter|ChildCare)$",
);
/** Members of a page or site that refer to its owner. */
const OWNER = ["publisher", "mainEntity", "about", "copyrightHolder", "sourceOrganization"];

/**
 * Finds the organization of a page. Organizations with a URL on the page's host are preferred, then
 * those with an address, then the first in the page.
 */
export function findOrganization(
  linkedData: readonly unknown[],
  hostname: string,
): LinkedOrganization | undefined {
  const nodes = nodesOf(linkedData);
  const byId = new Map(nodes.flatMap((node) => {
    const id = textOf(node["@id"]);
    // An object that has only an id is a reference.
    return id === "" || Object.keys(node).length === 1 ? [] : [[id, node] as const];
  }));
  const [best] = nodes
    .filter((node) => listOf(node["@type"]).some((type) => ORGANIZATION.test(textOf(type))))
    .filter((node) => nameOf(node) !== "")
    .map((node) => ({ node, rank: rankOf(node, hostname) }))
    .sort((a, b) => b.rank - a.rank);
  // Only one organization is read in full, because a thousand may refer to the same long address.
  return best && organizationOf(best.node, byId);
}

/**
 * Returns the top-level nodes of a page and their owners, in order. Other nested nodes are not
 * included.
 */
function nodesOf(linkedData: readonly unknown[]): LinkedNode[] {
  const nodes: LinkedNode[] = [];
  const waiting = [...linkedData];
  for (let at = 0; at < waiting.length && nodes.length < NODES; at++) {
    const value = waiting[at];
    if (Array.isArray(value)) waiting.push(...value.slice(0, NODES));
    if (!isNode(value)) continue;
    nodes.push(value);
    waiting.push(value["@graph"], ...OWNER.flatMap((name) => listOf(value[name])));
  }
  return nodes;
}

function rankOf(node: LinkedNode, hostname: string): number {
  const url = URL.parse(textOf(node.url) || textOf(node["@id"]));
  const isOwn = url !== null && withoutWww(url.hostname) === withoutWww(hostname);
  return (isOwn ? 2 : 0) + (node.address === undefined ? 0 : 1);
}

function organizationOf(
  node: LinkedNode,
  byId: ReadonlyMap<string, LinkedNode>,
): LinkedOrganization {
  const legalName = textOf(node.legalName);
  const addresses = [node, ...listOf(node.location).map((place) => resolve(place, byId))]
    .flatMap((place) => isNode(place) ? listOf(place.address) : [place])
    .map((address) => resolve(address, byId));
  // Duplicates are dropped, because twenty locations with twenty references each can name one long
  // address four hundred times.
  const places = [...new Set(addresses)].slice(0, VALUES).map(placeOf);
  const known = places.find(({ country }) => country === "CA" || country === "US") ?? places[0];
  return {
    name: nameOf(node),
    legal_name: legalName,
    description: textOf(node.description),
    founded: /^\d{4}(?:-\d\d(?:-\d\d)?)?/.exec(textOf(node.foundingDate))?.[0] ?? "",
    place: known?.text ?? "",
    country: known?.country,
    located: known?.located,
    industry: textOf(node.industry) || typeOfBusiness(node),
    products: productsOf(node, byId),
    naics: listOf(node.naics).flatMap((code) => /^\s*(\d{2,6})\b/.exec(textOf(code))?.[1] ?? []),
    lei: isLei(textOf(node.leiCode)) ? textOf(node.leiCode) : "",
  };
}

function nameOf(node: LinkedNode): string {
  return textOf(node.name) || textOf(node.legalName);
}

/** Matches types that any company can have. */
const ANY_TRADE = new RegExp(
  "^(?:Organization|Corporation|LocalBusiness|NGO|Cooperative|Consortium|ProfessionalService|Store|" +
    "OnlineBusiness|OnlineStore|.*(?:Organization|Establishment))$",
);

/**
 * Returns the type of business in words: AutoRepair gives "Auto Repair". Returns an empty text for
 * a type that any company can have.
 */
function typeOfBusiness(node: LinkedNode): string {
  const names = listOf(node["@type"]).map((type) => textOf(type).replace(/^.*[/:#]/, ""));
  const type = names.find((name) => ORGANIZATION.test(name) && !ANY_TRADE.test(name)) ?? "";
  return splitCamelCase(type);
}

/** Returns the names of the offered items and of the offers. */
function productsOf(node: LinkedNode, byId: ReadonlyMap<string, LinkedNode>): string[] {
  const offers = [...listOf(node.makesOffer), ...listOf(node.hasOfferCatalog)]
    .map((offer) => resolve(offer, byId));
  const items = offers.flatMap((offer) =>
    isNode(offer)
      ? [...listOf(offer.itemOffered), ...listOf(offer.itemListElement)]
        .map((item) => resolve(item, byId))
        .flatMap((item) => isNode(item) ? [item, ...listOf(item.itemOffered)] : [item])
      : []
  );
  const names = [...items, ...offers].map((item) => isNode(item) ? textOf(item.name) : textOf(item))
    .filter((name) => name !== "");
  return [...new Set(names)].slice(0, VALUES);
}

interface Located {
  text: string;
  country: Country | Elsewhere | undefined;
  located?: NamedPlace;
}

/** Reads an address, which is a text or a node of schema.org with a field for the country. */
function placeOf(address: unknown): Located {
  if (!isNode(address)) {
    const text = textOf(address).slice(0, PLACE_CHARACTERS);
    const country = countryOfPlace(text);
    const [located] = country === undefined ? [] : readPlaces(text).places;
    return { text: "", country, located };
  }
  const [locality, region, country] = ["addressLocality", "addressRegion", "addressCountry"]
    .map((name) => textOf(address[name]).slice(0, PLACE_CHARACTERS)) as [string, string, string];
  const postalCode = textOf(address.postalCode).slice(0, PLACE_CHARACTERS);
  const near = [locality, `${region} ${postalCode}`.trim()].filter(Boolean);
  const stated = countryOfName(country);
  const implied = countryOfPlace([...near, stated === undefined ? country : ""].join(", "));
  // In "San Francisco, California, CA", the field of the country is wrong or names a state.
  const isConsistent = stated === undefined || implied === undefined || stated === implied;
  const known = isConsistent ? stated ?? implied : undefined;
  return {
    text: [locality, region, country].filter(Boolean).join(", "),
    country: known,
    located: known === "CA" || known === "US"
      ? {
        country: known,
        region: regionOf(known, region) ?? territoryOf(country),
        city: locality || undefined,
      }
      : undefined,
  };
}

function resolve(value: unknown, byId: ReadonlyMap<string, LinkedNode>): unknown {
  return isNode(value) ? byId.get(textOf(value["@id"])) ?? value : value;
}

/**
 * Returns the text of a value, cut. The text of a list is that of its first element. The text of a
 * node is its value or name: {"@type": "Country", "name": …}.
 */
function textOf(value: unknown): string {
  const [first] = listOf(value);
  const text = isNode(first) ? first["@value"] ?? first.name : first;
  const isText = typeof text === "string" || (typeof text === "number" && !isNode(first));
  return isText ? String(text).slice(0, TEXT_CHARACTERS).trim() : "";
}

function listOf(value: unknown): unknown[] {
  return value === undefined || value === null
    ? []
    : Array.isArray(value)
    ? value.slice(0, VALUES)
    : [value];
}

function isNode(value: unknown): value is LinkedNode {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\./, "");
}

/**
 * Returns whether a text is an LEI with valid check digits (ISO 17442). A mistyped LEI would join
 * two companies.
 */
function isLei(text: string): boolean {
  if (!/^[A-Z0-9]{18}\d\d$/.test(text)) return false;
  const digits = [...text].map((character) => parseInt(character, 36)).join("");
  return BigInt(digits) % 97n === 1n;
}
