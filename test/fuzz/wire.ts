/** Generates the parts of a request around its values: methods, targets, headers and bodies. */
import fc from "fast-check";
import type { Known } from "./known.ts";
import { type JsonNode, printJson } from "./json_text.ts";
import { headerText, hostileKey, hostileName, hostileText } from "./values.ts";

export interface Body {
  bytes: Uint8Array<ArrayBuffer>;
  /** Sizes of the chunks of the body. Absent: the length is declared. */
  chunks?: number[];
}

const encoder = new TextEncoder();

export function bodyOf(node: JsonNode): Body {
  return { bytes: encoder.encode(printJson(node)) };
}

export const METHODS = fc.constantFrom(
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW", "get", "post", "Head"],
  ...["PROPFIND", "__proto__", "constructor", "toString", "M-SEARCH", "X".repeat(300)],
);

/** Generates bodies that contain the node, have damaged bytes, or ignore the node. */
export function bodies(node: fc.Arbitrary<JsonNode>): fc.Arbitrary<Body> {
  const plain = node.map((one) => encoder.encode(printJson(one)));
  const bytes: fc.Arbitrary<Uint8Array<ArrayBuffer>> = fc.oneof(
    { weight: 3, arbitrary: plain },
    { weight: 3, arbitrary: fc.tuple(plain, spoiling).map(([one, spoil]) => spoil(one)) },
    fc.uint8Array({ maxLength: 40 }).map((one) => new Uint8Array(one)),
    fc.integer({ min: 200_000, max: 300_000 })
      .map((size) => encoder.encode(JSON.stringify({ query: "x", ["k".repeat(size)]: 1 }))),
  );
  const chunks = fc.option(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 30 }), {
    nil: undefined,
  });
  return fc.record({ bytes, chunks });
}

type Spoil = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>;

const joined = (...parts: Iterable<number>[]) => Uint8Array.from(parts.flatMap((one) => [...one]));

const spoiling: fc.Arbitrary<Spoil> = fc.oneof(
  fc.nat(80).map((length): Spoil => (bytes) => bytes.slice(0, length)),
  fc.tuple(fc.nat(80), fc.nat(255)).map(([at, byte]): Spoil => (bytes) =>
    bytes.map((one, place) => place === at % bytes.length ? byte : one)
  ),
  fc.constantFrom<Spoil>(
    // The first four add a byte order mark, use UTF-16 in both byte orders, and append Latin-1.
    (bytes) => joined([0xef, 0xbb, 0xbf], bytes),
    (bytes) => joined([0xff, 0xfe], [...bytes].flatMap((one) => [one, 0])),
    (bytes) => joined([...bytes].flatMap((one) => [0, one])),
    (bytes) => joined(bytes, [0xe9]),
    (bytes) => joined(bytes, bytes),
    (bytes) => joined(bytes, encoder.encode(" // comment")),
    (bytes) => joined(encoder.encode(" \n\t\r"), bytes, encoder.encode(" \n")),
    (bytes) => joined([0x1e], bytes, [0]),
    (bytes) => joined([0x1f, 0x8b, 8, 0], bytes),
  ),
);

