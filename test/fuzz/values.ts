/** Hostile texts, numbers, hostnames, instants and request keys, which break careless code. */
import fc from "fast-check";
import { type JsonNode, Members, nodeOf, Verbatim } from "./json_text.ts";

const ODD_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udc00\ud800",
  "\ufeff",
  "\u202e\u2066right to left\u2069",
  "\u001b[2J",
  "\r\nSet-Cookie: a=b",
  // These differ by Unicode normalization: composed, decomposed and compatibility forms.
  "caf\u00e9",
  "cafe\u0301",
  "\ufb01ne",
  "\u212bngstr\u00f6m",
  "\u0130stanbul",
  "stra\u00dfe",
  "\u1e9e",
  "e" + "\u0301".repeat(600),
  "\ufdfa".repeat(60),
  "\ufdd0\uffff\u{10ffff}",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}",
  "x".repeat(500),
  "x".repeat(501),
  "\u{1f9ca}".repeat(500),
  "\u{1f9ca}".repeat(501),
  "'; drop table operations; --",
  "${7*7}{{7*7}}%n%s",
  "../../etc/passwd",
  "\\",
  '"',
  "null",
  "true",
  "NaN",
  "__proto__",
  "constructor",
];

/** Texts of any script, with controls, NUL, lone surrogates and normalization variants. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...ODD_TEXTS),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.string({ unit: "grapheme", maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })
    .map((units) => String.fromCharCode(...units)),
  fc.tuple(fc.constantFrom("ab", "a b ", "\u00e9", "\u0000"), fc.integer({ min: 200, max: 5000 }))
    .map(([text, count]) => text.repeat(count)),
);

/** Number literals, valid or invalid in JSON. */
export const hostileNumber: fc.Arbitrary<JsonNode> = fc.oneof(
  fc.integer({ min: -3, max: 110 }),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(
    ...["-0", "0.0", "1.0", "1e0", "10e-1", "1E+2", "1e400", "-1e400", "1e-400", "1e308"],
    ...["2147483647", "2147483648", "-2147483649", "4294967296", "9007199254740991"],
    ...["9007199254740992", "9007199254740993", "9223372036854775807", "9223372036854775808"],
    ...[
      "18446744073709551616",
      "1.0000000000000001",
      "0.1",
      "9".repeat(400),
      `0.${"0".repeat(400)}1`,
    ],
    ...["01", "+1", "1.", ".5", "0x10", "1_000", "NaN", "Infinity", "-"],
  ).map((text) => new Verbatim(text)),
);

/** Deeply nested lists or objects. */
const nest: fc.Arbitrary<JsonNode> = fc.tuple(
  fc.constantFrom(5, 30, 33, 1000, 60_000),
  fc.constantFrom(["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"]),
).map(([depth, [open, close]]) => {
  const levels = Math.min(depth, Math.floor(120_000 / open!.length));
  return new Verbatim(`${open!.repeat(levels)}0${close!.repeat(levels)}`);
});

/** Member names that JavaScript objects already have, or that no schema has. */
export const hostileName: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then"),
  fc.constantFrom("", " ", "$ref", "length", "0", "query ", "Query", "surplus", "\ud800", "toJSON"),
  hostileText,
);

/** Any JSON value, valid or invalid. */
export const hostileNode: fc.Arbitrary<JsonNode> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 4, arbitrary: hostileNumber },
  {
    weight: 3,
    arbitrary: fc.constantFrom<() => JsonNode>(
      () => null,
      () => true,
      () => false,
      () => [],
      () => Members.of({}),
      () => [null],
      () => [[]],
      () => new Verbatim("undefined"),
    ).map((make) => make()),
  },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }).map(nodeOf) },
  {
    weight: 1,
    arbitrary: hostileName.map((name) => new Members([[name, Members.of({ polluted: true })]])),
  },
  { weight: 1, arbitrary: nest },
);

