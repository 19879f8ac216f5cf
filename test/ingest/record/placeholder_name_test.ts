import assert from "node:assert/strict";
import { normalizeRecord } from "../../../src/ingest/record/normalize.ts";
import { homepage } from "../../../src/ingest/sources/homepage/homepage.ts";
import { readNdjson } from "../../../src/ingest/formats/json.ts";
import { sam } from "../../../src/ingest/sources/sam/sam.ts";
import { sourceRecord } from "../../support/factories.ts";
import { readSource } from "../../support/reading.ts";
import { answer } from "../../support/sam_notices.ts";

const PLACEHOLDERS = [
  ..."null|NULL|N/A|#N/A|n.a.|NaN|undefined|[object Object]|None|-|…|0|TBD|T.B.D.".split("|"),
  "TBA / TBD",
  "To be determined",
  "Multiple Award",
  "MULTIPLE AWARDS - SEE ATTACHED",
  "Multiple Vendors",
  "Various",
  "Unknown",
  "Not Disclosed",
  "Confidential",
  "Confidential Company",
  "No Award",
  "See attachment for the awardees",
  "Multiple Awards (12)",
  "No award made",
  "Cancelled",
  "Please see the attached list",
  ..."Aucun|Non spécifiée|À déterminer|Sans objet|Plusieurs fournisseurs|Homeowner".split("|"),
  ..."[ND]|#N/D|Unavailable|Non déterminé|Néant (n. d.)|No data|Indéterminée".split("|"),
  ..."#REF!|#NAME?|#DIV/0!|Grand Total|Sous-total|Private individual|Not found".split("|"),
  ..."Mr. [redacted]|c/o [redacted]|REDACTED PERSONAL DATA|Attn: [redacted]".split("|"),
];

/** Real names that contain words of placeholders. */
const REAL = [
  ..."TBD, LLC|TBC Corporation|Nan, Inc.|Null Industries|Unknown Worlds Entertainment".split("|"),
  ..."Confidential Search Solutions Inc|Multiple Media|Self Esteem Brands".split("|"),
  ..."Various Artists Management|Several Sources Shelters|None Such Farms|Not For Sale".split("|"),
  "No Name",
  "Nil Nisi Consulting",
  ..."REF|Total|Acme c/o [redacted]".split("|"),
  ..."Award Multiple Inc|See Tickets|See's Candies|Attached Goods LLC".split("|"),
  "Anonymous Content",
  "AUCUNE IDEE INC",
  "TBA Global",
  "NA Steel",
  "00 Interactive",
  "0x",
  "N-A Systems",
  "ND Industries",
  "株式会社",
  "+n",
];

Deno.test("normalizeRecord() refuses a placeholder by its name, and keeps names of companies", () => {
  for (const name of PLACEHOLDERS) {
    assert.deepEqual(normalizeRecord(sourceRecord({ company: { name } })), {
      reason: `company.name: names no company: ${JSON.stringify(name)}`,
    });
  }
  for (const name of REAL) {
    assert.ok("record" in normalizeRecord(sourceRecord({ company: { name } })), name);
  }
});

Deno.test("normalizeRecord() takes no placeholder for an id, identifier or hostname", () => {
  for (const external_id of ["N/A", "-", "0", "000", "true", "Unknown"]) {
    assert.deepEqual(normalizeRecord(sourceRecord({ external_id })), {
      reason: `external_id: stands for a missing id: ${JSON.stringify(external_id)}`,
    });
  }
  const judge = (part: object) =>
    normalizeRecord(sourceRecord({ company: { name: "Acme", ...part } }));
  for (const id of ["N/A", "-", "0", "000"]) {
    const judged = judge({ external_id: id, domains: [id, "acme.example"] });
    assert.ok("record" in judged);
    const { company_external_id, hostnames } = judged.record;
    assert.deepEqual([company_external_id, hostnames], [null, ["acme.example"]]);
  }
  for (const external_id of ["NA-17", "c-0", "10"]) {
    const judged = judge({ external_id });
    assert.ok("record" in judged && judged.record.company_external_id === external_id);
  }
  for (const domain of ["http", "com.", "10.0.0.5"]) {
    assert.deepEqual(judge({ domains: [domain] }), {
      reason: "company.domains.0: is not a hostname",
    });
  }
  for (const identifiers of [{ cik: "000" }, { uei: "XXXXXXXXXXXX" }, { lei: "0".repeat(20) }]) {
    assert.match(
      JSON.stringify(judge({ identifiers })),
      /reason":"company\.identifiers\..{3}: must/,
    );
  }
});

Deno.test("no source records a placeholder as a company", async () => {
  const reasonsOf = (entries: { judged: object }[]) =>
    entries.flatMap(({ judged }) => "reason" in judged ? judged.reason : []);
  const line = JSON.stringify(sourceRecord({ company: { name: "N/A" } }));
  assert.deepEqual(reasonsOf(await readSource({ ...homepage, read: readNdjson }, line)), [
    'company.name: names no company: "N/A"',
  ]);
  const notices = await readSource(
    sam,
    answer({
      type: "Award Notice",
      award: { date: "2026-01-29", number: "1", awardee: { name: "Multiple Award" } },
    }),
  );
  assert.equal(notices.filter(({ judged }) => "record" in judged).length, 1);
  assert.deepEqual(reasonsOf(notices), ['company.name: names no company: "Multiple Award"']);
});
