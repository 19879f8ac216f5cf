import assert from "node:assert/strict";
import type { ReadContext } from "../../../src/ingest/record/entry.ts";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { ashby } from "../../../src/ingest/sources/ashby/ashby.ts";
import { greenhouse } from "../../../src/ingest/sources/greenhouse/greenhouse.ts";
import { lever } from "../../../src/ingest/sources/lever/lever.ts";
import {
  ashbyJob,
  greenhouseJob,
  leverPosting,
  outcomesOf,
  readAll,
} from "../../support/postings.ts";

Deno.test("greenhouse reads a file whose links lead to the employer's site", async () => {
  const ownLink = { absolute_url: "https://www.acme.example/careers?gh_jid=7", company_name: null };
  const document = { jobs: [greenhouseJob(ownLink)] };
  const company = { name: "Acme Robotics Inc.", domains: ["acme.example"] };
  const identity = async (context: Partial<ReadContext>) => {
    const [outcome] = outcomesOf(
      await readAll(greenhouse, document, context),
      ({ company_name, company_external_id, hostnames }) => [
        company_name,
        company_external_id,
        ...hostnames,
      ],
    );
    return outcome;
  };
  const known = "Acme Robotics Inc.";
  assert.deepEqual(await identity({ company }), [
    "acme.example/7",
    "CA",
    [known, "acme.example", "acme.example"],
  ]);
  // The board is known from the target of the request, or from its address.
  const byBoard = ["acmerobots/7", "CA", [known, "acmerobots", "acme.example"]];
  const address = "https://boards-api.greenhouse.io/v1/boards/acmerobots/jobs?content=true";
  assert.deepEqual(await identity({ company, target: "acmerobots" }), byBoard);
  assert.deepEqual(await identity({ company, address }), byBoard);
  assert.equal(await identity({}), "the posting's address names no board");
  const form = "https://boards.greenhouse.io/embed/job_app?for=acmerobots&token=7";
  const [embedded] = await readAll(greenhouse, { jobs: [greenhouseJob({ absolute_url: form })] });
  assert.ok("record" in embedded!.judged);
  assert.equal(embedded!.judged.record.external_id, "acmerobots/7");
  const nameless = greenhouseJob({ absolute_url: form.replace("for=acmerobots&", "") });
  const lent = await readAll(greenhouse, { jobs: [nameless] }, { company });
  assert.deepEqual(outcomesOf(lent, () => ""), [["acme.example/7", "CA", ""]]);
  // Employers on Lever have no sites of their own.
  const posting = leverPosting({ hostedUrl: "https://www.acme.example/a1" });
  assert.deepEqual(outcomesOf(await readAll(lever, [posting], { company }), () => ""), [
    "the posting's address names no board",
  ]);
});

Deno.test("the job boards show a bounded part of a rejected element, and its number", async () => {
  const long = "x".repeat(20_000);
  const document = {
    jobs: [greenhouseJob(), greenhouseJob({ title: long, id: "7", content: long })],
  };
  const [, entry] = await readAll(greenhouse, document);
  assert.deepEqual(entry!.judged, { reason: "title: has more than 1000 characters" });
  assert.deepEqual(entry!.raw, {
    element: 2,
    id: "7",
    title: `${"x".repeat(499)}…`,
    absolute_url: "https://boards.greenhouse.io/acme/jobs/7",
  });
  const [odd] = await readAll(lever, [long]);
  assert.deepEqual(odd!.raw, { element: 1 });
});

Deno.test("the job boards map a posting in both countries to one observation per country", async () => {
  const countries = async (source: Source, document: unknown) =>
    outcomesOf(await readAll(source, document), ({ facets }) => facets.places);
  const located = (...names: string[]) => ({
    jobs: names.map((name) => greenhouseJob({ location: { name } })),
  });
  const place = (country: string, region?: string, city?: string) => [{
    country,
    ...region && { region },
    ...city && { city },
  }];
  assert.deepEqual(
    await countries(
      greenhouse,
      located("US / Canada", "Toronto, New York", "Remote - North America"),
    ),
    [
      ["acme/7", "US", place("US")],
      ["acme/7/ca", "CA", place("CA")],
      ["acme/7", "CA", place("CA", "ON", "Toronto")],
      ["acme/7/us", "US", place("US", "NY", "New York")],
      ["acme/7", "US", place("US")],
      ["acme/7/ca", "CA", place("CA")],
    ],
  );
  assert.deepEqual(
    await countries(greenhouse, located("CHI", "London", "Berlin, Germany", "Remote")),
    [
      ["acme/7", "US", place("US", "IL", "Chicago")],
      "a place whose country is not clear",
      "a place outside Canada and the United States",
      "no place that names a country",
    ],
  );
  const categories = { location: "Toronto", allLocations: ["Toronto", "Toronto, ON", "NYC"] };
  assert.deepEqual(
    await countries(lever, [
      leverPosting({ categories }),
      leverPosting({ country: "US", categories: { location: "Remote - US or Canada" } }),
      leverPosting({ country: "US", categories: { location: "Vancouver" } }),
    ]),
    [
      ["acme/a1", "CA", place("CA", "ON", "Toronto")],
      ["acme/a1/us", "US", place("US", "NY", "New York")],
      ["acme/a1", "US", place("US")],
      ["acme/a1/ca", "CA", place("CA")],
      // The `country` of a posting takes precedence over a location in another country.
      ["acme/a1", "US", place("US")],
    ],
  );
  const address = {
    postalAddress: { addressLocality: "Toronto", addressRegion: "ON", addressCountry: "Canada" },
  };
  assert.deepEqual(
    await countries(ashby, {
      jobs: [
        ashbyJob({ secondaryLocations: [{ location: "HQ", address }] }),
        ashbyJob({ isListed: false }),
      ],
    }),
    [
      ["acme/b1", "US", place("US", "CA", "San Francisco")],
      ["acme/b1/ca", "CA", place("CA", "ON", "Toronto")],
      "a posting that the board does not list",
    ],
  );
});

Deno.test("ashby adds only those parts of an address that the location does not name", async () => {
  const address = (locality: string, region: string, country: string) => ({
    postalAddress: { addressLocality: locality, addressRegion: region, addressCountry: country },
  });
  const cases: [string, object | null, string][] = [
    [
      "San Francisco, CA",
      address("San Francisco", "California", "United States"),
      "San Francisco, CA, United States",
    ],
    [
      "New York City",
      address("New York", "New York", "United States"),
      "New York City, United States",
    ],
    ["Remote (US)", { postalAddress: { addressCountry: "United States" } }, "Remote (US)"],
    ["Canada", { postalAddress: { addressCountry: "Canada" } }, "Canada"],
    ["HQ", address("Waterloo", "ON", "Canada"), "HQ, Waterloo, ON, Canada"],
    ["North America", null, "North America"],
  ];
  for (const [location, postal, place] of cases) {
    const [entry] = await readAll(ashby, { jobs: [ashbyJob({ location, address: postal })] });
    assert.ok("record" in entry!.judged);
    const { observed_fact } = entry!.judged.record;
    assert.equal(/Location: (.*?)\. (?:It is|Ashby)/.exec(observed_fact)?.[1], place);
  }
});
