import assert from "node:assert/strict";
import {
  type ReadContext,
  type SourceEntry,
  UnreadableSource,
} from "../../../src/ingest/record/entry.ts";
import type { NormalRecord } from "../../../src/ingest/record/normalize.ts";
import { homepage } from "../../../src/ingest/sources/homepage/homepage.ts";

const CONTEXT: ReadContext = {
  retrieved_at: new Date("2026-08-01T00:00:00Z"),
  target: "acme.example",
};
const NAMELESS = "a page that does not name its company";
const NOWHERE = "a page that names no place in Canada or the United States";

async function readAll(page: string, context: ReadContext = CONTEXT): Promise<SourceEntry[]> {
  const entries = [];
  for await (const entry of homepage.read(new Blob([page]).stream(), context)) entries.push(entry);
  return entries;
}

async function read(page: string, context: ReadContext = CONTEXT): Promise<NormalRecord> {
  const [entry] = await readAll(page, context);
  assert.ok("record" in entry!.judged, "reason" in entry!.judged ? entry!.judged.reason : "");
  return entry!.judged.record;
}

async function refusal(page: string, context: ReadContext = CONTEXT): Promise<string> {
  const [entry] = await readAll(page, context);
  assert.ok("reason" in entry!.judged || "left_out" in entry!.judged);
  return "reason" in entry!.judged ? entry!.judged.reason : entry!.judged.left_out;
}

const linked = (value: unknown) =>
  `<script type="application/ld+json">${JSON.stringify(value)}</script>`;
const page = (...parts: unknown[]) =>
  `<!doctype html><html lang="en"><head><title>Acme Robotics | Home</title>${
    parts.map((part) => typeof part === "string" ? part : linked(part)).join("\n")
  }</head><body>Jane Doe, jane@acme.example</body></html>`;
const at = (address: unknown, more: object = {}) => ({
  "@context": "https://schema.org",
  "@type": "Organization",
  name: "Acme",
  address,
  ...more,
});

Deno.test("homepage maps every member of a profile, and no person", async () => {
  const record = await read(page(
    '<meta name="description" content="Robots for orchards. Call (613) 998-8974 or jane@acme.example">',
    {
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "WebSite", "publisher": { "@id": "#acme" }, "name": "Site" },
        { "@type": "Person", "name": "Jane Doe", "@id": "#jane" },
        {
          "@type": ["Corporation", "Brand"],
          "@id": "#acme",
          "name": "Acme Robotics",
          "legalName": "Acme Robotics Inc.",
          "description": "Acme builds picking robots.",
          "url": "https://www.acme.example/",
          "foundingDate": "2004-05-01T00:00:00Z",
          "founder": { "@id": "#jane" },
          "employee": [{ "@type": "Person", "name": "John Roe" }],
          "email": "jane@acme.example",
          "telephone": "+1 613 998 8974",
          "address": { "@id": "#office" },
          "naics": ["333111", 541],
          "leiCode": "549300MLUDYVRQOOXS22",
        },
        {
          "@id": "#office",
          "@type": "PostalAddress",
          "streetAddress": "1 Main Street",
          "addressLocality": "Ottawa",
          "addressRegion": "ON",
          "addressCountry": { "@type": "Country", "name": "Canada" },
        },
      ],
    },
  ));
  const { content_hash: _, ...rest } = record;
  const times = { occurred_at: null, observed_at: "2026-08-01T00:00:00.000Z" };
  assert.deepEqual(rest, {
    source: "homepage",
    external_id: "acme.example",
    company_name: "Acme Robotics",
    normalized_name: record.normalized_name,
    legal_form: record.legal_form,
    company_external_id: null,
    company_identifiers: [],
    hostnames: ["acme.example"],
    kind: "company_profile",
    observed_fact: "Acme Robotics describes itself at acme.example: Robots for orchards. Call " +
      "[redacted] or [redacted]. Legal name: Acme Robotics Inc. Founded: 2004-05-01. Place: " +
      "Ottawa, ON, Canada. NAICS: 333111, 541. LEI: 549300MLUDYVRQOOXS22.",
    why_it_may_matter:
      "What Acme Robotics says about itself tells what it is and does. It is the " +
      "company's own description, and no sign that it wants to buy anything now.",
    demand_class: "structural",
    country: "CA",
    confidence: 0.8,
    ...times,
    expires_at: null,
    categories: ["31-33", "54"],
    texts: [],
    facets: { places: [{ country: "CA", region: "ON", city: "Ottawa" }], naics: ["333111", "541"] },
    evidence: [{
      source_uri: "https://acme.example/",
      excerpt: "Acme Robotics | Home\nRobots for orchards. Call [redacted] or [redacted]\n" +
        "Acme builds picking robots.",
      ...times,
    }],
  });
  assert.doesNotMatch(JSON.stringify(record), /Jane|John|Main Street|613/);
});

