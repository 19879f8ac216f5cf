import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { ashby } from "../../../src/ingest/sources/ashby/ashby.ts";
import { greenhouse } from "../../../src/ingest/sources/greenhouse/greenhouse.ts";
import { lever } from "../../../src/ingest/sources/lever/lever.ts";

/** Directory of the real files, outside of the project. It may be absent. */
const REAL_FILES = new URL("../../../../shared/data/job_boards/", import.meta.url);

const CONTEXT = { retrieved_at: new Date("2026-08-01T00:00:00Z") };

/** Expected records of the two jobs in each file. Lever's job in London is left out. */
const REAL: [Source, [id: string, country: string, confidence: number, fact: string][]][] = [
  [greenhouse, [
    [
      "smarterdx/5193736007",
      "US",
      0.9,
      "SmarterDx has an open job posting: Client Support Analyst I. Department: Customer Success. " +
      "Workplace: remote. Location: Remote (United States). Greenhouse board smarterdx, posting 5193736007.",
    ],
    [
      "smarterdx/5099964007",
      "US",
      0.9,
      "SmarterDx has an open job posting: Clinical Coding Specialist. Department: Clinical " +
      "Operations. Workplace: remote. Pay: 75,000 to 105,000 USD a year. Location: Remote (United " +
      "States). Greenhouse board smarterdx, posting 5099964007.",
    ],
  ]],
  [lever, [[
    "palantir/0bbfd4f4-41ff-4ec6-b73f-5200efd5d4d3",
    "US",
    0.75,
    "Palantir has an open job posting: Administrative Business Partner - Security. Department: " +
    "Administrative. Employment: Full-time. Workplace: hybrid. Pay: 60,000 to 97,000 USD a year. " +
    "Location: Palo Alto, CA. Lever board palantir, posting " +
    "0bbfd4f4-41ff-4ec6-b73f-5200efd5d4d3.",
  ]]],
  [ashby, [
    [
      "openevidence/4c577aae-1ad0-444b-9e15-2ad994333de4",
      "US",
      0.75,
      "Openevidence has an open job posting: Member of Technical Staff. Department: Engineering. " +
      "Employment: Full Time. Workplace: on site. Location: San Francisco, California, United " +
      "States; Miami, Florida, United States. Ashby board openevidence, posting 4c577aae-1ad0-444b-9e15-2ad994333de4.",
    ],
    [
      "openevidence/db203104-7408-48ee-8e11-25340e11b739",
      "US",
      0.75,
      "Openevidence has an open job posting: Software Engineer, Data Platform. Department: " +
      "Engineering. Employment: Full Time. Workplace: on site. Location: San Francisco, California, United States; " +
      "Miami, Florida, United States. Ashby board openevidence, posting " +
      "db203104-7408-48ee-8e11-25340e11b739.",
    ],
  ]],
];

for (const [source, expected] of REAL) {
  const file = new URL(`${source.name}_sample.json`, REAL_FILES);
  Deno.test({
    name: `${source.name} maps its real file (needs ../shared/data)`,
    ignore: !existsSync(file),
    async fn() {
      const records = [];
      for await (const { judged } of source.read((await Deno.open(file)).readable, CONTEXT)) {
        if ("record" in judged) records.push(judged.record);
        else assert.deepEqual(judged, { left_out: "a place outside Canada and the United States" });
      }
      assert.deepEqual(
        records.map(({ external_id, country, confidence, observed_fact }) => [
          external_id,
          country,
          confidence,
          observed_fact,
        ]),
        expected,
      );
      for (const { evidence: [evidence], texts: [text], occurred_at, observed_at } of records) {
        assert.ok(occurred_at! <= observed_at && observed_at < "2026-08-01");
        assert.ok(evidence!.excerpt.length > 350 && evidence!.excerpt.length <= 600);
        assert.ok(text!.length > 2_000 && text!.includes(evidence!.excerpt));
        assert.doesNotMatch(text!, /<\w+|&\w+;|[\w.]+@[\w.]+/);
      }
    },
  });
}
