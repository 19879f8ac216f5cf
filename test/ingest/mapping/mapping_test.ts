/** Refuses faulty mappings, and names what is wrong with them. */
import assert from "node:assert/strict";
import { MappingFault, parseMapping } from "../../../src/ingest/mapping/mapping.ts";
import { readerOfMapping } from "../../../src/ingest/mapping/read_mapped.ts";
import { mapping } from "../../support/tender_mapping.ts";

const RULES = { in: ["a"], value: "procurement_request" };

const FAULTS: [text: string, message: RegExp][] = [
  ["{", /the mapping cannot be read: /],
  ['{"source":"a","source":"b"}', /source is given more than once/],
  [mapping({}, { "compny.name": "x" }), /record: Unrecognized key: "compny\.name/],
  [mapping({}, { "external_id": undefined }), /record → external_id: is required/],
  [mapping({}, { "external_id": "{id" }), /a brace without its partner in "\{id"/],
  [mapping({}, { "external_id": "TO DO: x" }), /record → external_id: is still to do/],
  [mapping({}, { "kind": { from: "{a}", rules: [RULES], otherwise: "TO DO" } }), /kind: is still/],
  [mapping({}, { "kind": { from: "a", rules: [RULES] } }), /kind → from: a column in braces/],
  [mapping({ leave_out: [{ from: "a", in: ["b"] }] }), /leave_out → 0 → from: a column in braces/],
  [mapping({}, { "facets.role": { from: "{a}", split: ";" } }), /facets\.role: is not a list/],
  [mapping({ sheet: 2 }), /sheet: is for the format xlsx, not for csv/],
  [mapping({ header_row: 2, format: "ndjson" }), /header_row: is for the format csv or xlsx/],
  [mapping({ array: "rows" }), /array: is for the format json/],
  [mapping({ time_zone: "Mars/Base" }), /there is no time zone Mars\/Base/],
  [mapping({ dates: ["DD/MM"] }), /dates: DD\/MM: YYYY, MM and DD are required/],
  [mapping({ dates: ["YYYY-MM-DD HH:mm EST"] }), /HH:mm EST: E is no part of a date/],
  [mapping({ dates: ["DD MMM YYYY"] }), /DD MMM YYYY: MMM is no part of a date/],
  [mapping({ source: " odd " }), /source: has control characters, or white/],
  [mapping({}, { "kind": "tender" }), /record → kind: Invalid option/],
  [mapping({}, { "kind": { from: "{a}", rules: [{ ...RULES, value: "x" }] } }), /kind: Invalid/],
  [mapping({}, { "country": "Canada" }), /record → country: Invalid option/],
  [mapping({}, { "confidence": 80 }), /record → confidence: Too big/],
  [mapping({}, { "facets.amount.currency": "$" }), /currency: must be an ISO 4217 code/],
];

for (const [text, message] of FAULTS) {
  Deno.test(`a mapping is refused: ${message.source}`, () => {
    assert.throws(() => readerOfMapping(parseMapping(text)), (error) => {
      assert.ok(error instanceof MappingFault);
      assert.match(error.message, message);
      return true;
    });
  });
}
