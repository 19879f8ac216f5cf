import assert from "node:assert/strict";
import { greenhouse } from "../../../src/ingest/sources/greenhouse/greenhouse.ts";
import { ashby } from "../../../src/ingest/sources/ashby/ashby.ts";
import { lever } from "../../../src/ingest/sources/lever/lever.ts";
import {
  ashbyJob,
  greenhouseJob,
  leverPosting,
  outcomesOf,
  readAll,
} from "../../support/postings.ts";

const factOf = ({ observed_fact }: { observed_fact: string }) => observed_fact;

/** Escapes HTML, because Greenhouse's JSON contains escaped HTML. */
const escaped = (html: string) =>
  html.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");

Deno.test("greenhouse reads offices, custom metadata fields of a job, and pay ranges", async () => {
  const pay = (title: string, low: string, high: string) =>
    `<div class="pay-input"><div class="title">${title}</div><div class="pay-range"><span>${low}` +
    `</span><span class="divider">&mdash;</span><span>${high}</span></div></div>`;
  const content = escaped(
    "<p>Robots.</p>" + pay("US base salary range", "$168,000", "$240,000 USD") +
      pay("Canada base salary range", "$140,000", "$180,000 CAD"),
  );
  const entries = await readAll(greenhouse, {
    jobs: [
      greenhouseJob({ location: { name: "Austin, TX or Toronto" }, content }),
      greenhouseJob({
        location: { name: "Remote" },
        offices: [{ name: "US", location: "New York, New York, United States" }],
      }),
      greenhouseJob({
        location: { name: "Boston" },
        departments: [{ name: "1234 - Engineering" }, { name: "Engineering" }],
        metadata: [
          { name: "Employment Type", value: "Full-time" },
          { name: "Workplace Type", value: "Hybrid" },
          {
            name: "Salary Range",
            value: { unit: "USD", min_value: "120000.0", max_value: "150000.0" },
          },
        ],
      }),
      greenhouseJob({
        title: "Robotics Intern",
        pay_input_ranges: [{
          min_cents: 2500,
          max_cents: 3150,
          currency_type: "CAD",
          title: "Hourly rate",
        }],
      }),
    ],
  });
  const both = "It is open in Canada and in the United States; here:";
  const start = "Acme has an open job posting: Data Engineer.";
  const end = "Greenhouse board acme, posting 7.";
  assert.deepEqual(outcomesOf(entries, factOf), [
    [
      "acme/7",
      "US",
      `${start} Pay: 168,000 to 240,000 USD a year. Location: Austin, TX or Toronto. ${both} the ` +
      `United States. ${end}`,
    ],
    [
      "acme/7/ca",
      "CA",
      `${start} Pay: 140,000 to 180,000 CAD a year. Location: Austin, TX or Toronto. ${both} ` +
      `Canada. ${end}`,
    ],
    [
      "acme/7",
      "US",
      `${start} Workplace: remote. Location: Remote; New York, New York, United States. ${end}`,
    ],
    [
      "acme/7",
      "US",
      `${start} Department: Engineering. Employment: Full-time. Workplace: hybrid. Pay: 120,000 to ` +
      `150,000 USD a year. Location: Boston. ${end}`,
    ],
    [
      "acme/7",
      "CA",
      "Acme has an open job posting: Robotics Intern. Employment: internship. Pay: 25 to 31.50 " +
      `CAD an hour. Location: Toronto, ON. ${end}`,
    ],
  ]);
});

Deno.test("lever reads pay from a text only if it is unambiguous", async () => {
  const cases: [text: string, pay: object | undefined][] = [
    [
      "Acme raised $50 - $60 million. The base salary range is $120K–$150K.",
      { min: 120_000, max: 150_000, currency: "CAD", period: "year" },
    ],
    [
      "Salary\n\nThe range is estimated to be US$60,000 - US$97,000/year.",
      { min: 60_000, max: 97_000, currency: "USD", period: "year" },
    ],
    [
      "Hourly pay: CA$25.50 to CA$31.00 per hour",
      { min: 25.5, max: 31, currency: "CAD", period: "hour" },
    ],
    [
      "Salaire : 60 000 $ à 75 000 $ par an",
      { min: 60_000, max: 75_000, currency: "CAD", period: "year" },
    ],
    ["OTE is $200,000 - $220,000.", undefined],
    ["Our customers save $20,000 - $90,000 a year.", undefined],
    ["Salary: $100,000 - $120,000 in one zone. Salary: $90,000 - $99,000 in another.", undefined],
    ["Pay: £60,000 - £70,000", undefined],
    ["Compensation of 3 - 5 weeks", undefined],
  ];
  for (const [descriptionPlain, pay] of cases) {
    const [entry] = await readAll(lever, [leverPosting({ descriptionPlain })]);
    assert.ok("record" in entry!.judged);
    assert.deepEqual(entry!.judged.record.facets.employment?.pay, pay, descriptionPlain);
  }
});

Deno.test("lever quotes the passage on the role and the line on pay", async () => {
  const about = "Acme makes robots for orchards and is proud of its story. ".repeat(12).trim();
  const role = "You build the pipelines that feed our robots. ".repeat(10).trim();
  const pay = "The salary range for this position is $120,000 - $150,000 a year.";
  const descriptionPlain = `${about}\n\nAbout the role\n${role}\n\n${about}\n\n${pay}`;
  const [entry] = await readAll(lever, [leverPosting({ descriptionPlain })]);
  assert.ok("record" in entry!.judged);
  const { evidence, texts } = entry!.judged.record;
  assert.deepEqual(texts, [`Data Engineer\n${descriptionPlain}`]);
  assert.equal(evidence.length, 2);
  assert.ok(evidence[0]!.excerpt.startsWith(role));
  assert.ok(evidence[0]!.excerpt.length <= 600);
  assert.equal(evidence[1]!.excerpt, pay);
});