Deno.test("homepage finds the country that a page states", async () => {
  const cases: [unknown, string | undefined][] = [
    [{ addressCountry: "US" }, "US"],
    [{ addressCountry: "CA" }, "CA"],
    [{ addressLocality: "San Francisco", addressRegion: "CA" }, "US"],
    [{ addressRegion: "ON", postalCode: "K1A 0B1" }, "CA"],
    [{ addressRegion: "California", addressCountry: "CA" }, undefined],
    [{ addressCountry: "Germany" }, undefined],
    [{ addressLocality: "London" }, undefined],
    [[{ addressCountry: "GB" }, { addressCountry: "USA" }], "US"],
    ["1 Main Street, Springfield, Ohio", "US"],
    [undefined, undefined],
    [{ addressCountry: ["CA"] }, "CA"],
    [7, undefined],
  ];
  for (const [address, country] of cases) {
    const [entry] = await readAll(page(at(address)));
    const actual = "record" in entry!.judged ? entry!.judged.record.country : undefined;
    assert.equal(actual, country, JSON.stringify(address));
  }
  const located = at(undefined, {
    location: { "@type": "Place", address: { addressCountry: "Canada" } },
  });
  assert.equal((await read(page(located))).country, "CA");
  const company = { name: "Acme", domains: ["holding.example"] };
  const { external_id } = await read(page(located), { ...CONTEXT, company });
  assert.equal(external_id, "acme.example");
});

Deno.test("homepage derives a country with less confidence from language and top-level domain", async () => {
  const named = '<meta property="og:site_name" content="Acme">';
  const french = '<html lang="fr-CA"><title>Accueil | Acme</title>';
  const locale = `<title>Acme</title><meta property="og:locale" content="en_CA">`;
  const hint = async (markup: string, target: string) => {
    const { country, confidence, company_name } = await read(markup, { ...CONTEXT, target });
    return [country, confidence, company_name];
  };
  assert.deepEqual(await hint(french, "acme.example"), ["CA", 0.5, "Acme"]);
  assert.deepEqual(await hint(locale + named, "acme.example"), ["CA", 0.6, "Acme"]);
  assert.deepEqual(await hint(page(named), "www.acme.ca"), ["CA", 0.6, "Acme"]);
  assert.deepEqual(await hint(page(), "acme-robotics.us"), ["US", 0.5, "Acme Robotics"]);
  assert.deepEqual(await hint(page(at({ addressCountry: "US" })), "acme.ca"), ["US", 0.8, "Acme"]);
  assert.equal(await refusal('<html lang="en-US"><title>Acme</title>'), NOWHERE);
  const acme = { ...CONTEXT, target: "acme.ca" };
  const described = '<title>Home</title><meta name="description" content="Robot arms">';
  assert.deepEqual(await hint(described, "acme.ca"), ["CA", 0.5, "acme.ca"]);
  for (const title of ["404 Not Found", "Coming Soon", "acme.ca for sale", "Domain for purchase"]) {
    assert.equal(await refusal(`<title>${title}</title>`, acme), NAMELESS);
  }
  assert.deepEqual(await hint("<title>x.ca for sale</title>" + named, "x.ca"), ["CA", 0.6, "Acme"]);
  const titles = { "shop.acme.ca": "Acme Inc", "mpl.ca": "Oil Ltd.", "cn.ca": "Canadian North" };
  for (const [hostname, name] of Object.entries(titles)) {
    assert.deepEqual(await hint(`<title>Shop | ${name}</title>`, hostname), ["CA", 0.5, name]);
  }
  const homes = { ...CONTEXT, target: "homes.ca" };
  assert.equal(await refusal("<title>Home | Log in</title>", homes), NAMELESS);
  assert.equal(await refusal(page(at({ addressCountry: "FR" })), acme), NOWHERE);
});

Deno.test("homepage chooses the organization of the page among several", async () => {
  const us = { addressCountry: "US" };
  const agency = at(us, { name: "Web Agency", url: "https://agency.example" });
  const placeless = at(undefined, { name: "Second" });
  const matching = at({ addressCountry: "CA" }, {
    name: "Own",
    url: "https://www.acme.example/en",
  });
  const nested = { "@type": "WebPage", "about": { "@type": "LocalBusiness", "name": "Shop" } };
  const person = { "@type": "Person", "name": "Jane Doe", "address": us };
  const name = async (...parts: unknown[]) =>
    (await read(page('<html lang="en-CA">', ...parts), { ...CONTEXT, target: "acme.example" }))
      .company_name;
  const first = `<html lang="en-CA"><title>x</title>`;
  const named = async (...parts: unknown[]) =>
    (await read(first + parts.map(linked).join(""))).company_name;
  assert.equal(await name(agency, matching), "Own");
  assert.equal(await named(agency, { ...placeless, url: "https://acme.example" }), "Second");
  assert.equal(await name([[placeless, agency]]), "Web Agency");
  assert.equal(await named(nested), "Shop");
  assert.equal(await refusal(first + linked(person)), NAMELESS);
  assert.equal(await named(placeless, { "@type": "https://schema.org/NGO", name: "N" }), "Second");
});

