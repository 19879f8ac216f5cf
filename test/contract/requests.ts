/** Requests that people and programs might send, and requests that nobody should. */
import fc from "fast-check";

export interface GeneratedRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

/** What generated requests may refer to. */
export interface Known {
  keys: string[];
  ids: number[];
  hostnames: string[];
  cursors: string[];
}

/** Any text: of any script, with controls, \u0000 and lone surrogates. */
const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ maxLength: 30 }),
  // Code units one by one, so that surrogates stand alone.
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom("\u0000", "\ud800", "a\u0000b", "\ufeff", "İ", "ß", "\u202e", "😀".repeat(200)),
);

const anyNumber = fc.oneof(
  fc.integer({ min: -3, max: 110 }),
  fc.maxSafeInteger(),
  fc.double(),
  fc.constantFrom(2 ** 31, 2 ** 53, 2 ** 63, 1e300, -0, 0.1),
);

const anyJson = fc.oneof(
  anyText,
  anyNumber,
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 4 }),
);

const instant = fc.oneof(
  fc.constantFrom(
    "2026-03-01T00:00:00Z",
    "2020-01-01T00:00:00+05:30",
    "2026-03-01T00:00:00,5-0330",
  ),
  fc.constantFrom("2026-03-01", "2026-02-30T00:00:00Z", "9999-12-31T23:59:59-23:59", "now"),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

/** Mostly `good`, at times anything else. */
const mostly = <T, U>(good: fc.Arbitrary<T>, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 19, arbitrary: good }, { weight: 1, arbitrary: other });

export function generatedRequests(known: Known): fc.Arbitrary<GeneratedRequest> {
  const requests: fc.Arbitrary<Omit<GeneratedRequest, "headers">> = fc.oneof(
    { weight: 6, arbitrary: searches(known) },
    { weight: 3, arbitrary: listings(known) },
    { weight: 3, arbitrary: lookups(known) },
    { weight: 3, arbitrary: reads(known) },
    { weight: 2, arbitrary: strangers() },
  );
  return fc.tuple(requests, headers(known)).map(([request, headers]) => ({
    ...request,
    headers: request.body === undefined ? headers : { ...JSON_TYPE, ...headers },
  }));
}

const JSON_TYPE = { "content-type": "application/json" };

function searches(known: Known): fc.Arbitrary<Omit<GeneratedRequest, "headers">> {
  const list = <T>(value: fc.Arbitrary<T>) =>
    mostly(fc.array(mostly(value, anyJson), { maxLength: 4 }), anyJson);
  const ids = list(fc.constantFrom(...known.ids));
  const hostnames = list(fc.constantFrom(...known.hostnames));
  const filters = fc.record({
    countries: list(fc.constantFrom("CA", "US")),
    kinds: list(fc.constantFrom("procurement_request", "facility_expansion")),
    demand_classes: list(fc.constantFrom("explicit_request", "proxy", "structural")),
    occurred_after: mostly(instant, anyJson),
    observed_after: mostly(instant, anyJson),
    company_ids: ids,
    exclude_company_ids: ids,
    domains: hostnames,
    exclude_domains: hostnames,
  }, { requiredKeys: [] });
  const good = fc.record({
    query: mostly(
      fc.constantFrom("freezer", "un entrepôt frigorifique", "steel and rail"),
      anyJson,
    ),
    filters: mostly(filters, anyJson),
    limit: mostly(fc.integer({ min: 1, max: 26 }), anyJson),
    cursor: mostly(fc.constantFrom(null, ...known.cursors), anyJson),
    background: mostly(fc.boolean(), anyJson),
  }, { requiredKeys: ["query"] });
  const extended = mostly(good, fc.tuple(good, anyText, anyJson))
    .map((body) => Array.isArray(body) ? { ...body[0], [body[1]]: body[2] } : body);
  const text = fc.oneof(
    { weight: 40, arbitrary: extended.map((body) => JSON.stringify(body)) },
    { weight: 2, arbitrary: anyJson.map((value) => JSON.stringify(value)) },
    {
      weight: 2,
      arbitrary: fc.tuple(good, anyJson).map(([body, twice]) => withTwice(body, twice)),
    },
    { weight: 1, arbitrary: fc.tuple(extended, fc.nat(60)).map(([body, at]) => cut(body, at)) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 70_000 }).map(nested) },
    { weight: 1, arbitrary: fc.constantFrom("9".repeat(400), "-1e999", '{"limit":1e400}') },
    {
      weight: 1,
      arbitrary: fc.integer({ min: 200_000, max: 300_000 })
        .map((size) => JSON.stringify({ query: "x", ["k".repeat(size)]: 1 })),
    },
  );
  return fc.record({
    method: mostly(fc.constant("POST"), methods),
    path: mostly(fc.constant(""), parameters(known)).map((query) =>
      `/api/companies/search${query}`
    ),
    body: text,
  }).map(withoutBodyOfGet);
}