Deno.test("lever names a department once, without the number of its cost centre", async () => {
  const cases: [string, string | undefined][] = [
    ["1234 - Engineering", "Engineering"],
    ["3400 Engineering", "Engineering"],
    ["CC4021 Engineering", "Engineering"],
    ["Engineering (4021)", "Engineering"],
    ["Engineering - 4021", "Engineering"],
    ["3D Printing", "3D Printing"],
    ["24/7 Support", "24/7 Support"],
    ["4021", undefined],
  ];
  for (const [department, name] of cases) {
    const categories = { location: "Toronto", department, team: department };
    const [entry] = await readAll(lever, [leverPosting({ categories })]);
    assert.ok("record" in entry!.judged);
    const { observed_fact } = entry!.judged.record;
    assert.equal(/Department: (.*?)\. /.exec(observed_fact)?.[1], name);
  }
});

Deno.test("lever recognizes known spellings of technologies, but no ordinary words", async () => {
  const cases: [string, string[] | undefined][] = [
    ["Python, Golang and k8s on AWS; PostgreSQL or Postgres.", [
      "Python",
      "Golang",
      "Kubernetes",
      "Amazon Web Services",
      "PostgreSQL",
    ]],
    ["JavaScript, C++, C# and .NET; Node.js/React, Java-based, Python3.", [
      "JavaScript",
      "C++",
      "C#",
      ".NET",
      "Node.js",
      "React",
      "Java",
      "Python",
    ]],
    ["You go far, excel at work, react swiftly and spark joy. R and C.", undefined],
    ["React quickly. Swift response. See https://acme.example/Java or me@Java.example", undefined],
    ["Acme runs Acme, and Snowflake.", ["Snowflake"]],
  ];
  for (const [descriptionPlain, technologies] of cases) {
    const [entry] = await readAll(lever, [leverPosting({ descriptionPlain })]);
    assert.ok("record" in entry!.judged);
    assert.deepEqual(entry!.judged.record.facets.technologies, technologies, descriptionPlain);
  }
  const hostedUrl = "https://jobs.lever.co/databricks/a1";
  const descriptionPlain = "Databricks runs on Scala.";
  const [entry] = await readAll(lever, [leverPosting({ hostedUrl, descriptionPlain })]);
  assert.ok("record" in entry!.judged);
  assert.deepEqual(entry!.judged.record.facets.technologies, ["Scala"]);
});

Deno.test("ashby combines the pay of zones, and supports ranges without a min or max", async () => {
  const tier = (values: object) => ({
    components: [{
      compensationType: "Salary",
      interval: "1 YEAR",
      currencyCode: "USD",
      ...values,
    }],
  });
  const cases: [object[], object | undefined][] = [
    [[tier({ minValue: 80_000, maxValue: 90_000 }), tier({ minValue: 70_000, maxValue: 85_000 })], {
      min: 70_000,
      max: 90_000,
      currency: "USD",
      period: "year",
    }],
    [[tier({ maxValue: 90_000 }), tier({ maxValue: 85_000 })], {
      max: 90_000,
      currency: "USD",
      period: "year",
    }],
    [[tier({ maxValue: 90_000 }), tier({ minValue: 85_000 })], undefined],
    [[tier({ minValue: 90_000_000 })], undefined],
    [[tier({ compensationType: "Bonus", minValue: 20_000 })], undefined],
    [[tier({ interval: "2 WEEK", minValue: 3_000, maxValue: 4_000 })], undefined],
  ];
  for (const [compensationTiers, pay] of cases) {
    const [entry] = await readAll(ashby, {
      jobs: [ashbyJob({ compensation: { compensationTiers } })],
    });
    assert.ok("record" in entry!.judged);
    assert.deepEqual(entry!.judged.record.facets.employment?.pay, pay);
  }
  const summaryComponents = tier({ minValue: 80_000, maxValue: 90_000 }).components;
  const paid = ashbyJob({ compensation: { summaryComponents } });
  const hidden = { ...paid, shouldDisplayCompensationOnJobPostings: false };
  const entries = await readAll(ashby, { jobs: [paid, hidden] });
  assert.deepEqual(outcomesOf(entries, ({ facets }) => facets.employment?.pay?.max), [
    ["acme/b1", "US", 90_000],
    ["acme/b1", "US", undefined],
  ]);
});

Deno.test("lever quotes the passage on the role from a posting without headings", async () => {
  const about = "Data Engineer jobs at Acme are great, and Acme is proud of its story. ".repeat(12);
  const role = "We are looking for a Data Engineer. " + "You move data between systems. ".repeat(9);
  const descriptionPlain = `${about.trim()}\n${role.trim()}\n${about.trim()}`;
  const [entry] = await readAll(lever, [leverPosting({ descriptionPlain })]);
  assert.ok("record" in entry!.judged);
  const { evidence } = entry!.judged.record;
  assert.ok(evidence[0]!.excerpt.startsWith("We are looking for a Data Engineer. You move data"));
});
