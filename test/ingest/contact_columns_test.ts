import assert from "node:assert/strict";
import { personsOf, withoutPersons } from "../../src/ingest/contact_columns.ts";
import { canadabuys } from "../../src/ingest/sources/canadabuys.ts";
import { NOTICE_COLUMNS } from "../../src/ingest/sources/canadabuys_notice.ts";
import { sam } from "../../src/ingest/sources/sam.ts";
import { toronto } from "../../src/ingest/sources/toronto.ts";
import { SOLICITATION_COLUMNS } from "../../src/ingest/sources/toronto_solicitation.ts";
import { csvOf, readSource, recordOf } from "../support/reading.ts";
import { answer, extract } from "../support/sam_notices.ts";

Deno.test("withoutPersons() masks the name of a contact cell in every form of it", () => {
  const cases = [
    ["Zhihao Public", "Zhihao Public decides, PUBLIC, ZHIHAO too; Mr. Public, Z. Public."],
    ["Public, Zhihao", "ZHIHAO PUBLIC, Zhihao Q. Public"],
    ["Ms. Zoé de la Cruz, Senior Buyer", "Zoé de la Cruz; Mme de la Cruz; Zoe de la Cruz"],
    ["zhihao.public@example.ca", "Zhihao Public and Public, Zhihao"],
    ["Jane Roe; Zhihao Public", "Jane Roe or Zhihao Public"],
  ];
  for (const [cell, text] of cases) {
    const kept = withoutPersons(text!, personsOf([cell!]));
    assert.doesNotMatch(kept, /Zhi|Zo[eé]|Cruz|Jane|Public|PUBLIC/, kept);
  }
});

Deno.test("withoutPersons() masks nothing for a cell that names an office", () => {
  const text = "Procurement Branch, City of Toronto, Parks Canada, Simon Fraser University, Bids";
  const cells = text.split(", ").concat("", "bids@toronto.ca", "contracting.services@pc.gc.ca");
  assert.equal(withoutPersons(text, personsOf(cells)), text);
});

Deno.test("a name in a contact column is masked in all texts of its row", async () => {
  const notice = {
    ...Object.fromEntries(Object.keys(NOTICE_COLUMNS).map((key) => [key, ""])),
    title: "Chairs, see Zhihao Public",
    reference: "PW-1",
    published: "2026-01-01",
    closing: "2026-12-01",
    buyer: "Parks Canada",
    description: "The hall is shown by Zhihao Public on request.",
    contact: "Public, Zhihao",
  };
  const columns = { ...NOTICE_COLUMNS, contact: "contactInfoName-informationsContactNom" };
  const [bought] = await readSource(canadabuys, csvOf(columns, [notice]));
  assert.match(
    JSON.stringify(recordOf(bought!)),
    /Chairs, see \[redacted\].*shown by \[redacted\]/,
  );

  const solicitation = {
    number: "1234567890",
    type: "RFP",
    issued: "2026-01-01",
    deadline: "2026-12-01",
    description: "The hall is shown by Zhihao Public on request.",
    division: "Toronto Water",
    buyer: "Zhihao Public",
  };
  const table = csvOf({ ...SOLICITATION_COLUMNS, buyer: "Buyer Name" }, [solicitation]);
  const [asked] = await readSource(toronto, table);
  assert.match(JSON.stringify(recordOf(asked!)), /shown by \[redacted\] on/);

  const [listed] = await readSource(
    sam,
    answer({ title: "Chairs, see Zhihao Public", pointOfContact: [{ fullName: "Zhihao Public" }] }),
  );
  assert.doesNotMatch(JSON.stringify(recordOf(listed!)), /Zhihao/);
  const row = { Description: "Shown by Zhihao Public.", PrimaryContactFullname: "Zhihao Public" };
  const [extracted] = await readSource(sam, extract(row));
  assert.match(JSON.stringify(recordOf(extracted!)), /Shown by \[redacted\]/);
});