Deno.test("homepage ignores invalid linked data", async () => {
  const odd = at({ addressCountry: "CA" }, {
    legalName: { "@value": "Acme Ltd." },
    description: [{ deep: { er: 1 } }],
    foundingDate: "long ago",
    naics: [null, "custom", "54 and more"],
    leiCode: "549300MLUDYVRQOOXS23",
  });
  const record = await read(page('<script type="application/ld+json">{"@type":</script>', odd));
  assert.equal(
    record.observed_fact,
    "Acme has a home page at acme.example. Legal name: Acme Ltd. Place: CA. NAICS: 54.",
  );
  assert.deepEqual(record.categories, ["54"]);
});

Deno.test("homepage maps the trade and the offers of a page", async () => {
  const record = await read(page(at({ addressLocality: "Austin", addressRegion: "Texas" }, {
    "@type": "AutoRepair",
    "makesOffer": [
      { "@type": "Offer", "itemOffered": { "@type": "Service", "name": "Brake service" } },
      { "@type": "Offer", "name": "Oil change" },
    ],
  })));
  assert.deepEqual(record.facets, {
    places: [{ country: "US", region: "TX", city: "Austin" }],
    industry: "Auto Repair",
    product: "Brake service, Oil change",
  });
  assert.equal(
    record.observed_fact,
    "Acme has a home page at acme.example. Place: Austin, Texas. Industry: Auto Repair. " +
      "Offers: Brake service, Oil change.",
  );
  assert.deepEqual(record.texts, ["Acme Robotics | Home\nAuto Repair\nBrake service\nOil change"]);
  const plain = await read(page(at({ addressCountry: "CA" }, { "@type": "Corporation" })));
  assert.deepEqual(plain.facets, { places: [{ country: "CA" }] });
});

Deno.test("homepage maps an unchanged page to the same record at a later time", async () => {
  const text = page(at({ addressCountry: "US" }));
  const later = { ...CONTEXT, retrieved_at: new Date("2026-09-01T00:00:00Z") };
  assert.equal((await read(text)).content_hash, (await read(text, later)).content_hash);
});

Deno.test("homepage refuses files that are not pages, and leaves out pages with noindex", async () => {
  await assert.rejects(readAll('{"a":1}'), UnreadableSource);
  assert.deepEqual(await readAll(page('<meta name="robots" content="NoIndex, follow">')), [{
    line: 1,
    raw: null,
    judged: { left_out: "a page that asks not to be indexed" },
  }]);
  const none = page('<meta name="robots" content="none">');
  assert.equal(await refusal(none), "a page that asks not to be indexed");
  const open = '<meta name="robots" content="index, max-image-preview:none">';
  assert.equal((await readAll(page(open, at({ addressCountry: "US" })))).length, 1);
  assert.equal(
    await refusal("<html lang=en-CA><title> </title>"),
    "the page has neither a title nor a description",
  );
});

Deno.test("homepage requests a hostname, also for searches that name one, and obeys robots.txt", () => {
  const remote = homepage.remote!;
  const now = new Date(0);
  const expected = {
    url: "https://acme.example/",
    accept: "text/html, application/xhtml+xml",
    target: "acme.example",
  };
  const plan = { terms: ["robots"], domains: [], occurred_after: null, now, records_max: 50 };
  assert.equal(remote.robots, true);
  assert.match("www.acme-1.example", remote.target!.pattern);
  for (const bad of ["acme", "acme.example/x", "a@acme.example", "127.0.0.1:80", ""]) {
    assert.doesNotMatch(bad, remote.target!.pattern);
  }
  assert.deepEqual(remote.request(remote.address, { target: "acme.example", now }), expected);
  assert.deepEqual(remote.hostname!(remote.address, "acme.example"), expected);
  const named = { ...plan, domains: ["acme.example", "other.example"] };
  assert.deepEqual(remote.search!.request(remote.address, named), expected);
  assert.equal(remote.search!.request(remote.address, plan), undefined);
  assert.equal(
    remote.request("http://127.0.0.1:80", { target: "acme.example", now }).url,
    "http://127.0.0.1:80/acme.example/",
  );
});
