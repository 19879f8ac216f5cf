import assert from "node:assert/strict";
import { remoteJobs } from "../../../src/ingest/sources/remote_jobs/remote_jobs.ts";
import { contentOf, outcomesOf, readSource, recordOf } from "../../support/reading.ts";

const BODY = {
  "Company blurb": "We make *feedback* simple: [more](https://acme.example/more). Write to " +
    "jane@acme.example or call +1 613 998 8974.\n\nSince **2011**.",
  "Company size": "~100 currently",
  "Region": "- The Americas\n- Europe",
  "Company technologies": "Backend: Python, Django\n\nOur stack is:\n* React",
  "Office locations": "- Ottawa, Ontario\n- Lviv (Ukraine)",
  "How to apply": "Ask Jane Doe.",
};

type Page = Record<string, unknown> & { body?: Partial<Record<keyof typeof BODY, string>> };

/** Returns a page as one line of JSON. Omitted members have default values. */
function line({ body, ...page }: Page = {}): string {
  const sections = Object.entries({ ...BODY, ...body });
  return JSON.stringify({
    title: "Acme & Sons",
    slug: "acme",
    website: "https://www.acme.example/about",
    region: "americas-europe",
    remote_policy: "remote-friendly",
    company_size: "medium",
    technologies: ["devops", "python"],
    addedAt: "2019-05-03",
    updatedAt: "2019-06-06",
    body_markdown: sections.map(([name, text]) => `## ${name}\n\n${text}\n`).join("\n"),
    ...page,
  });
}

Deno.test("remote_jobs maps a company and its technologies to two records", async () => {
  const entries = await readSource(remoteJobs, line());
  const times = { occurred_at: null, observed_at: "2019-06-06T00:00:00.000Z" };
  const source_uri = "https://remoteintech.company/companies/acme/";
  const company = {
    source: "remote_jobs",
    external_id: "acme",
    company_name: "Acme & Sons",
    company_external_id: "acme",
    company_identifiers: [],
    hostnames: ["acme.example", "www.acme.example"],
    kind: "company_profile",
    observed_fact:
      "Acme & Sons (acme.example) employs people remotely (remote-friendly). Company " +
      "size: medium; ~100 currently. Offices: Ottawa, Ontario; Lviv (Ukraine). It hires in: The " +
      "Americas; Europe.",
    why_it_may_matter: "Who the company is by its own words, in a list of employers of remote " +
      "workers. It is no sign of buying.",
    demand_class: "structural",
    country: "CA",
    confidence: 0.7,
    ...times,
    expires_at: null,
    categories: [],
    texts: [
      "Acme & Sons\n\nWe make feedback simple: more. Write to [redacted] or call [redacted].\n\n" +
      "Since 2011.\n\n~100 currently\n\nThe Americas\nEurope\n\nBackend: Python, Django\n\n" +
      "Our stack is:\nReact\n\nOttawa, Ontario\nLviv (Ukraine)",
    ],
    facets: { places: [{ country: "CA", region: "ON", city: "Ottawa" }] },
    evidence: [{
      source_uri,
      excerpt: "We make feedback simple: more. Write to [redacted] or call [redacted].\n\n" +
        "Since 2011.",
      ...times,
    }],
  };
  const dated = { ...times, occurred_at: "2019-06-06T00:00:00.000Z" };
  assert.deepEqual(entries.map(contentOf), [company, {
    ...company,
    external_id: "acme/technologies",
    kind: "technology_use",
    observed_fact: "Acme & Sons lists these technologies: devops, python. In its own words: " +
      "Backend: Python, Django; Our stack is: React.",
    why_it_may_matter: "Products and services around these technologies may be of use to the " +
      "company. What it lists is no sign of buying.",
    ...dated,
    texts: [],
    facets: {
      places: [{ country: "CA", region: "ON", city: "Ottawa" }],
      technologies: ["devops", "Python", "Django", "React"],
    },
    evidence: [{
      source_uri,
      excerpt: "technologies: devops, python\nBackend: Python, Django\n\nOur stack is:\nReact",
      ...dated,
    }],
  }]);
});

Deno.test("remote_jobs keeps companies whose country is unambiguous, and no others", async () => {
  const countryOf = async (offices: string, region = "Worldwide") => {
    const body = { "Company technologies": "", "Office locations": offices, "Region": region };
    const [entry] = await readSource(remoteJobs, line({ body, technologies: [] }));
    return "left_out" in entry!.judged ? undefined : recordOf(entry!).country;
  };
  const cases: [string, string | undefined, "CA" | "US" | undefined][] = [
    ["Toronto, Ontario", undefined, "CA"],
    ["- San Francisco, USA\n- Dublin, Ireland", undefined, "US"],
    ["- Sydney, Australia\n- Boston, USA", undefined, undefined],
    ["- London, UK\n- Vancouver, BC, Canada (HQ)", undefined, "CA"],
    ["- Boston, USA\n- Our main office is in Paris, France", undefined, undefined],
    ["Corporate Headquarters:\n1400 American Lane\nSchaumburg, IL 60173", undefined, "US"],
    ["Global sites. Headquarters in Mountain View, California, USA.", undefined, "US"],
    ["Heroku\nSuite 300\nSan Francisco, CA\n94105", undefined, "US"],
    ["London\nAthens\nSeattle", undefined, undefined],
    ["None! We all work from home.", "USA only for the time being", "US"],
    ["", "**Canada**", "CA"],
    ["", "US and Canada", undefined],
    ["100% remote", "Worldwide", undefined],
    ["", "", undefined],
  ];
  for (const [offices, region, country] of cases) {
    assert.equal(await countryOf(offices, region), country, `${offices} | ${region}`);
  }
});

