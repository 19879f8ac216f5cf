import assert from "node:assert/strict";
import { sectorsOfCategory } from "../../../src/ingest/sources/crunchbase_2013/cells.ts";
import { type Sector, SECTOR_CODES } from "../../../src/contract/vocabulary.ts";
import {
  sectorOfGsin,
  sectorOfNaics,
  sectorOfSic,
  sectorOfUnspsc,
  sectorsOfIndustry,
} from "../../../src/ingest/classify/sectors.ts";

/** Table of the Census Bureau, outside of the project. It may be absent. */
const NAICS_2022 = new URL("../../../../shared/data/naics/naics_2022.csv", import.meta.url);

Deno.test("sectorOfNaics() reads the first two digits, also of sectors with several prefixes", () => {
  const sectors = {
    "11": "11",
    "335139": "31-33",
    "31": "31-33",
    "32": "31-33",
    "33": "31-33",
    "423": "42",
    "4411": "44-45",
    "459999": "44-45",
    "488510": "48-49",
    "491110": "48-49",
    "511210": "51",
    "513210": "51",
    "92": "92",
  };
  for (const [code, sector] of Object.entries(sectors)) assert.equal(sectorOfNaics(code), sector);
});

Deno.test("sectorOfNaics() returns undefined for invalid codes", () => {
  const codes = ["", "1", "00", "34", "43", "46", "47", "50", "99", "999999", "3351391", "31-33"];
  for (const code of [...codes, " 33", "33x", "３３"]) assert.equal(sectorOfNaics(code), undefined);
});

Deno.test({
  name: "sectorOfNaics() returns a sector for every code of the Census Bureau's table",
  ignore: !await Deno.stat(NAICS_2022).then(() => true, () => false),
  async fn() {
    const lines = (await Deno.readTextFile(NAICS_2022)).split(/\r?\n/);
    const codes = lines.map((line) => line.split(",")[0]!).filter((code) =>
      /^\d+(?:-\d\d)?$/.test(code)
    );
    const sectors = codes.map((code) => {
      if (SECTOR_CODES.some((sector) => sector === code)) return code;
      const sector = sectorOfNaics(code);
      assert.ok(sector, code);
      const [first, last = first] = sector.split("-");
      assert.ok(first! <= code.slice(0, 2) && code.slice(0, 2) <= last!, code);
      return sector;
    });
    assert.equal(codes.length, 2_125);
    assert.deepEqual(new Set(sectors), new Set(SECTOR_CODES));
  },
});

Deno.test("sectorOfSic() returns the sector that took over most of a class", () => {
  const sectors = {
    "0100": "11",
    "100": "11",
    "0742": "54",
    "1311": "21",
    "1623": "23",
    "2411": "11",
    "2711": "51",
    "2731": "51",
    "2732": "31-33",
    "2741": "51",
    "2834": "31-33",
    "3571": "31-33",
    "3711": "31-33",
    "4213": "48-49",
    "4724": "56",
    "4813": "51",
    "4911": "22",
    "4922": "48-49",
    "4953": "56",
    "4955": "56",
    "4991": "22",
    "5045": "42",
    "5311": "44-45",
    "5812": "72",
    "5961": "44-45",
    "6022": "52",
    "6189": "52",
    "6331": "52",
    "6512": "53",
    "6552": "23",
    "6719": "55",
    "6770": "52",
    "6794": "53",
    "6798": "53",
    "7011": "72",
    "7363": "56",
    "7370": "51",
    "7371": "54",
    "7372": "51",
    "7373": "54",
    "7374": "51",
    "7377": "53",
    "7389": "56",
    "7510": "53",
    "7812": "51",
    "7841": "53",
    "7997": "71",
    "8062": "62",
    "8071": "62",
    "8072": "31-33",
    "8200": "61",
    "8231": "51",
    "8351": "62",
    "8711": "54",
    "8731": "54",
    "8741": "56",
    "8742": "54",
    "9111": "92",
    "9721": "92",
  };
  for (const [code, sector] of Object.entries(sectors)) {
    assert.equal(sectorOfSic(code), sector, code);
  }
});

Deno.test("sectorOfSic() returns undefined for ambiguous classes and invalid codes", () => {
  for (const code of ["", "00", "0000", "8999", "8900", "9995", "9999", "73722", "73a2", "7385"]) {
    assert.equal(sectorOfSic(code), undefined, code);
  }
});

Deno.test("sectorOfUnspsc() returns the sector of a segment, or of a family whose sector differs", () => {
  const sectors = {
    "72101500": "23",
    "84111600": "52",
    "85121700": "62",
    "86101700": "61",
    "43211500": "31-33",
    "43231500": "51",
    "4323": "51",
    "55101500": "51",
    "55121700": "31-33",
    "80111600": "56",
    "80121600": "54",
    "81111500": "54",
    "83111500": "51",
    "92121500": "56",
  };
  for (const [code, sector] of Object.entries(sectors)) {
    assert.equal(sectorOfUnspsc(code), sector, code);
  }
  for (const code of ["", "72", "15101500", "50111500", "77101500", "80151500", "95101500", "99"]) {
    assert.equal(sectorOfUnspsc(code), undefined, code);
  }
});

Deno.test("sectorOfGsin() returns the sector of a group of goods, or of a class that differs", () => {
  const codes = ["N7030", "N7610", "N8405", "N8720", "N8710"];
  assert.deepEqual(codes.map(sectorOfGsin), ["51", "51", "31-33", "31-33", undefined]);
});

Deno.test("sectorsOfCategory() returns the sector of a category of Crunchbase, if it has one", () => {
  for (const [category, sectors] of Object.entries(CRUNCHBASE)) {
    assert.deepEqual(sectorsOfCategory(category), sectors, category);
    // Company resolution compares sectors of both functions, so they must agree on a category.
    const likely = sectorsOfIndustry(category.replaceAll("_", " "));
    assert.ok(
      sectors.every((sector) => likely.length === 0 || likely.includes(sector as Sector)),
      category,
    );
  }
});

const CRUNCHBASE: Record<string, string[]> = {
  software: ["51"],
  network_hosting: ["51"],
  ecommerce: ["44-45"],
  semiconductor: ["31-33"],
  consulting: ["54"],
  finance: ["52"],
  education: ["61"],
  hospitality: ["72"],
  transportation: ["48-49"],
  real_estate: ["53"],
  sports: ["71"],
  health: ["62"],
  biotech: [],
  cleantech: [],
  mobile: [],
  other: [],
  "": [],
};
