/** Finds the next page of an operator's own feed, as its mapping says. */
import { FetchFailure } from "../fetch/fetcher.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { Pages } from "../mapping/pages.ts";
import { valueIn } from "../mapping/template.ts";
import { UnreadableSource } from "../record/entry.ts";
import type { PageAnswer, SourceRequest } from "../sources/kit/source.ts";

/** Returns the address of the first page. */
export function firstPage(address: string, pages: Pages | undefined): string {
  if (pages?.by !== "number") return address;
  return withParameter(address, pages.parameter, String(pages.first ?? 1)).href;
}

/**
 * Returns the request for the page after an answer with `read` rows; undefined after the last page.
 * @throws FetchFailure if the next page is not at the origin of the feed, which alone may get its
 * header; UnreadableSource if the answer does not say where the next page is
 */
export function nextPage(
  { pages, encoding }: { pages: Pages; encoding: Mapping["encoding"] },
  request: SourceRequest,
  { read, ...answer }: PageAnswer & { read: number },
): SourceRequest | undefined {
  const next = nextAddress(pages, request, { read, encoding, ...answer });
  if (next === undefined) return undefined;
  const { origin, hostname, href } = new URL(request.url);
  if (next.origin !== origin) {
    throw new FetchFailure("bad_address", `${hostname}: the next page is at ${next.origin}`);
  }
  if (next.href === href) throw new UnreadableSource("the next page is the same page again");
  return { ...request, url: next.href };
}

interface ReadPage extends PageAnswer {
  read: number;
  encoding: Mapping["encoding"];
}

function nextAddress(pages: Pages, { url }: SourceRequest, page: ReadPage): URL | undefined {
  switch (pages.by) {
    case "number": {
      const { parameter, step = 1, size = 1 } = pages;
      if (page.read < size) return undefined;
      const number = Number(new URL(url).searchParams.get(parameter));
      return withParameter(url, parameter, String(number + step));
    }
    case "cursor": {
      const cursor = memberOf(page, pages.path);
      return cursor === undefined ? undefined : withParameter(url, pages.parameter, cursor);
    }
    case "link": {
      const link = pages.path === undefined
        ? nextLink(page.link ?? "")
        : memberOf(page, pages.path);
      if (link === undefined) return undefined;
      const next = URL.parse(link, page.url);
      if (next === null) throw new UnreadableSource("the address of the next page is not valid");
      next.hash = "";
      return next;
    }
  }
}

function withParameter(address: string, parameter: string, value: string): URL {
  const url = new URL(address);
  url.searchParams.set(parameter, value);
  return url;
}

/** Returns a text or number of the document; undefined if it is absent, null, false or empty. */
function memberOf({ members, encoding }: ReadPage, path: string): string | undefined {
  const value = valueIn(documentOf(members!, encoding), path);
  if (value === undefined || value === null || value === false || value === "") return undefined;
  if (typeof value === "number" && !Number.isSafeInteger(value)) {
    throw new UnreadableSource(
      `${path}: is a number that cannot be read exactly; a text is required`,
    );
  }
  if (typeof value === "string" || typeof value === "number") return String(value);
  throw new UnreadableSource(`${path}: a text or a number is required`);
}

function documentOf(members: Uint8Array, encoding: Mapping["encoding"]): object {
  try {
    return Object(JSON.parse(new TextDecoder(encoding).decode(members)));
  } catch {
    throw new UnreadableSource("the page is not a JSON document");
  }
}

/** Matches a link with its parameters, and one parameter (RFC 8288, 3). Both take linear time. */
const LINK =
  /<([^<>]*)>((?:\s*;\s*[\w!#$%&'*+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]+))?)*)/g;
const PARAMETER = /;\s*([\w!#$%&'*+.^`|~-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]+)))?/g;

/** Returns the target of the first link with the relation `next`. */
function nextLink(header: string): string | undefined {
  for (const [, target, parameters] of header.matchAll(LINK)) {
    const rel = [...parameters!.matchAll(PARAMETER)].find(([, name]) =>
      name!.toLowerCase() === "rel"
    );
    const relations = (rel?.[2] ?? rel?.[3] ?? "").toLowerCase().split(/\s+/);
    if (relations.includes("next")) return target;
  }
}