Deno.test("remote_jobs lowers the confidence of pages without an update or a date", async () => {
  const entries = await readSource(
    remoteJobs,
    [
      line({ updatedAt: undefined }),
      line({ updatedAt: "2019-05-03", body: { "Company technologies": "" } }),
      line({ updatedAt: undefined, addedAt: undefined }),
    ].join("\n"),
  );
  const records = entries.map(recordOf);
  assert.deepEqual(
    records.map(({ kind, confidence, occurred_at, observed_at }) => [
      kind,
      confidence,
      occurred_at,
      observed_at,
    ]),
    [
      ["company_profile", 0.6, null, "2019-05-03T00:00:00.000Z"],
      ["technology_use", 0.6, "2019-05-03T00:00:00.000Z", "2019-05-03T00:00:00.000Z"],
      ["company_profile", 0.6, null, "2019-05-03T00:00:00.000Z"],
      ["technology_use", 0.55, "2019-05-03T00:00:00.000Z", "2019-05-03T00:00:00.000Z"],
      // Technologies of an undated page are left out, because the time of their use is unknown.
      ["company_profile", 0.5, null, "2026-08-01T00:00:00.000Z"],
    ],
  );
  const later = [];
  const stream = ReadableStream.from([
    new TextEncoder().encode(line({ updatedAt: undefined, addedAt: undefined })),
  ]);
  const context = { retrieved_at: new Date("2026-09-01T00:00:00Z") };
  for await (const entry of remoteJobs.read(stream, context)) later.push(recordOf(entry));
  assert.equal(later[0]!.content_hash, records[4]!.content_hash);
});

Deno.test("remote_jobs maps hostnames only of a company's own site", async () => {
  const cases: [string, string[]][] = [
    ["https://Fly.io", ["fly.io"]],
    ["http://www.acme.co.uk/", ["acme.co.uk", "www.acme.co.uk"]],
    ["https://www.com", ["www.com"]],
    ["https://careers.acme.example", ["careers.acme.example"]],
    ["https://jobs.lever.co/acme", []],
    ["https://www.ycombinator.com/companies/acme", []],
  ];
  for (const [website, hostnames] of cases) {
    const [entry] = await readSource(remoteJobs, line({ website }));
    assert.deepEqual(recordOf(entry!).hostnames, hostnames);
  }
});

Deno.test("remote_jobs rejects invalid pages, and names their line and field", async () => {
  const file = [
    line(),
    line({ title: " " }),
    "",
    line({ slug: "../acme" }),
    line({ website: "acme dot example" }),
    line({ website: "mailto:jane@acme.example" }),
    line({ updatedAt: "2019-02-30" }),
    line({ updatedAt: undefined, addedAt: "May 2019" }),
    '{"title": ',
    "[]",
  ].join("\n");
  assert.deepEqual(outcomesOf(await readSource(remoteJobs, file)), [
    [1, "accepted"],
    [1, "accepted"],
    [2, "title: is empty"],
    [4, "slug: is not a slug: ../acme"],
    [5, "website: is not a web address: acme dot example"],
    [6, "website: is not a web address: mailto:[redacted]"],
    [7, "updatedAt: is not a date: 2019-02-30"],
    [8, "addedAt: is not a date: May 2019"],
    [9, "the line is not JSON"],
    [10, "title: is empty"],
  ]);
});

Deno.test("remote_jobs drops ambiguous tags that the company's own words do not support", async () => {
  const cases: [string, string[], string[] | undefined][] = [
    ["HTML5, jQuery, and Google Analytics", ["go", "javascript", "ml"], ["javascript"]],
    ["JavaScript, MongoDB, scalable systems", ["go", "java", "nosql", "scala"], ["nosql"]],
    ["Golang, Java 8, Scala, AI", ["go", "java", "ml", "scala"], ["go", "java", "ml", "scala"]],
    ["MySQL, Elasticsearch", ["search", "sql"], ["search", "sql"]],
    ["Our platform delivers to agencies", ["go"], undefined],
    ["", ["go", "ml"], ["go", "ml"]],
  ];
  for (const [words, technologies, kept] of cases) {
    const body = { "Company technologies": words };
    const records = (await readSource(remoteJobs, line({ technologies, body }))).map(recordOf);
    const [record] = records.filter(({ kind }) => kind === "technology_use");
    const listed = record && /technologies: (.*?)\./.exec(record.observed_fact)![1]!.split(", ");
    assert.deepEqual(listed, kept, words);
    if (record === undefined) continue;
    assert.equal(record.evidence[0]!.excerpt.split("\n")[0], `technologies: ${kept!.join(", ")}`);
    // The dropped tags remain searchable in the texts.
    const isDropped = kept!.length < technologies.length;
    assert.equal(
      record.texts[0]?.split("\n")[0],
      isDropped ? `technologies: ${technologies.join(", ")}` : undefined,
    );
  }
});

Deno.test("remote_jobs keeps the technologies in a company's words if all tags are dropped", async () => {
  const body = { "Company technologies": "GitHub, Google Drive and Slack" };
  const records = (await readSource(remoteJobs, line({ technologies: ["go"], body }))).map(
    recordOf,
  );
  const record = records[1]!;
  assert.equal(
    record.observed_fact,
    "Acme & Sons says of its technologies: GitHub, Google Drive and Slack.",
  );
  assert.equal(record.evidence[0]!.excerpt, "GitHub, Google Drive and Slack");
  assert.ok(!record.facets.technologies!.includes("Golang"));
});