function withTwice(body: object, value: unknown): string {
  return JSON.stringify(body).replace(/^\{/, `{"query":${JSON.stringify(value)},`);
}

function cut(body: object, at: number): string {
  return JSON.stringify(body).slice(0, at);
}

function nested(depth: number): string {
  return `{"query":"x","filters":${"[".repeat(depth)}${"]".repeat(depth)}}`;
}

const methods = fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW");

function withoutBodyOfGet<T extends { method: string; body: string | undefined }>(request: T): T {
  const bodiless = request.method === "GET" || request.method === "HEAD";
  return bodiless ? { ...request, body: undefined } : request;
}

function parameters(known: Known): fc.Arbitrary<string> {
  const value = (name: string): fc.Arbitrary<unknown> => {
    switch (name) {
      case "ids[]":
        return mostly(fc.constantFrom(...known.ids), fc.oneof(anyNumber, anyText));
      case "domains[]":
        return mostly(fc.constantFrom(...known.hostnames), anyText);
      case "kinds[]":
        return mostly(fc.constantFrom("procurement_request", "job_posting"), anyText);
      case "since":
        return mostly(instant, anyText);
      case "limit":
        return mostly(fc.integer({ min: 1, max: 100 }), fc.oneof(anyNumber, anyText));
      case "cursor":
        return mostly(fc.constantFrom(...known.cursors), anyText);
      default:
        return anyText;
    }
  };
  const names = mostly(
    fc.constantFrom("ids[]", "domains[]", "kinds[]", "since", "limit", "cursor"),
    fc.oneof(anyText, fc.constantFrom("ids", "domains[0]", "toString", "__proto__", "[]")),
  );
  const pairs = fc.array(
    names.chain((name) => value(name).map((one) => [name, String(one)] as [string, string])),
    { maxLength: 5 },
  );
  return mostly(pairs.map(encoded), anyText.map((text) => `?${text}`));
}

function encoded(pairs: [string, string][]): string {
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
}

function listings(known: Known): fc.Arbitrary<Omit<GeneratedRequest, "headers">> {
  const good = fc.record({
    domains: fc.array(fc.constantFrom(...known.hostnames), { minLength: 1, maxLength: 4 }),
    since: mostly(instant, anyText),
    limit: fc.option(fc.oneof(fc.integer({ min: 1, max: 3 }), anyNumber), { nil: undefined }),
    cursor: fc.option(fc.constantFrom(...known.cursors), { nil: undefined, freq: 2 }),
  }).map(({ domains, since, limit, cursor }) =>
    encoded([
      ...domains.map((one): [string, string] => ["domains[]", one]),
      ["since", since],
      ...limit === undefined ? [] : [["limit", String(limit)] as [string, string]],
      ...cursor === undefined ? [] : [["cursor", cursor] as [string, string]],
    ])
  );
  return got("/api/observations", fc.oneof(good, parameters(known)));
}

function lookups(known: Known): fc.Arbitrary<Omit<GeneratedRequest, "headers">> {
  const some = <T>(name: string, value: fc.Arbitrary<T>) =>
    fc.array(mostly(value, anyText), { minLength: 1, maxLength: 22 })
      .map((all) => encoded(all.map((one): [string, string] => [name, String(one)])));
  const good = fc.oneof(
    some("ids[]", fc.constantFrom(...known.ids)),
    some("domains[]", fc.constantFrom(...known.hostnames)),
  );
  return got("/api/companies", fc.oneof(good, parameters(known)));
}

function reads(known: Known): fc.Arbitrary<Omit<GeneratedRequest, "headers">> {
  const id = fc.oneof(
    fc.constantFrom(...known.ids),
    anyNumber,
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom("%00", "1%2F2", "..", "%2e%2e", "1;a", "%ff", "9".repeat(300)),
  );
  const path = fc.tuple(fc.constantFrom("companies", "observations", "usages", "usage"), id)
    .map(([kind, one]) => kind === "usage" ? "/api/usage" : `/api/${kind}/${one}`);
  return path.chain((at) => got(at, mostly(fc.constant(""), parameters(known))));
}

/** Paths that are nowhere, or nearly somewhere. */
function strangers(): fc.Arbitrary<Omit<GeneratedRequest, "headers">> {
  const path = fc.oneof(
    fc.constantFrom("/healthz", "/readyz", "/openapi.json", "/api", "/api/", "//api/usage"),
    fc.constantFrom("/api/usage/", "/api/%75sage", "/API/usage", "/api/companies/search/"),
    fc.webPath(),
    anyText.map((text) => `/${encodeURIComponent(text.toWellFormed())}`),
  );
  return path.chain((at) => got(at, fc.constant("")));
}

function got(
  path: string,
  query: fc.Arbitrary<string>,
): fc.Arbitrary<Omit<GeneratedRequest, "headers">> {
  return fc.record({
    method: mostly(fc.constant("GET"), methods),
    path: query.map((one) => path + one),
    body: fc.option(anyText, { nil: undefined }),
  }).map(withoutBodyOfGet);
}

/** What a header can carry at all: Latin-1 without line breaks and \u0000. */
const headerText = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).filter((c) => c !== 0x7f)
    .map((c) => String.fromCharCode(c)),
  maxLength: 300,
});

