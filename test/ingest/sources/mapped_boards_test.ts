/** Reads samples of the job boards that only a mapping describes, and refreshes such a board. */
import assert from "node:assert/strict";
import { runDueFeed } from "../../../src/ingest/refresh/run_feed.ts";
import { scheduleFeed, setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import { personio } from "../../../src/ingest/sources/personio/personio.ts";
import { recruitee } from "../../../src/ingest/sources/recruitee/recruitee.ts";
import { smartrecruiters } from "../../../src/ingest/sources/smartrecruiters/smartrecruiters.ts";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import { databaseTest } from "../../support/database.ts";
import { refreshContext, startPublisher } from "../../support/publisher.ts";
import { contentOf, outcomesOf, readSource, RETRIEVED_AT } from "../../support/reading.ts";

const FOLDER = new URL("../../../src/ingest/sources/", import.meta.url);

const sampleOf = (path: string) => Deno.readTextFile(new URL(path, FOLDER));

/** Reads a document as the answer to a request for a board. */
async function readBoard(source: Source, text: string, target: string) {
  const context = { retrieved_at: RETRIEVED_AT, target };
  return await Array.fromAsync(source.read(new Blob([text]).stream(), context));
}

const ELSEWHERE = "left out: a place outside Canada and the United States";

Deno.test("smartrecruiters maps the postings of its sample", async () => {
  const entries = await readSource(
    smartrecruiters,
    await sampleOf("smartrecruiters/sample.json"),
  );
  assert.deepEqual(outcomesOf(entries).map(([, outcome]) => outcome), ["accepted", ELSEWHERE]);
  const times = {
    occurred_at: "2026-09-25T18:18:52.891Z",
    observed_at: "2026-09-25T18:18:52.891Z",
  };
  assert.deepEqual(contentOf(entries[0]!), {
    source: "smartrecruiters",
    external_id: "ubisoft2/744000151912444",
    company_name: "Ubisoft",
    company_external_id: "ubisoft2",
    company_identifiers: [],
    hostnames: [],
    kind: "job_posting",
    observed_fact: "Ubisoft has an open job posting: Spécialiste Fiabilité outils et " +
      "infrastructures - TGQF. Department: Ubisoft, Engineering. Employment: Full-time. " +
      "Location: Montreal, QC, Canada. SmartRecruiters board Ubisoft2, posting 744000151912444.",
    why_it_may_matter: "Ubisoft is hiring for a role, so it may need the tools and services that " +
      "the role works with. A job posting is a proxy for demand: nothing is asked of suppliers.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.9,
    ...times,
    expires_at: null,
    categories: [],
    texts: ["Spécialiste Fiabilité outils et infrastructures - TGQF"],
    facets: {
      employment: { kind: "full_time" },
      places: [{ country: "CA", region: "QC", city: "Montréal" }],
      role: "Spécialiste Fiabilité outils et infrastructures - TGQF",
    },
    evidence: [{
      source_uri: "https://jobs.smartrecruiters.com/Ubisoft2/744000151912444",
      excerpt: "Spécialiste Fiabilité outils et infrastructures - TGQF",
      ...times,
    }],
  });
});

Deno.test("recruitee maps the offer of its sample, also as if it were in Toronto", async () => {
  const sample = await sampleOf("recruitee/sample.json");
  const board = await readBoard(recruitee, sample, "channable");
  assert.deepEqual(outcomesOf(board).map(([, outcome]) => outcome), [ELSEWHERE]);
  const document = JSON.parse(sample);
  Object.assign(document.offers[0], {
    location: "Toronto, Ontario, Canada",
    city: "Toronto",
    state_name: "Ontario",
    country: "Canada",
    country_code: "CA",
    salary: { min: "80000", max: "95000", currency: "CAD", period: "year" },
  });
  const [entry] = await readBoard(recruitee, JSON.stringify(document), "channable");
  const { external_id, company_name, observed_fact, facets, texts, occurred_at, evidence } =
    contentOf(entry!);
  assert.deepEqual({ external_id, company_name, observed_fact, facets, texts, occurred_at }, {
    external_id: "channable/2751915",
    company_name: "Channable",
    observed_fact: "Channable has an open job posting: Customer Success Manager Benelux - Dutch " +
      "speaking. Department: Customer Success. Employment: fulltime permanent. Workplace: hybrid. " +
      "Pay: 80,000 to 95,000 CAD a year. Location: Toronto, Ontario, Canada. Recruitee board " +
      "channable, posting 2751915.",
    facets: {
      employment: {
        kind: "full_time",
        workplace: "hybrid",
        pay: { min: 80_000, max: 95_000, currency: "CAD", period: "year" },
      },
      places: [{ country: "CA", region: "ON", city: "Toronto" }],
      role: "Customer Success Manager Benelux - Dutch speaking",
    },
    texts: [
      "Customer Success Manager Benelux - Dutch speaking\nChannable is a fast-growing B2B SaaS " +
      "platform driving digital commerce across the globe.\n\nYour role\n\nPortfolio & client " +
      "management: customer retention, identifying risk, preventing churn.",
    ],
    occurred_at: "2026-09-18T13:27:28.000Z",
  });
  assert.equal(evidence[0]!.source_uri, document.offers[0].careers_url);
  // Without a target, the employer's own site identifies the records.
  const [filed] = await readSource(recruitee, JSON.stringify(document));
  assert.equal(contentOf(filed!).external_id, "jobs.channable.com/2751915");
});

Deno.test("personio maps the position of its sample, also as if it were in New York", async () => {
  const sample = await sampleOf("personio/sample.xml");
  const board = await readBoard(personio, sample, "acme");
  assert.deepEqual(outcomesOf(board).map(([, outcome]) => outcome), [ELSEWHERE]);
  const offices = "<office>New York</office><additionalOffices><office>Toronto, ON</office>" +
    "</additionalOffices><subcompany>Acme Inc.</subcompany>";
  const xml = sample.replace("<office>Munich</office>", offices);
  const entries = await readBoard(personio, xml, "acme");
  assert.deepEqual(
    entries.map((entry) => {
      const { external_id, company_name, observed_fact, facets, occurred_at } = contentOf(entry);
      return { external_id, company_name, observed_fact, facets, occurred_at };
    }),
    (["US", "CA"] as const).map((country) => ({
      external_id: country === "US" ? "acme/4103" : "acme/4103/ca",
      company_name: "Acme Inc.",
      observed_fact: "Acme Inc. has an open job posting: Office- und Feelgood Manager (m/w). " +
        "Department: Management. Employment: full-time, permanent. Location: New York; Toronto, " +
        "ON. It is open in Canada and in the United States; here: " +
        `${country === "US" ? "the United States" : "Canada"}. Personio board acme, posting 4103.`,
      facets: {
        employment: { kind: "full_time" },
        places: [
          country === "US"
            ? { country, region: "NY", city: "New York" }
            : { country, region: "ON", city: "Toronto" },
        ],
        role: "Office- und Feelgood Manager (m/w)",
      },
      occurred_at: "2016-05-31T10:14:07.000Z",
    })),
  );
  assert.equal(
    contentOf(entries[0]!).evidence[0]!.source_uri,
    "https://acme.jobs.personio.de/job/4103",
  );
  const filed = await readSource(personio, xml);
  assert.deepEqual(outcomesOf(filed), [[1, "the posting's address names no board"]]);
});

Deno.test("boards of mappings name the member of a fault, and accept the other postings", async () => {
  const offer = JSON.parse(await sampleOf("recruitee/sample.json")).offers[0];
  const toronto = { ...offer, location: "Toronto, Canada", country: "Canada", country_code: "CA" };
  const offers = [
    { ...toronto, id: "7" },
    { ...toronto, title: " " },
    { ...toronto, published_at: "soon" },
    { ...toronto, careers_url: "channable" },
    { ...toronto, salary: [] },
    toronto,
  ];
  const entries = await readBoard(recruitee, JSON.stringify({ offers }), "channable");
  assert.deepEqual(outcomesOf(entries).map(([, outcome]) => outcome), [
    "id: Invalid input: expected number, received string",
    "title: is empty",
    "published_at: is not a date and time",
    "careers_url: is not a web address",
    "salary: Invalid input: expected object, received array",
    "accepted",
  ]);
});

Deno.test("the boards request one board, at its own host or below a mirror", () => {
  const requested = ({ remote }: Source, address = remote!.address) =>
    remote!.request(address, { target: "acme", now: RETRIEVED_AT }).url;
  assert.equal(requested(recruitee), "https://acme.recruitee.com/api/offers/");
  assert.equal(requested(personio), "https://acme.jobs.personio.de/xml?language=en");
  assert.equal(
    requested(personio, "https://mirror.example"),
    "https://mirror.example/acme/xml?language=en",
  );
  const first = smartrecruiters.remote!.request(smartrecruiters.remote!.address, {
    target: "Ubisoft2",
    now: RETRIEVED_AT,
  });
  const url = "https://api.smartrecruiters.com/v1/companies/Ubisoft2/postings?limit=100&offset=";
  assert.equal(first.url, `${url}0`);
  assert.equal(smartrecruiters.remote!.next!(first, 100)?.url, `${url}100`);
  assert.equal(smartrecruiters.remote!.next!(first, 99), undefined);
});

databaseTest("runDueFeed() refreshes boards that only a mapping describes", async ({ sql }) => {
  const personioXml = (await sampleOf("personio/sample.xml")).replace("Munich", "New York");
  const postings = await sampleOf("smartrecruiters/sample.json");
  await using publisher = startPublisher(({ url }) =>
    new Response(url.includes("/xml") ? personioXml : postings)
  );
  const now = new Date("2026-10-01T00:00:00Z");
  const context = { ...refreshContext(sql, publisher, { now: () => now }), sources: SOURCES };
  for (const source of [personio, smartrecruiters]) {
    await setSourceTerms(sql, source, { address: publisher.address });
    await scheduleFeed(sql, source, { target: "acme", interval_seconds: 3_600, now });
    assert.equal(await runDueFeed(context, new AbortController().signal), true);
  }
  const rows = await sql`
    select s.name as source, o.external_id
    from observations o
    join sources s on s.id = o.source_id
    order by s.name
  `;
  assert.deepEqual([...rows], [
    { source: "personio", external_id: "acme/4103" },
    { source: "smartrecruiters", external_id: "acme/744000151912444" },
  ]);
  assert.deepEqual(publisher.asked, [
    "/acme/xml?language=en",
    "/acme/postings?limit=100&offset=0",
  ]);
});
