/** Bytes that no HTTP client sends: broken request lines, headers, framings and pipelines. */
import fc from "fast-check";

/** Mark in methods, targets, hosts and headers, which no answer and no log line may repeat. */
export const CANARY = "zqcanary7";

/** Bytes that are written to one connection. */
export interface Stream {
  /** The bytes, one per code unit. */
  text: string;
  /** Sizes of the writes into which the bytes are split. One more write sends the rest. */
  writes: number[];
}

/**
 * A valid request after the generated ones. It gets an answer, the last one, if the server has not
 * closed the connection before.
 */
export const LAST = "GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

/** Body of the answer to LAST, which no other request gets. */
export const LAST_ANSWER = '{"status":"ready"}';

/**
 * Generates streams of one to five requests, some of them damaged in one place, and other bytes.
 */
export function streams(key: string): fc.Arbitrary<Stream> {
  const request = requests(key);
  const pipeline = fc.array(request, { minLength: 1, maxLength: 5 }).map((all) => all.join(""));
  const text = fc.oneof(
    { weight: 4, arbitrary: request },
    { weight: 2, arbitrary: pipeline },
    { weight: 3, arbitrary: fc.tuple(pipeline, spoilings).map(([one, spoil]) => spoil(one)) },
    { weight: 1, arbitrary: fc.constantFrom(...OTHER_PROTOCOLS) },
    {
      weight: 1,
      arbitrary: fc.uint8Array({ maxLength: 200 }).map((all) => String.fromCharCode(...all)),
    },
  );
  return fc.record({ text, writes: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 6 }) });
}

function requests(key: string): fc.Arbitrary<string> {
  const framed = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ headers: [] as string[], body: "" }) },
    { weight: 2, arbitrary: framings },
  );
  return fc.record({
    line: requestLines,
    host: hosts,
    headers: fc.array(headerLines(key), { maxLength: 5 }),
    framed,
    end: fc.oneof({ weight: 9, arbitrary: fc.constant("\r\n") }, fc.constantFrom("\n", "\r")),
  }).map(({ line, host, headers, framed, end }) =>
    [line, ...host, ...headers, ...framed.headers, ""].join(end) + end + framed.body
  );
}

const mostly = <T>(good: T[], odd: T[], weight = 3): fc.Arbitrary<T> =>
  fc.oneof(
    { weight, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: fc.constantFrom(...odd) },
  );

const requestLines: fc.Arbitrary<string> = fc.tuple(
  mostly(["GET", "POST", "POST", "HEAD"], [
    ...[
      "PUT",
      "OPTIONS",
      "TRACE",
      "CONNECT",
      "PRI",
      "get",
      "",
      " GET",
      "G\u0000T",
      "G(T",
      "\u00e9",
    ],
    ...["constructor", "__proto__", "toString", CANARY, "M".repeat(5000), "QUERY"],
  ]),
  mostly(["/healthz", "/api/usage", "/api/companies/search", "/mcp", "/api/companies?ids[]=1"], [
    ...["*", "", "healthz", "//", "http://", "http://[/", "http://x:99999/api/usage", "?", "#"],
    ...[`http://${CANARY}/healthz`, `http://a^b/${CANARY}`, `${CANARY}:443`, `/${CANARY}`, "/%"],
    ...[`http://u:${CANARY}@x/api/usage`, "/api/usage#x", "/a b", "/\u0000", "/\u00ff\u00fe"],
    ...["/../../etc/passwd", "/%2e%2e/%2e%2e", "\\api\\usage", "/api/usages/%ff", "file:///etc"],
    ...[
      "javascript:1",
      `/${"a".repeat(9000)}`,
      `/?${"x=1&".repeat(20_000)}`,
      "/\u007f",
      "/[",
      "/|",
    ],
  ]),
  mostly(["HTTP/1.1"], [
    ...["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/9.9", "http/1.1", "HTTP/1.1 x", "", CANARY],
    ...["HTTP/1.", "HTTP/11", "HTTP/1.1\u0000"],
  ], 9),
  mostly([" "], ["  ", "\t", ""], 30),
).map(([method, target, version, space]) => [method, target, version].join(space));

const hosts: fc.Arbitrary<string[]> = mostly([["Host: 127.0.0.1"]], [
  [],
  ["Host:"],
  ["Host: x", "Host: y"],
  ["Host: x, y"],
  ...[
    ...["x:99999", "a^b", "%", "x/docs#", "[::1", "x:y", "a b", "\u00e9", "\u0000", "@", "?", ":"],
    ...[`${CANARY}^`, `${CANARY}:${CANARY}`, "x".repeat(5000), "127.0.0.1:0", "[::1]:8080", "\\"],
  ].map((host) => [`Host: ${host}`]),
]);