/** Generates hostnames of all kinds, and variants of known ones. Some variants are equivalent. */
export function hostileHostname(known: readonly string[]): fc.Arbitrary<string> {
  const variants = (name: string) => [
    name.toUpperCase(),
    ` ${name} `,
    `${name}.`,
    `${name}..`,
    `\t${name}\n`,
    `www.${name}`,
    `${name}:443`,
    `https://${name}/`,
    `user@${name}`,
    `${name}\u0000`,
    `\u200b${name}`,
    name.replaceAll(".", "\u3002"),
    name.replace(/[a-z]/, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0)),
    name.replace(".", ".."),
  ];
  return fc.oneof(
    fc.constantFrom(...known),
    fc.constantFrom(...known.flatMap(variants)),
    fc.constantFrom(
      ...["m\u00fcnchen.de", "mu\u0308nchen.de", "xn--mnchen-3ya.de", "xn--a", "\u4f8b\u3048.jp"],
      ...[
        "\u0645\u062b\u0627\u0644.\u0625",
        "[::1]",
        "::1",
        "127.0.0.1",
        "0x7f.1",
        "localhost",
        ".",
      ],
      ...["-a.example", "a-.example", "_dmarc.example", "a b.example", "*.example", "%2e", "a..b"],
      ...[`${"a".repeat(63)}.example`, `${"a".repeat(64)}.example`, `${"a.".repeat(126)}a`],
      ...[
        `${"a.".repeat(127)}a`,
        "\u0130.example",
        "\u212a.example",
        "\u0301.example",
        "\ud800.de",
      ],
    ),
    fc.domain(),
    hostileText,
  );
}

const CLEAN_INSTANTS = [
  "2026-03-01T00:00:00Z",
  "2020-01-01T00:00:00+05:30",
  "2026-03-01T00:00:00.5-03:30",
  "2024-02-29T23:59:59.999999999Z",
  "2026-03-01T00:00:00+14:00",
  `2026-03-01T00:00:00.${"1234567890".repeat(2)}Z`,
  "1970-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
];

/** Instants that every parser of RFC 3339 accepts. */
export const cleanInstant: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...CLEAN_INSTANTS),
  fc.date({
    noInvalidDate: true,
    min: new Date("1900-01-01T00:00:00Z"),
    max: new Date("2199-01-01T00:00:00Z"),
  }).map((date) => date.toISOString()),
);

/** Instants that parsers, calendars or clocks treat differently. */
export const hostileInstant: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["2016-12-31T23:59:60Z", "2026-03-01T23:59:60Z", "2026-03-01T24:00:00Z", "now", "0"],
    ...["0000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00", "-000001-01-01T00:00:00Z"],
    ...["+012026-03-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "2026-02-30T00:00:00Z"],
    ...["2025-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-00T00:00:00Z", "2026-03-01"],
    ...["2026-03-01T00:00:00", "2026-03-01 00:00:00Z", "2026-03-01t00:00:00z", "20260301T000000Z"],
    ...["2026-03-01T00:00:00,5-0330", "2026-W09-7T00:00:00Z", "2026-060T00:00:00Z", "infinity"],
    ...["2026-03-01T00:00:00+24:00", "2026-03-01T00:00:00-00:00", "2026-03-01T00:00:00+1"],
    ...["2026-03-01T00:00:00Z\u0000", " 2026-03-01T00:00:00Z", "2026-03-01T00Z", "epoch"],
    ...["\u0662\u0660\u0662\u0666-03-01T00:00:00Z", `2026-03-01T00:00:00.${"9".repeat(5000)}Z`],
  ),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  hostileText,
);

/** Texts that a header can contain: Latin-1 without control characters. */
export const headerText: fc.Arbitrary<string> = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 300,
});

/** Request keys at and beyond the bounds of valid keys. */
export const hostileKey: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...["", " ", "k".repeat(255), "k".repeat(256), "k".repeat(8000), "\u00e9", "a\tb", " a ", "~"],
    ...["a b", "a,b", "a, b", '"quoted"', "__proto__", "null", "0", "%00", "'", "\u00a0", "\u0085"],
  ),
  headerText,
);
