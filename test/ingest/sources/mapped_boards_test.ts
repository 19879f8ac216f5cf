/** Reads samples of the job boards that only a mapping describes, and refreshes such a board. */
import assert from "node:assert/strict";
import { runDueFeed } from "../../../src/ingest/refresh/refresher.ts";
import { scheduleFeed, setSourceTerms } from "../../../src/ingest/refresh/schedule.ts";
import { personio } from "../../../src/ingest/sources/personio/personio.ts";
import { recruitee } from "../../../src/ingest/sources/recruitee/recruitee.ts";
import { smartrecruiters } from "../../../src/ingest/sources/smartrecruiters/smartrecruiters.ts";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { SOURCES } from "../../../src/ingest/sources/sources.ts";
import { oneEngineTest } from "../../support/database.ts";
import { refreshContext, startPublisher } from "../../support/publisher.ts";
import { contentOf, outcomesOf, RETRIEVED_AT } from "../../support/reading.ts";
import { readSample, sampleOf } from "../../support/source_folders.ts";

/** Reads a document as the answer to a request for a board. */
async function readBoard(source: Source, text: string, target: string) {
  const context = { retrieved_at: RETRIEVED_AT, target };
  return await Array.fromAsync(source.read(new Blob([text]).stream(), context));
}

const ELSEWHERE = "left out: a place outside Canada and the United States";

Deno.test("smartrecruiters maps the postings of its sample", async () => {
  const entries = await Array.fromAsync(readSample(smartrecruiters));
  assert.deepEqual(outcomesOf(entries).map(([, outcome]) => outcome), ["accepted", ELSEWHERE]);
  const times = {
    occurred_at: "2026-09-25T18:18:52.891Z",
    observed_at: "2026-09-25T18:18:52.891Z",
  };
  assert.deepEqual(contentOf(entries[0]!), {
    source: "smartrecruiters",
    external_id: "exampleelevators/744000000000001",
    company_name: "Example Elevators",
    company_external_id: "exampleelevators",
    company_identifiers: [],
    hostnames: [],
    kind: "job_posting",
    observed_fact: "Example Elevators has an open job posting: Spécialiste en entretien " +
      "d'ascenseurs. Department: Maintenance, Engineering. Employment: Full-time. Location: " +
      "Montreal, QC, Canada. SmartRecruiters board ExampleElevators, posting 744000000000001.",
    why_it_may_matter: "Example Elevators is hiring for a role, so it may need the tools and " +
      "services that the role works with. A job posting is a proxy for demand: nothing is asked " +
      "of suppliers.",
    demand_class: "proxy",
    country: "CA",
    confidence: 0.9,
    ...times,
    expires_at: null,
    categories: [],
    texts: ["Spécialiste en entretien d'ascenseurs"],
    facets: {
      employment: { kind: "full_time" },
      places: [{ country: "CA", region: "QC", city: "Montréal" }],
      role: "Spécialiste en entretien d'ascenseurs",
    },
    evidence: [{
      source_uri: "https://jobs.smartrecruiters.com/ExampleElevators/744000000000001",
      excerpt: "Spécialiste en entretien d'ascenseurs",
      ...times,
    }],
  });
});

Deno.test("recruitee maps the offers of its sample", async () => {
  const board = await Array.fromAsync(readSample(recruitee, { target: "examplebicycles" }));
  assert.deepEqual(outcomesOf(board).map(([, outcome]) => outcome), ["accepted", ELSEWHERE]);
  const { external_id, company_name, observed_fact, facets, texts, occurred_at, evidence } =
    contentOf(board[0]!);
  assert.deepEqual({ external_id, company_name, observed_fact, facets, texts, occurred_at }, {
    external_id: "examplebicycles/2700001",
    company_name: "Example Bicycles",
    observed_fact: "Example Bicycles has an open job posting: Customer Success Manager. " +
      "Department: Customer Success. Employment: fulltime permanent. Workplace: hybrid. " +
      "Pay: 80,000 to 95,000 CAD a year. Location: Toronto, Ontario, Canada. Recruitee board " +
      "examplebicycles, posting 2700001.",
    facets: {
      employment: {
        kind: "full_time",
        workplace: "hybrid",
        pay: { min: 80_000, max: 95_000, currency: "CAD", period: "year" },
      },
      places: [{ country: "CA", region: "ON", city: "Toronto" }],
      role: "Customer Success Manager",
    },
    texts: [
      "Customer Success Manager\nWe rent cargo bicycles to shops.\n\nYour role\n\nYou look " +
      "after 40 shops & answer their questions.",
    ],
    occurred_at: "2026-09-18T13:27:28.000Z",
  });
  assert.equal(
    evidence[0]!.source_uri,
    "https://jobs.bicycles.example/o/customer-success-manager",
  );
  // Without a target, the employer's own site identifies the records.
  const [filed] = await Array.fromAsync(readSample(recruitee));
  assert.equal(contentOf(filed!).external_id, "jobs.bicycles.example/2700001");
});

