import assert from "node:assert/strict";
import fc from "fast-check";
import { maskContacts } from "../../../src/ingest/masking/contacts.ts";
import {
  cleanLine,
  cleanParagraphs,
  cutAtWord,
  hasUnsafeCharacter,
  textOfMarkup,
} from "../../../src/ingest/text/clean_text.ts";

/** Any UTF-16 text, including lone surrogates. Problematic characters are frequent. */
const anyText = fc.array(
  fc.oneof(
    fc.string({ unit: "binary" }),
    fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    fc.constantFrom(
      ..."\0\t\n\r\v\f\u0085\u2028\u2029\u00a0\u3000 \u200b\u200e\u202e\u2066\u2069\u061c\u00ad",
      "\ufeff",
      "e\u0301",
      "\u200d\u0301",
      "\ud800",
      "\udc00",
      "\u001b[31m",
      "\u{e0041}",
      "\ufffe",
    ),
  ),
  { maxLength: 30 },
).map((parts) => parts.join(""));

/**
 * Pattern of forbidden characters. It lists their code points, independently of the code under
 * test, which uses Unicode properties.
 */
const FORBIDDEN =
  // deno-lint-ignore no-control-regex -- the pattern has to match control characters
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

Deno.test("cleanLine() and cleanParagraphs() drop forbidden characters, and are idempotent", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const clean of [cleanLine, cleanParagraphs]) {
        const once = clean(text);
        assert.doesNotMatch(once, FORBIDDEN);
        assert.equal(clean(once), once);
        assert.equal(once.normalize("NFC"), once);
        assert.equal(hasUnsafeCharacter(once.replaceAll("\n", " ")), false);
      }
      assert.doesNotMatch(cleanLine(text), /\s\s|^\s|\s$|\n/);
      assert.doesNotMatch(cleanParagraphs(text), /\n{3}| {2}|^\s|\s$/);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("cleanLine() keeps visible characters", () => {
  assert.equal(cleanLine("  Caf\u0065\u0301 \t du\u00a0Nord\r\n"), "Café du Nord");
  assert.equal(cleanLine("in\u00advi\u200bsi\u2060ble"), "invisible");
  assert.equal(cleanLine("Third\u0002Party"), "Third Party");
  assert.equal(cleanLine("a\0b \u202egnp.exe\u202c"), "a b gnp.exe");
  assert.equal(cleanLine("lone \ud83d and whole \ud83d\ude00"), "lone and whole 😀");
});

Deno.test("cleanParagraphs() keeps line breaks, with one empty line at most", () => {
  assert.equal(cleanParagraphs("\r\n\tOne \r\n\r\n \r\n\r\nTwo\u2028Three\n"), "One\n\nTwo\nThree");
});

Deno.test("cutAtWord() cuts after a word, within the bound, and never inside a character", () => {
  assert.equal(cutAtWord("short", 5), "short");
  assert.equal(cutAtWord("one two, three", 12), "one two…");
  assert.equal(cutAtWord("😀😀😀", 4), "😀…");
  fc.assert(fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, max) => {
    const clean = cleanLine(text);
    const cut = cutAtWord(clean, max);
    assert.ok(cut.length <= max);
    assert.equal(cut.isWellFormed(), true);
  }));
});

Deno.test("textOfMarkup() keeps unclosed elements, and is fast for long texts", () => {
  assert.equal(textOfMarkup("a<script>b<!-- c<p>d-->e<SCRIPT>"), "a<script>b e<SCRIPT>");
  for (const start of ["<!--", "<script>", "<style><!--"]) {
    const text = start.repeat(100_000);
    assert.equal(textOfMarkup(text), text);
  }
});

Deno.test("textOfMarkup() converts HTML to text, and keeps text that only looks like tags", () => {
  assert.equal(
    textOfMarkup("<p>D&eacute;fense&nbsp;<b>natio</b>nale</p>5 < 6 &amp; <Third Party><br/>end"),
    "\nDéfense\u00a0nationale\n5 < 6 & <Third Party>\nend",
  );
  assert.equal(textOfMarkup("&lt;p&gt;twice&lt;/p&gt;"), "\ntwice\n");
  assert.equal(textOfMarkup("a<script>alert(1)</script>b<!-- c -->d"), "a b d");
});