function headerLines(key: string): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        `Authorization: Bearer ${key}`,
        `Authorization: Bearer ${key}`,
        "Idempotency-Key: one",
        "Content-Type: application/json",
        "Accept: */*",
        "Connection: keep-alive",
      ),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        `Authorization: ${CANARY}`,
        `Idempotency-Key: ${CANARY}`,
        `Idempotency-Key: \u00e9${CANARY}`,
        "Idempotency-Key: two",
        "Connection: close",
        "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c",
        "Upgrade: websocket",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Expect: 100-continue",
        `Expect: ${CANARY}`,
        `Origin: http://${CANARY}`,
        `Origin: ${CANARY}`,
        "Origin: null",
        "Content-Encoding: gzip",
        "TE: trailers",
        "Trailer: Host",
        `X-${CANARY}: ${CANARY}`,
        `${CANARY}`,
        `: ${CANARY}`,
        `X Y: ${CANARY}`,
        `X\u0000: ${CANARY}`,
        `X: ${CANARY}\u0000`,
        `X: ${CANARY}\u0007`,
        `X: a\n ${CANARY}`,
        `X: a\r\n\t${CANARY}`,
        `X: a\r${CANARY}`,
        ` X: ${CANARY}`,
        `X : ${CANARY}`,
        `X: ${"v".repeat(20_000)}`,
        "X: 1\r\n".repeat(150) + "X: 1",
      ),
    },
  );
}

interface Framing {
  headers: string[];
  body: string;
}

const SEARCH = '{"query":"warehouse"}';

const framings: fc.Arbitrary<Framing> = fc.constantFrom<Framing>(
  { headers: [`Content-Length: ${SEARCH.length}`], body: SEARCH },
  { headers: [`Content-Length: ${SEARCH.length + 5}`], body: SEARCH },
  { headers: [`Content-Length: ${SEARCH.length - 5}`], body: SEARCH },
  ...["-1", "+1", "0x15", "1e1", "", " ", "21 21", "99999999999999999999", "1.0", CANARY].map((
    length,
  ) => ({ headers: [`Content-Length: ${length}`], body: SEARCH })),
  { headers: ["Content-Length: 21", "Content-Length: 21"], body: SEARCH },
  { headers: ["Content-Length: 21", "Content-Length: 22"], body: SEARCH },
  { headers: ["Content-Length: 21, 21"], body: SEARCH },
  { headers: ["Content-Length: 5", "Transfer-Encoding: chunked"], body: "0\r\n\r\n" },
  ...["chunked", "Chunked", "chunked, chunked", "gzip, chunked", "identity", "xchunked", CANARY]
    .map((coding) => ({
      headers: [`Transfer-Encoding: ${coding}`],
      body: `${SEARCH.length.toString(16)}\r\n${SEARCH}\r\n0\r\n\r\n`,
    })),
  ...[
    "0\r\n\r\n",
    "0\r\nHost: y\r\n\r\n",
    `0\r\n${CANARY}: ${CANARY}\r\n\r\n`,
    "ffffffffffffffff\r\nx",
    "fffffffffffffffff\r\nx",
    "-1\r\nx\r\n",
    "1;ext=1\r\n{\r\n0\r\n\r\n",
    `1;${"e".repeat(20_000)}\r\n{\r\n0\r\n\r\n`,
    "1\n{\n0\n\n",
    "zz\r\n",
    "2\r\n{",
    "1\r\n{}\r\n0\r\n\r\n",
    "\r\n",
    "",
  ].map((body) => ({ headers: ["Transfer-Encoding: chunked"], body })),
);

type Spoil = (text: string) => string;

const spoilings: fc.Arbitrary<Spoil> = fc.oneof(
  fc.nat(400).map((length): Spoil => (text) => text.slice(0, length % (text.length + 1))),
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]): Spoil => (text) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + String.fromCharCode(byte) + text.slice(place + 1);
  }),
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]): Spoil => (text) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + String.fromCharCode(byte) + text.slice(place);
  }),
  fc.tuple(fc.nat(), fc.nat(20)).map(([at, length]): Spoil => (text) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + text.slice(place + length);
  }),
  fc.constantFrom<Spoil>(
    (text) => text.replaceAll("\r\n", "\n"),
    (text) => text.replaceAll("\r\n", "\r"),
    (text) => `\r\n\r\n${text}`,
    (text) => `\u00ef\u00bb\u00bf${text}`,
  ),
);

const OTHER_PROTOCOLS = [
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000",
  "\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003",
  "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n",
  "GET /\r\n",
  "EHLO x\r\n",
  "*1\r\n$4\r\nPING\r\n",
  "\u0000",
  "\r\n".repeat(5000),
  "A".repeat(100_000),
];