function headers(known: Known): fc.Arbitrary<Record<string, string>> {
  const bearer = fc.constantFrom(...known.keys).map((key) => `Bearer ${key}`);
  const request_key = fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((n) => `key ${n}`),
    fc.uuid(),
  );
  const all = fc.record({
    "authorization": fc.oneof(
      { weight: 30, arbitrary: bearer },
      { weight: 1, arbitrary: headerText },
      { weight: 1, arbitrary: headerText.map((text) => `Bearer ${text}`) },
    ),
    "idempotency-key": mostly(request_key, headerText),
    "content-type": mostly(
      fc.constantFrom("application/json", "application/json; charset=utf-8", "Application/JSON"),
      fc.oneof(headerText, fc.constantFrom("text/plain", "application/jsonp", "")),
    ),
    "content-length": fc.constantFrom("0", "99999999999", "-1", "x"),
    "accept": headerText,
    "accept-encoding": fc.constantFrom("gzip", "br;q=0", "*"),
    "if-none-match": headerText,
    "range": fc.constantFrom("bytes=0-1", "x"),
    "origin": headerText,
    "x-http-method-override": fc.constantFrom("DELETE", "POST"),
  }, { requiredKeys: [] });
  return fc.tuple(all, fc.integer({ min: 0, max: 2 }), fc.uuid()).map(([all, place, uuid]) => ({
    // Most of them get past the first checks.
    ...place > 0 && { "authorization": `Bearer ${known.keys[0]}`, "idempotency-key": uuid },
    ...defined(all),
  }));
}

function defined(all: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