Deno.test("maskContacts() masks e-mail addresses and telephone numbers", () => {
  const masked: Record<string, string> = {
    "Write to Andre.Champagne@dcc-cdc.gc.caBidding": "Write to [redacted]Bidding",
    "ler2025@ma.ca to request": "[redacted] to request",
    "Number: (613) 998-8974; or": "Number: [redacted]; or",
    "(613)998-8974": "[redacted]",
    "613.998.8974, 587 336 6067, and": "[redacted], [redacted], and",
    "is 1-866-246-6893.The": "is [redacted].The",
    "780-840-8000 ext. 7058": "[redacted]",
    "780-840-8000, poste 7058.": "[redacted].",
    "+1 (613) 998-8974": "[redacted]",
    "+44 (0)20 7946 0958 in London": "[redacted] in London",
    "+33 1 42 68 53 00": "[redacted]",
    "Tel: 998-8974": "Tel: [redacted]",
    "Téléphone : 6139988974": "Téléphone : [redacted]",
    "Phone 998-8974.": "Phone [redacted].",
    "Fax No. - (204) 983-0338 (    )": "Fax No. - [redacted] (    )",
    "Fax #204-983-0338 or": "Fax #[redacted] or",
    "1-800-O-CANADA": "[redacted]",
    "1-800-CONTACTS.COM": "1-800-CONTACTS.COM",
    "613-998-8974/8975 or": "[redacted] or",
    "613-998-8974 / 613-998-8975": "[redacted]",
    "1(613)998-8974": "[redacted]",
    "613 - 998 - 8974": "[redacted]",
    "613–998–8974, 613—998—8974, 613−998−8974": "[redacted], [redacted], [redacted]",
    "613/998-8974": "[redacted]",
    "call 613-\n998-8974, (613)\n998-8974 or 613 998\n8974":
      "call [redacted], [redacted] or [redacted]",
    "613 998 8974 in Ottawa": "[redacted] in Ottawa",
    "john @ dcc.ca, john(at)dcc.ca": "[redacted], [redacted]",
    "john [at] dcc [dot] ca.": "[redacted].",
    "y.org/?to=marie.roy%40y.org&b, marie@y。org。次": "y.org/?to=[redacted]&b, [redacted]。次",
    "1-(416)5550147; (514) 555-01-23; ５１４−５５５−０１２３": "[redacted]; [redacted]; [redacted]",
    "Call 555-1234. Tel: (514)5550123 roof": "Call [redacted]. Tel: [redacted] roof",
    "Tel: 011 44 20 7946 0958, or 1 (514) 5550123": "Tel: [redacted], or [redacted]",
  };
  for (const [text, expected] of Object.entries(masked)) assert.equal(maskContacts(text), expected);
});

Deno.test("maskContacts() keeps references, codes, dates and amounts", () => {
  for (
    const text of [
      "MX-443841357513, SSC-26-00034375:T, cb-858-96735512, EW479-162880/C, 5P420-20-0315/A",
      "NSN: 2530-14-527-0724, part 79344027, GSIN N7025405, UNSPSC 22100000",
      "2026-07-31 to 31/03/2029, 14:00, 2026-2027",
      "$101,500,000 or $ 613 998 8974 or 100 000 000",
      "https://www.merx.com/public/solicitations/3776296409/abstract",
      "fax: 2026-07-31",
      "60,000 m2 at 46.81228, -71.21454",
      "500 600 7000 kg, dimensions 240 300 1200 mm, 204 222 3333 units",
      "fax 100 000 000 dollars, phone 1 000 000 000 dollars",
      "+12345678 ppm",
      "Part No 800-555-1212-A",
      "lots of\n200\n300\n4000",
      "5 units @ 3.50 each. Then (at) noon",
      "Notice no. 514-5550123, RFP 514 5550123, lots 300 4000000 and 250 300 40 50",
      "203.220.10.15, -93.2345678 or 214.5550123, 234-5678901-X, 10-234 5678901",
      "00 41 13 00 72 00, items 001 002 003 004, head office: 401-2345 Yonge Street",
    ]
  ) assert.equal(maskContacts(text), text);
});

Deno.test("maskContacts() is fast for megabytes that are designed to be slow", () => {
  const start = performance.now();
  for (const part of ["x", "2", "222 ", "a.", "+1 ", "a@a."]) {
    maskContacts("@" + part.repeat(1_000_000 / part.length) + "@");
  }
  const seconds = (performance.now() - start) / 1_000;
  assert.ok(seconds < 20, `${seconds} s`);
});
