/** Reads numbers and dates in the forms of mappings, and refuses those that could mean another. */
import assert from "node:assert/strict";
import { dateReader, hostIn, numberIn, suitsCurrency } from "../../../src/ingest/mapping/values.ts";

Deno.test("numberIn() reads currencies and multiples, and no other text around a number", () => {
  const numbers: [text: string, number: number | undefined][] = [
    ["CA$1,234.50", 1234.5],
    ["500 $ US", 500],
    ["US $5000", 5000],
    ["$5000 CDN", 5000],
    ["top 5", undefined],
    ["EUR 7", 7],
    ["$1.5M", 1_500_000],
    ["1.1 million CAD", 1_100_000],
    ["$1.5 bn", 1_500_000_000],
    ["10k", 10_000],
    ["1.5E6 EUR", 1_500_000],
    ["1e+05", 100_000],
    ["1" + " ".repeat(1e5) + "x", undefined],
    ["(1,234.50)", -1234.5],
    ["\u2212$500", -500],
    ...["5%", "(-5)", "$(500)", "1234-", "--5", "£12.50/h", "1e5k", "5 HRS", "12,50", "(5%)"]
      .map((text): [string, undefined] => [text, undefined]),
  ];
  for (const [text, number] of numbers) assert.equal(numberIn(text, "."), number, text);
  const french: typeof numbers = [
    ["125 000,50 $", 125_000.5],
    ["125\u00a0000,50 $", 125_000.5],
    ["1.250.000", 1_250_000],
    ["1,5 M$", 1_500_000],
    ["2 milliards €", 2_000_000_000],
    ["2,5 Md$", 2_500_000_000],
    ["12.34", undefined],
  ];
  for (const [text, number] of french) assert.equal(numberIn(text, ","), number, text);
});

Deno.test("suitsCurrency() refuses other currencies, and takes a bare sign for all that have it", () => {
  const amounts = ["5", "$5", "＄5", "CA$5", "5 $ CDN", "c$5", "1.5MCAD", "CAD 5 USD"];
  const foreign = ["USD 5", "US $5", "€5", "A$5", "￥5", "JPY 5", "5¢", "CHF 5"];
  const fitting = (currency?: string) =>
    [...amounts, ...foreign].filter((text) => suitsCurrency(text, () => currency));
  assert.deepEqual(fitting("CAD"), amounts.slice(0, 7));
  assert.deepEqual(fitting("USD"), [...amounts.slice(0, 3), "USD 5", "US $5"]);
  assert.deepEqual(fitting("AUD"), [...amounts.slice(0, 3), "A$5"]);
  assert.deepEqual(fitting("JPY"), ["5", "￥5", "JPY 5"]);
  assert.equal(fitting("cad").length, 16);
});

Deno.test("dateReader() reads ISO 8601 as databases write it, and offsets that a form names", () => {
  const forms = "DD/MM/YYYY HH:mm Z|YYYY/M/D H'h'mm|M/D/YYYY H:mm A|seconds|milliseconds";
  const read = dateReader(forms.split("|"), "America/Toronto");
  const dates: [text: string, instant: string | undefined][] = [
    ["2026-03-01 10:00:00Z", "10:00:00.000000Z"],
    ["2026-03-01 10:00:00 UTC", "10:00:00.000000Z"],
    ["2026-03-01 10:00:00+00:00", "10:00:00.000000Z"],
    ["2026-03-01 10:00:00.123", "15:00:00.123000Z"],
    ["2026-03-01T10:00:00.123", "15:00:00.123000Z"],
    ["2026-03-01T10:00", "15:00:00.000000Z"],
    ["01/03/2026 10:00 GMT", "10:00:00.000000Z"],
    ["01/03/2026 10:00 -0530", "15:30:00.000000Z"],
    ["2026/3/1 9h30", "14:30:00.000000Z"],
    ["3/1/2026 2:30 PM", "19:30:00.000000Z"],
    ["3/1/2026 12:05 am", "05:05:00.000000Z"],
    ["3/1/2026 14:30 AM", "19:30:00.000000Z"],
    ["1772359200", "10:00:00.000000Z"],
    ["1772359200123", "10:00:00.123000Z"],
    ["17723592001", undefined],
    ["01/03/2026 10:00 EST", undefined],
    ["Sun, 01 Mar 2026 10:00:00 GMT", "10:00:00.000000Z"],
    ["1 Mar 2026 9:00 -0500", "14:00:00.000000Z"],
    ["1 Mar 2026 6:00 EDT", "10:00:00.000000Z"],
    ["1 Mar 2026 6:00 PST", "14:00:00.000000Z"],
    ["1 Mar 2026 6:00 MST", "13:00:00.000000Z"],
    [`2026-03-01T10:00:00.${"1".repeat(43)}Z`, "10:00:00.111111Z"],
    [`2026-03-01T10:00:00.${"1".repeat(44)}Z`, undefined],
    ["1 Mai 2026 10:00 GMT", undefined],
  ];
  for (const [text, time] of dates) {
    assert.equal(read(text, { ends: false }), time && `2026-03-01T${time}`, text);
  }
  const early = ["946684800", "946684800000"].map((text) => read(text, { ends: false }));
  assert.deepEqual(new Set(early), new Set(["2000-01-01T00:00:00.000000Z"]));
});

Deno.test("hostIn() returns the host of a website, and leaves other texts to the checks", () => {
  assert.equal(hostIn("https://foo.example:8443/about?x=1"), "foo.example");
  assert.equal(hostIn("N/A"), "N/A");
  assert.equal(hostIn("www.foo.example/about"), "www.foo.example");
  assert.equal(hostIn("foo.example"), "foo.example");
  assert.equal(hostIn("jo@foo.example/x"), "jo@foo.example/x");
});
