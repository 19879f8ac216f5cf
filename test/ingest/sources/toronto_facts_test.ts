import assert from "node:assert/strict";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import { readSource, recordOf } from "../../support/reading.ts";
import { csv } from "../../support/toronto_solicitations.ts";

Deno.test("toronto maps a cancelled solicitation to the demand class proxy", async () => {
  const number = "4602565865";
  const cancelled = [
    'PLEASE NOTE THAT THIS RFSQ HAS BEEN CANCELLED\nThis Request for Supplier Qualifications ("RFSQ") ' +
    'is an invitation by the City of Toronto ("the City") to prospective Proponents. Garage repair.',
    "CANCELLED - Road salt",
    "This request has been canceled.",
    "RFT 212-2024 HAS BEEN CANCELLED. Sidewalks.",
    `Due to an error the current RFQ no. Doc${number} will need to be cancelled and reissued.`,
  ];
  const open = [
    "This REVISED request REPLACES RFP Doc5029550051, which has been cancelled. Road salt.",
    "Ariba Doc4366674523 was later cancelled on August 27, 2024. Pelletizers.",
    "If this request has been cancelled, suppliers are told. Road salt.",
    "Laundry for shelters; orders that have been cancelled are not paid.",
  ];
  const records = (await readSource(
    toronto,
    csv(...[...cancelled, ...open].map((description, at) => ({
      number: at === 4 ? number : `${4_100_000_000 + at}`,
      description,
    }))),
  )).map(recordOf);
  assert.deepEqual(
    records.map(({ demand_class, confidence }) => [demand_class, confidence]),
    [...cancelled.map(() => ["proxy", 0.5]), ...open.map(() => ["explicit_request", 0.95])],
  );
  assert.equal(
    records[0]!.observed_fact,
    "City of Toronto – Transportation Services cancelled a Request for Quotation (RFQ) for goods " +
      "and services: Garage repair. Document number 4100000000, submission deadline 2026-08-31.",
  );
  assert.equal(
    records[0]!.why_it_may_matter,
    "A proxy: a public buyer asked for goods and services (Request for Quotation) and has " +
      "cancelled that; nothing can be bid on, but the need may come back.",
  );
});

Deno.test("toronto states what is wanted without the boilerplate of the form", async () => {
  const descriptions: [string, string][] = [
    [
      '.1\tThis Request for Quotation (the "RFQ") is an invitation by the City of Toronto (the ' +
      '"City") to prospective Suppliers to submit bids for the printing of notices as further ' +
      'described in Part 3 and the Contract (the "Deliverables"). Three years.',
      "Printing of notices. Three years.",
    ],
    ["Road salt; http://discovery.ariba.com/rfx/14961258", "Road salt."],
    [
      "NOTICE TO SUPPLIERS: THE SUBMISSION DEADLINE FOR RESPONSES TO THIS RFSQ IS REVISED TO MAY 5, " +
      "2025 AT NOON TORONTO TIME. Request for Supplier Qualifications for petroleum fuel.",
      "Request for Supplier Qualifications for petroleum fuel.",
    ],
    [
      "To participate in this Solicitation, suppliers must do the following;,1) First be registered " +
      "with SAP Ariba,2) Access to the following link for posting.,http://discovery.ariba.com/rfx/1," +
      "The purpose of this Request is to select a qualified ,management consultant.",
      "The purpose of this Request is to select a qualified, management consultant.",
    ],
    ["For: Road reconstruction of Peel Avenue", "Road reconstruction of Peel Avenue."],
    [
      "Description: To prospective Suppliers to submit bids for the performance of the Work to " +
      "supply labour.",
      "Performance of the Work to supply labour.",
    ],
    [
      "**ONLY INVITED SUPPLIERS SHALL BE CONSIDERED*** This RFS is an invitation by the City of " +
      'Toronto (the "City") to prospective suppliers to submit Bids for Management Consulting.',
      "Management Consulting.",
    ],
    [
      "This RFT is an invitation by the City: to prospective Suppliers to submit bids for the " +
      "Lighting of the Village of Yorkville Park .1 as further described in Part 3 (DRAWINGS) and " +
      'the Contract (the "Project"). .2 In accordance with the Canadian Free Trade Agreement (CFTA) ' +
      "Bids will only be accepted from Canadian Suppliers.",
      "Lighting of the Village of Yorkville Park.",
    ],
    [
      "DEMOLITION CONTRACTORS ? FOR SALVAGE OF MATERIAL",
      "DEMOLITION CONTRACTORS – FOR SALVAGE OF MATERIAL.",
    ],
    [
      "Pumping Station and Reservoir ,The work to be carried out consists of;,Rehabilitation of the " +
      "Station including: ,- the conversion of a well,- improvement to rooms",
      "Pumping Station and Reservoir. The work to be carried out consists of; Rehabilitation of the " +
      "Station including: - the conversion of a well; improvement to rooms.",
    ],
    [
      "One mobile vet clinic For more details, please visit Ariba Link: https://a.example/1. The " +
      "City of Toronto does not post budget information.",
      "One mobile vet clinic.",
    ],
    [
      "The City?s hydrants,.3 Two years. Refer to call document for complete details.",
      "The City’s hydrants Two years.",
    ],
    [
      "Wayfinding at St. Lawrence Market. It is the City's intention to enter into a Contract with one.",
      "Wayfinding at St. Lawrence Market.",
    ],
    [
      "Please see Ariba event for full details: https://a.example/1 If you do not have an account.",
      "",
    ],
  ];
  const records =
    (await readSource(toronto, csv(...descriptions.map(([description]) => ({ description })))))
      .map(recordOf);
  const summaries = records.map(({ observed_fact }) =>
    /goods and services(?:: (.*?)|\.) Document number/.exec(observed_fact)![1] ?? ""
  );
  assert.deepEqual(summaries, descriptions.map(([, text]) => text));
});