Deno.test("personio maps the positions of its sample", async () => {
  const board = await Array.fromAsync(readSample(personio, { target: "acme" }));
  assert.deepEqual(outcomesOf(board).map(([, outcome]) => outcome), [
    "accepted",
    "accepted",
    ELSEWHERE,
  ]);
  assert.deepEqual(
    board.slice(0, 2).map((entry) => {
      const { external_id, company_name, observed_fact, facets, occurred_at } = contentOf(entry);
      return { external_id, company_name, observed_fact, facets, occurred_at };
    }),
    (["US", "CA"] as const).map((country) => ({
      external_id: country === "US" ? "acme/5000001" : "acme/5000001/ca",
      company_name: "Example Ovens Inc.",
      observed_fact: "Example Ovens Inc. has an open job posting: Office Manager. Department: " +
        "Management. Employment: full-time, permanent. Location: New York; Toronto, ON. It is " +
        "open in Canada and in the United States; here: " +
        `${country === "US" ? "the United States" : "Canada"}. Personio board acme, posting ` +
        "5000001.",
      facets: {
        employment: { kind: "full_time" },
        places: [
          country === "US"
            ? { country, region: "NY", city: "New York" }
            : { country, region: "ON", city: "Toronto" },
        ],
        role: "Office Manager",
      },
      occurred_at: "2026-05-31T10:14:07.000Z",
    })),
  );
  const { evidence, texts } = contentOf(board[0]!);
  assert.equal(evidence[0]!.source_uri, "https://acme.jobs.personio.de/job/5000001");
  assert.match(texts[0]!, /^Office Manager\nYour tasks\nYou run the office/);
  const filed = outcomesOf(await Array.fromAsync(readSample(personio)));
  assert.deepEqual(filed[0], [1, "the posting's address names no board"]);
});

Deno.test("recruitee rejects an offer without a time, and reads a hybrid workplace first", async () => {
  const { offers: [toronto] } = JSON.parse(await Deno.readTextFile(sampleOf("recruitee")));
  const offers = [{ published_at: "soon" }, { status: "draft" }, { remote: true }]
    .map((part) => ({ ...toronto, ...part }));
  const entries = await readBoard(recruitee, JSON.stringify({ offers }), "channable");
  assert.deepEqual(outcomesOf(entries).map(([, outcome]) => outcome), [
    "published_at: is not a date and time: soon",
    "left out: an offer that is not published",
    "accepted",
  ]);
  // An offer that is hybrid and remote is hybrid, because the mapping names that member first.
  assert.match(contentOf(entries.at(-1)!).observed_fact, /Workplace: hybrid/);
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

oneEngineTest("runDueFeed() refreshes boards that only a mapping describes", async ({ sql }) => {
  const personioXml = await Deno.readTextFile(sampleOf("personio"));
  const postings = await Deno.readTextFile(sampleOf("smartrecruiters"));
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
    order by s.name, o.external_id
  `;
  assert.deepEqual([...rows], [
    { source: "personio", external_id: "acme/5000001" },
    { source: "personio", external_id: "acme/5000001/ca" },
    { source: "smartrecruiters", external_id: "acme/744000000000001" },
  ]);
  assert.deepEqual(publisher.asked, ["/acme/xml?language=en", "/acme/postings?limit=100&offset=0"]);
});
