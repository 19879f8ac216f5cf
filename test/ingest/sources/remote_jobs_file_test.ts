import assert from "node:assert/strict";
import { remoteJobs } from "../../../src/ingest/sources/remote_jobs/remote_jobs.ts";
import { contentOf, countsOf, realFileTest, recordOf } from "../../support/reading.ts";

realFileTest(
  "remote_jobs maps the companies of the real file that are in Canada or the United States",
  { source: remoteJobs, path: "remote_jobs/companies.jsonl" },
  (entries) => {
    const kept = entries.filter(({ judged }) => !("left_out" in judged));
    const records = kept.map(recordOf);
    assert.equal(entries.length - kept.length, 525);
    assert.deepEqual(
      countsOf(records.map(({ kind, country }) => `${kind} ${country}`)),
      {
        "company_profile US": 345,
        "company_profile CA": 12,
        "technology_use US": 302,
        "technology_use CA": 11,
      },
    );
    assert.equal(new Set(records.map(({ external_id }) => external_id)).size, 670);
    // One company has no hostname, because its website is a page on another company's site.
    const known = records.filter(({ hostnames }) => hostnames.length > 0);
    assert.equal(new Set(known.map(({ company_external_id: id }) => id)).size, 356);
    for (const { observed_at, observed_fact, evidence, confidence } of records) {
      const texts = observed_fact + evidence[0]!.excerpt;
      assert.ok(evidence[0]!.excerpt.length <= 600);
      assert.doesNotMatch(texts, /[\w.]@\w+\.|&[a-z]+;|\]\(|\*\*|\+\d[\d ().-]{8,}\d/);
      assert.ok(observed_at >= "2015" && observed_at < "2026-06" || confidence === 0.5);
    }
    const [profile, technologies] = kept.filter((entry) =>
      recordOf(entry).company_external_id === "help-scout"
    ).map(contentOf);
    const source_uri = "https://remoteintech.company/companies/help-scout/";
    const times = { occurred_at: null, observed_at: "2020-10-18T00:00:00.000Z" };
    const company = {
      source: "remote_jobs",
      external_id: "help-scout",
      company_name: "Help Scout",
      company_external_id: "help-scout",
      company_identifiers: [],
      hostnames: ["helpscout.net", "www.helpscout.net"],
      kind: "company_profile",
      observed_fact: "Help Scout (helpscout.net) employs people remotely (remote-first). Company " +
        "size: medium; 51-200. Offices: HQ in Boston, MA; Boulder, CO. It hires in: Worldwide.",
      why_it_may_matter: "Who the company is by its own words, in a list of employers of remote " +
        "workers. It is no sign of buying.",
      demand_class: "structural",
      country: "US",
      confidence: 0.7,
      ...times,
      expires_at: null,
      categories: [],
      texts: [
        "Help Scout\n\nHelp Scout is designed with your customers in mind. Provide email and " +
        "live chat with a personal touch, and deliver help content right where your customers " +
        "need it, all in one place, all for one low price.\n\n51-200\n\nWe’ve been " +
        "remote-first for nearly a decade\nand have teammates in more than 80 cities\n" +
        "worldwide. We go to great lengths to set you\nup for success from day one, and work " +
        "hard to\nkeep you connected.\n\nSee their Careers page for more information.\n\n" +
        "Worldwide\n\nReact, Redux, CSS, Jest, and Cypress\n\nHQ in Boston, MA; Boulder, CO",
      ],
      facets: {
        places: [
          { country: "US", region: "MA", city: "Boston" },
          { country: "US", region: "CO", city: "Boulder" },
        ],
        employment: { workplace: "remote" },
      },
      evidence: [{
        source_uri,
        excerpt: "Help Scout is designed with your customers in mind. Provide email and live " +
          "chat with a personal touch, and deliver help content right where your customers need " +
          "it, all in one place, all for one low price.",
        ...times,
      }],
    };
    assert.deepEqual(profile, company);
    const dated = { ...times, occurred_at: "2020-10-18T00:00:00.000Z" };
    assert.deepEqual(technologies, {
      ...company,
      external_id: "help-scout/technologies",
      kind: "technology_use",
      observed_fact: "Help Scout lists these technologies: javascript. In its own words: React, " +
        "Redux, CSS, Jest, and Cypress.",
      why_it_may_matter: "Products and services around these technologies may be of use to the " +
        "company. What it lists is no sign of buying.",
      ...dated,
      texts: [],
      facets: {
        places: [
          { country: "US", region: "MA", city: "Boston" },
          { country: "US", region: "CO", city: "Boulder" },
        ],
        technologies: ["JavaScript", "React", "Redux"],
      },
      evidence: [{
        source_uri,
        excerpt: "technologies: javascript\nReact, Redux, CSS, Jest, and Cypress",
        ...dated,
      }],
    });
  },
);