/** Generates queries with odd encodings, separators, names and repetitions. */
export function hostileQuery(pairs: [string, string][]): fc.Arbitrary<string> {
  const plain = `${new URLSearchParams(pairs)}`;
  const escape = (text: string) =>
    [...encoder.encode(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const more = fc.oneof(
    fc.constantFrom(
      ...["=", "&&", "=x", "%00=1", "%ff=1", "%zz", "%", "ids[0]=1", "ids%5B%5D=1", "IDS[]=1"],
      ...[
        "domains=x",
        "limit=1&limit=1",
        "limit=1;limit=2",
        "__proto__=1",
        "__proto__[]=1",
        "[]=1",
      ],
      ...[
        "constructor=1",
        "toString[]=1",
        "limit[]=1",
        "since=+",
        "#fragment",
        "?",
        "cursor=%u0041",
      ],
    ),
    hostileName.map((name) => `${encodeURIComponent(name.toWellFormed())}=1`),
    hostileText,
  );
  return fc.oneof(
    more.map((text) => `?${plain}&${text}`),
    more.map((text) => `?${text}`),
    fc.constantFrom(
      `?${plain}&${plain}`,
      `?${pairs.map((pair) => pair.map(escape).join("=")).join("&")}`,
      `?${pairs.map((pair) => pair.map(escape).map(escape).join("=")).join("&")}`,
      `?${pairs.map((pair) => pair.join("=")).join("&")}`,
      `?${plain.replaceAll("&", ";")}`,
      `?${plain}&${"x=1&".repeat(2000)}`,
    ),
  );
}

/** Generates paths that do not exist or resemble an existing one. */
export function oddTargets(path: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(
      `${path}/`,
      `/${path}`,
      `${path}/..`,
      `${path}/%2e%2e/usage`,
      path.toUpperCase(),
      path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
      path.replace("/api", "/api/./"),
      path.replaceAll("/", "\\"),
      `${path};jsessionid=1`,
      `${path}%00`,
      `${path}%2f`,
      `${path}\u00e9`,
      "/api",
      "/",
      "/mcp",
      "/docs",
      "/docs/../api/usage",
      "/__proto__",
      "/api/usages/constructor",
      `/${"a/".repeat(2000)}`,
    ),
    fc.webPath(),
    hostileText.map((text) => `/${encodeURIComponent(text.toWellFormed())}`),
  );
}

const TYPES = [
  ...["application/json; charset=utf-8", "Application/JSON", "application/json;charset=utf-16"],
  ...['application/json; charset="latin1"', "application/json ;x", "application/jsonp", ""],
  ...["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"],
  ...["application/json, text/plain", "application/vnd.api+json", "json", "*/*"],
];

/** Generates the headers of valid requests, and hostile headers. */
export function headersOf(
  { key, other_keys }: Known,
): Record<"clean" | "hostile", fc.Arbitrary<[string, string][]>> {
  const bearer = (one: string): [string, string] => ["authorization", `Bearer ${one}`];
  const request_key = (one: string): [string, string] => ["idempotency-key", one];
  const few = fc.nat(40).map((n) => `key ${n}`);
  const clean = fc.uuid().map((uuid) => [bearer(key), request_key(uuid)]);
  const authorization: fc.Arbitrary<[string, string]> = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(key, ...other_keys).map(bearer) },
    { weight: 1, arbitrary: headerText.map((text): [string, string] => ["authorization", text]) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        ...["", "Bearer", "Bearer ", `bearer  ${key} `, `Basic ${btoa(`x:${key}`)}`, key],
        ...[`Bearer ${key}x`, `Bearer ${key.toUpperCase()}`, `Bearer ${key}, Bearer ${key}`],
        `Bearer ce_${"0".repeat(38)}`,
      ).map((text): [string, string] => ["authorization", text]),
    },
  );
  const single = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<[string, string]> =>
    values.map((value) => [name, value]);
  const extra = fc.oneof(
    single("content-type", fc.oneof(fc.constantFrom(...TYPES), headerText)),
    single("content-length", fc.constantFrom("0", "99999999999", "-1", "x", "1e3", " 5 ", "5, 5")),
    single(
      "accept",
      fc.oneof(fc.constantFrom("text/html", "*/*;q=0", "application/xml"), headerText),
    ),
    single("accept-encoding", fc.constantFrom("gzip", "gzip;q=0", "br;q=0", "*", "gzip;q=x")),
    single("accept-charset", fc.constantFrom("utf-16", "*;q=0")),
    single("content-encoding", fc.constantFrom("gzip", "identity", "br", "x")),
    single("if-none-match", fc.oneof(fc.constantFrom("*", 'W/"x"'), headerText)),
    single("range", fc.constantFrom("bytes=0-1", "bytes=-1", "x")),
    single("origin", fc.oneof(fc.constantFrom("null", "http://127.0.0.1", "http://["), headerText)),
    single("x-http-method-override", fc.constantFrom("DELETE", "POST")),
    single("forwarded", headerText),
    single("x-forwarded-host", headerText),
    single("cookie", headerText),
    single("expect", fc.constantFrom("100-continue", "x")),
    single("idempotency-key", hostileKey),
  );
  const keys = fc.oneof(
    few.map(request_key),
    fc.uuid().map(request_key),
    hostileKey.map(request_key),
  );
  const hostile = fc.tuple(
    fc.option(authorization, { freq: 9 }),
    fc.option(keys, { freq: 9 }),
    fc.array(extra, { maxLength: 4 }),
  ).map(([one, two, more]) => [one, two, ...more].filter((pair) => pair !== null));
  return { clean, hostile };
}
