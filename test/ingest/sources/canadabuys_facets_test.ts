import assert from "node:assert/strict";
import { canadabuys } from "../../../src/ingest/sources/canadabuys/canadabuys.ts";
import { csv } from "../../support/canadabuys_notices.ts";
import { readSource, recordOf } from "../../support/reading.ts";

Deno.test("canadabuys derives sectors from UNSPSC codes", async () => {
  const codes = ["*72154000\n*84111500\n*72101500", "*77101500", "*see it\n*85101500", ""];
  const entries = await readSource(
    canadabuys,
    csv(...[...codes, "*72154000\n".repeat(101)].map((unspsc_codes) => ({ unspsc_codes }))),
  );
  const sectors = entries.map((entry) => recordOf(entry).categories);
  assert.deepEqual(sectors, [["23", "52"], [], ["62"], [], ["23"]]);
});

Deno.test("canadabuys derives sectors from the category of construction and from GSIN codes of goods", async () => {
  const entries = await readSource(
    canadabuys,
    csv({ category: "*CNST" }, { category: "*GD", gsin_codes: "*N7025405\n*N7690" }, {
      category: "*GD",
      gsin_codes: "*N8910",
    }, { category: "*SRV", gsin_codes: "*D304A\n*JX7025EA" }),
  );
  const sectors = entries.map((entry) => recordOf(entry).categories);
  assert.deepEqual(sectors, [["23"], ["31-33", "51"], [], []]);
});

Deno.test("canadabuys reads times as Eastern time, with its summer time", async () => {
  const instants = async (part: Parameters<typeof csv>[0]) => {
    const { occurred_at, expires_at } = recordOf((await readSource(canadabuys, csv(part)))[0]!);
    return [occurred_at, expires_at];
  };
  assert.deepEqual(await instants({ published: "2026-07-29", closing: "2026-08-18T16:00:00" }), [
    "2026-07-29T04:00:00.000Z",
    "2026-08-18T20:00:00.000Z",
  ]);
  assert.deepEqual(await instants({ published: "2026-01-29", closing: "2026-02-18T16:00:00" }), [
    "2026-01-29T05:00:00.000Z",
    "2026-02-18T21:00:00.000Z",
  ]);
  assert.deepEqual(await instants({ published: "2026-10-31", closing: "2026-11-01" }), [
    "2026-10-31T04:00:00.000Z",
    "2026-11-02T04:59:59.000Z",
  ]);
});

Deno.test("canadabuys names the place of delivery, that of the text, or the buyer's office", async () => {
  const office = { city: "Bedford", province: "Nova Scotia" };
  const records = (await readSource(
    canadabuys,
    csv(
      { ...office, delivery: "*Canada\n*Ontario (except NCR)\n*Ontario (except NCR)\n*Innisfail" },
      { ...office, delivery: "*Canada" },
      { ...office, delivery: "*Unspecified", opportunity: "*Canada" },
      { ...office, delivery: "*World\n*Foreign" },
      { city: "Gatineau", province: "Québec" },
      { city: "Ottawa" },
      { ...office, title: "Backpacks", description: "For CFB Halifax, NS, or the US" },
      { description: "Bids are received in Gatineau, Quebec" },
      { description: "Laval, Quebec, and Toronto, Ontario" },
    ),
  )).map(recordOf);
  assert.deepEqual(records.map(({ facets }) => facets.places), [
    [{ country: "CA", region: "ON" }, { city: "Innisfail", country: "CA" }],
    [{ country: "CA" }],
    [{ country: "CA" }],
    undefined,
    [{ country: "CA" }],
    [{ country: "CA" }],
    [{ country: "CA", region: "NS" }],
    [{ country: "CA" }],
    [{ country: "CA" }],
  ]);
  const places = records.slice(0, 6).map(({ observed_fact }) =>
    /Backpacks\. (.*?)\.? ?Reference/.exec(observed_fact)![1]
  );
  assert.deepEqual(places, [
    "Delivery: Ontario (except NCR); Innisfail",
    "Delivery: Canada",
    "Buyer's office: Bedford, Nova Scotia",
    "Delivery: World; Foreign",
    "Buyer's office: Gatineau, Quebec",
    "",
  ]);
});

Deno.test("canadabuys distinguishes a set-aside from a trade agreement", async () => {
  const records = (await readSource(
    canadabuys,
    csv(
      { agreements: "*Canadian Free Trade Agreement (CFTA)" },
      { agreements: "*Canadian Free Trade Agreement (CFTA)\n*Set-aside for Indigenous business" },
      { limited: "Set-aside for Small and Minority Businesses" },
      { criteria: "*Lowest price\n*Aboriginal business" },
    ),
  )).map(recordOf);
  assert.deepEqual(records.map(({ facets }) => facets.set_aside), [
    undefined,
    "Set-aside for Indigenous business",
    "Set-aside for Small and Minority Businesses",
    "Aboriginal business",
  ]);
  assert.match(records[1]!.observed_fact, / Reserved: Set-aside for Indigenous business\. /);
  assert.match(records[0]!.texts[0]!, /\nCanadian Free Trade Agreement \(CFTA\)\n/);
});

Deno.test("canadabuys maps an announcement to the demand class proxy", async () => {
  const records = (await readSource(
    canadabuys,
    csv(
      { type: "Advance Contract Award Notice" },
      { title: "APN - A Jetty Construction Project" },
      { title: "ADVANCE PROCUREMENT NOTICE, GANDER PROGRAM, NL" },
      { title: "Planning of a park" },
      { title: "RFI - Digital Assessment Tool" },
    ),
  )).map(recordOf);
  assert.deepEqual(records.map(({ demand_class, confidence }) => [demand_class, confidence]), [
    ["proxy", 0.7],
    ["proxy", 0.7],
    ["proxy", 0.7],
    ["explicit_request", 0.9],
    ["explicit_request", 0.7],
  ]);
  assert.equal(
    records[1]!.why_it_may_matter,
    "A proxy: a public buyer announces a need (tender notice), but does not ask for bids with " +
      "this notice; it stands until 2026-08-18 at 16:00 (Eastern time).",
  );
});

Deno.test("canadabuys quotes each language with its own title, at most 600 characters", async () => {
  const filler = "General terms apply to every supplier. ".repeat(40);
  const fillerFra = "Les conditions valent pour chaque fournisseur. ".repeat(40);
  const [entry] = await readSource(
    canadabuys,
    csv({
      title: "Road salt",
      title_fra: "Sel de voirie",
      description: `${filler}The base needs salt for its road.`,
      description_fra: `${fillerFra}La base a besoin de sel pour la voirie.`,
    }),
  );
  const { evidence, texts } = recordOf(entry!);
  const [english, french] = evidence.map(({ excerpt }) => excerpt) as [string, string];
  assert.ok(english.length <= 600 && french.length <= 600);
  assert.match(english, /^Road salt\n/);
  assert.match(french, /^Sel de voirie\n/);
  assert.match(texts[0]!, /The base needs salt for its road\./);
  assert.match(texts[1]!, /La base a besoin de sel pour la voirie\./);
});

Deno.test("canadabuys quotes a title only once if the description repeats it", async () => {
  const [entry] = await readSource(
    canadabuys,
    csv({ title: "Road salt", description: "Road salt\nTwo tons are wanted." }),
  );
  assert.equal(recordOf(entry!).evidence[0]!.excerpt, "Road salt\nTwo tons are wanted.");
});
