import assert from "node:assert/strict";
import { normalizeName } from "../../../src/ingest/record/company_name.ts";
import {
  describePlace,
  displayNameOf,
  formerNamesOf,
  placeOfEdgar,
  startOfDay,
} from "../../../src/ingest/sources/kit/edgar_filing.ts";

Deno.test("displayNameOf() drops only EDGAR's additions to names", () => {
  for (
    const [conformed, shown] of [
      ["ONEOK INC /NEW/", "ONEOK INC"],
      ["ACME CORP /NEW/ /DE/", "ACME CORP"],
      ["BANK OF AMERICA CORP /DE/", "BANK OF AMERICA CORP"],
      ["US BANCORP \\DE\\", "US BANCORP"],
      ["COSTCO WHOLESALE CORP /NEW", "COSTCO WHOLESALE CORP"],
      ["Rivian Automotive, Inc. / DE", "Rivian Automotive, Inc."],
      ["QUALCOMM INC/DE", "QUALCOMM INC"],
      ["TOYOTA MOTOR CORP/", "TOYOTA MOTOR CORP"],
      ["Troops, Inc. /Cayman Islands/", "Troops, Inc."],
      ["Anheuser-Busch InBev SA/NV", "Anheuser-Busch InBev SA/NV"],
      ["GENMAB A/S", "GENMAB A/S"],
      ["CULLEN/FROST BANKERS, INC.", "CULLEN/FROST BANKERS, INC."],
      ["DATA I/O CORP", "DATA I/O CORP"],
    ]
  ) {
    assert.equal(displayNameOf(conformed!), shown);
  }
  // Normalized names ignore these additions, too.
  assert.equal(normalizeName("ONEOK INC /NEW/"), normalizeName(displayNameOf("ONEOK INC /NEW/")));
});

Deno.test("formerNamesOf() omits other spellings of the present name", () => {
  assert.deepEqual(
    formerNamesOf("Apple Inc.", [
      "APPLE INC",
      "APPLE COMPUTER INC",
      "APPLE COMPUTER INC/ FA",
      "None",
    ]),
    ["APPLE COMPUTER INC"],
  );
});

Deno.test("describePlace() names a city and its region only once", () => {
  for (
    const [city, stateOrCountry, described] of [
      ["NEW YORK, NEW YORK", "NY", "NEW YORK, NY"],
      ["WASHINGTON DC", "DC", "WASHINGTON, DC"],
      ["New York", "NY", "New York, NY"],
      ["TORONTO, ONTARIO", "A6", "TORONTO, ON, Canada"],
      ["PORT WASHINGTON", "NY", "PORT WASHINGTON, NY"],
    ]
  ) {
    assert.equal(describePlace(placeOfEdgar(city!, stateOrCountry!)), described);
  }
  assert.deepEqual(placeOfEdgar("", "Z4"), { country: "CA", region: undefined, city: undefined });
});

Deno.test("startOfDay() returns midnight in Eastern time, also in summer", () => {
  assert.equal(startOfDay("2026-07-01"), "2026-07-01T04:00:00.000000Z");
  assert.equal(startOfDay("2026-01-01"), "2026-01-01T05:00:00.000000Z");
});