Deno.test("toronto reads dates in the City's time, in summer and winter", async () => {
  const [summer, winter] = (await readSource(
    toronto,
    csv({}, { issued: "2026-01-05", deadline: "2026-02-05" }),
  )).map(recordOf);
  assert.deepEqual([summer!.occurred_at, summer!.expires_at], [
    "2026-08-07T04:00:00.000Z",
    "2026-09-01T03:59:59.000Z",
  ]);
  assert.deepEqual([winter!.occurred_at, winter!.expires_at], [
    "2026-01-05T05:00:00.000Z",
    "2026-02-06T04:59:59.000Z",
  ]);
});

Deno.test("toronto derives the sector from the City's category and the description", async () => {
  const rows: [string, string, string[]][] = [
    ["Construction Services", "Sidewalks", ["23"]],
    ["Professional Services", "Consulting engineering services for a bridge", ["54"]],
    ["Professional Services", "Security guards in parks", []],
    ["Goods and Services", "Consulting by engineers", []],
  ];
  const entries = await readSource(
    toronto,
    csv(...rows.map(([category, description]) => ({ category, description }))),
  );
  assert.deepEqual(entries.map((entry) => recordOf(entry).categories), rows.map((row) => row[2]));
  assert.equal(recordOf(entries[0]!).facets.industry, "Construction Services");
});

Deno.test("toronto names a division without the number of a cost centre", async () => {
  const divisions = ["CC1234", "0042 - Fire Services", "Fire Services (10042)", "Cost centre 4711"];
  const records = (await readSource(toronto, csv(...divisions.map((division) => ({ division })))))
    .map(recordOf);
  assert.deepEqual(records.map(({ company_name }) => company_name), [
    "City of Toronto",
    "City of Toronto – Fire Services",
    "City of Toronto – Fire Services",
    "City of Toronto",
  ]);
});

Deno.test("toronto quotes other columns, too, if the description says little", async () => {
  const rows = [
    { number: "4100000000", description: "See Part 3" },
    { number: "4100000001", description: "Ask jane.doe@toronto.ca" },
    { number: "4100000002", description: "Supply of bed frames for shelters" },
  ];
  const excerpts = (await readSource(toronto, csv(...rows))).map(recordOf)
    .map(({ evidence }) => evidence[0]!.excerpt);
  assert.match(excerpts[0]!, /^See Part 3\nRequest for Quotation\n/);
  assert.match(excerpts[1]!, /^Ask \[redacted\]\nRequest for Quotation\n/);
  assert.equal(excerpts[2], "Supply of bed frames for shelters");
});
