import assert from "node:assert/strict";
import { maskedLine, personsOf, withoutPersons } from "../../../src/ingest/masking/mask_text.ts";
import { canadabuys } from "../../../src/ingest/sources/canadabuys/canadabuys.ts";
import { COLUMNS, CONTACT_COLUMNS } from "../../../src/ingest/sources/canadabuys/cells.ts";
import { sam } from "../../../src/ingest/sources/sam/sam.ts";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import { SOLICITATION_COLUMNS } from "../../../src/ingest/sources/toronto/solicitation.ts";
import { csvOf, readSource, recordOf } from "../../support/reading.ts";
import { answer, extract } from "../../support/sam_notices.ts";

Deno.test("withoutPersons() masks every form of the name in a contact cell", () => {
  const cases = [
    ["Zhihao Public", "Zhihao Public decides, PUBLIC, ZHIHAO too; Mr. Public, Z. Public."],
    ["Public, Zhihao", "ZHIHAO PUBLIC, Zhihao Q. Public"],
    ["Ms. Zoé de la Cruz, Senior Buyer", "Zoé de la Cruz; Mme de la Cruz; Zoe de la Cruz"],
    ["zhihao.public@example.ca", "Zhihao Public and Public, Zhihao"],
    ["Jane Roe; Zhihao Public", "Jane Roe or Zhihao Public"],
    ["public, jane", "Jane Public, PUBLIC, JANE"],
    ["Purchasing - jane public", "Jane Public"],
    ["1. Contracting Office “Jane”_Public", "Jane Public"],
    ["Zoé-Jane O'Public", "Zoe Jane OPublic"],
    ["Zoe Jane Public", "Zoé-Jane Public"],
    ["Legal Dept, Zhihao Okonkwo [Chef]; CO: OKAFOR, ZHIHAO", "Zhihao Okonkwo, Zhihao Okafor"],
    ["Buyer (Zhihao Okonkwo)", "Zhihao Okonkwo"],
    ["Okafor, Zoe, P.Eng. (Buyer), Public, Jane", "Zoe Okafor and Jane Public"],
    ["lead zhihao okonkwo, zoe public", "zoe public, zhihao okonkwo; okonkwo, zhihao"],
  ];
  for (const [cell, text] of cases) {
    const masked = withoutPersons(text!, personsOf([cell!]));
    assert.doesNotMatch(masked, /zhi|zo[eé]|cruz|jane|public|oka|oko/i, masked);
  }
  const markup = withoutPersons("Jane Roe &lt;br&gt; R&amp;amp;D", personsOf(["Jane Roe"]));
  assert.equal(maskedLine(markup), maskedLine("[redacted] &lt;br&gt; R&amp;amp;D"));
});

Deno.test("withoutPersons() also masks a lone surname if a contact cell names the person", () => {
  const cases = [
    ["Keys are with Lopez at the desk.", "Keys are with [redacted] at the desk."],
    ["Lopez will attend. See Officer Lopez.", "[redacted] will attend. See Officer [redacted]."],
    ["LOPEZ, poste 12", "[redacted], poste 12"],
    ["Lopez's office opens at noon", "[redacted]'s office opens at noon"],
    [
      "M. L\u00f3pez r\u00e9pondra; L\u00f3pez est absente.",
      "[redacted] r\u00e9pondra; [redacted] est absente.",
    ],
    ["Mar&iacute;a&nbsp;L&oacute;pez decides", "[redacted] decides"],
  ];
  for (const [text, masked] of cases) {
    assert.equal(withoutPersons(text!, personsOf(["Mar\u00eda Lopez"], [text!])), masked);
  }
});

Deno.test("withoutPersons() keeps a surname that is also a firm, a place, a product or a word", () => {
  const cases = [
    ["Maria Lopez", "Lopez Construction will build. Lopez will attend."],
    ["Maria Lopez", "Delivery to Lopez Street. Ask Lopez."],
    ["Maria Lopez", "Bosch & Lopez will supply"],
    ["Maria Lopez", "the work at 136 Lopez, by A.B. Lopez"],
    ["Robert Bosch", "a Bosch drill, or Bosch 12V"],
    ["Jo Roe, Baker Hughes, PCL, Victoria; ARCURI DECKS", "Baker Hughes, PCL, Arcuri Decks"],
    ["Jane Hamilton", "The site is in Hamilton. Hamilton will inspect."],
    ["Jane Bond", "Bond is required. A bid bond is returned."],
    ["Jane Stone", "Stone will be delivered."],
  ];
  for (const [cell, text] of cases) {
    assert.equal(withoutPersons(text!, personsOf([cell!], [text!])), text);
  }
});

Deno.test("withoutPersons() masks nothing for a cell that names an office", () => {
  const text =
    "Procurement Branch, City of Toronto, Parks Canada, Simon Fraser University, Bids, " +
    "30 Victoria Street, Secrétariat général, Region: Cape Breton, Purchasing - Diesel Generators, " +
    "Purchasing - Bid Office, Direction de la Concurrence, Web: Shipping, Receiving, Project Manager";
  const cells = text.split(", ").concat("", "bids@toronto.ca", "contracting.services@pc.gc.ca");
  const lower = cells.map((cell) => cell.toLowerCase());
  assert.equal(withoutPersons(text, personsOf([...cells, ...lower])), text);
});

Deno.test("sources mask the person named in a contact column in all texts of the row", async () => {
  const notice = {
    ...Object.fromEntries(Object.keys(COLUMNS).map((key) => [key, ""])),
    title: "Chairs, see Zhihao Public",
    reference: "PW-1",
    published: "2026-01-01",
    closing: "2026-12-01",
    buyer: "Parks Canada",
    description: "The hall is shown by Zhihao Public on request.",
    contact: "Public, Zhihao",
  };
  const columns = { ...COLUMNS, contact: CONTACT_COLUMNS[0], email: CONTACT_COLUMNS[1] };
  const [noticeEntry] = await readSource(canadabuys, csvOf(columns, [notice]));
  assert.match(
    JSON.stringify(recordOf(noticeEntry!)),
    /Chairs, see \[redacted\].*shown by \[redacted\]/,
  );

  const named = {
    ...notice,
    contact: "Okafor, Zhihao",
    title: "Chairs, shown by Okafor or Doe",
    description: "Contracting Authority: Jane Doe. Z. Okafor decides.",
    description_fra: "Okafor et Doe répondront.",
  };
  const [namedEntry] = await readSource(canadabuys, csvOf(columns, [named]));
  assert.doesNotMatch(JSON.stringify(recordOf(namedEntry!)), /Doe|Okafor/);

  const solicitation = {
    number: "1234567890",
    type: "RFP",
    issued: "2026-01-01",
    deadline: "2026-12-01",
    description: "The hall is shown by Zhihao Public on request.",
    division: "Toronto Water",
    buyer: "Zhihao Public",
  };
  const buyers = { ...SOLICITATION_COLUMNS, buyer: "Buyer Name", email: "Buyer Email" };
  const table = csvOf(buyers, [solicitation]);
  const [solicitationEntry] = await readSource(toronto, table);
  assert.match(JSON.stringify(recordOf(solicitationEntry!)), /shown by \[redacted\] on/);

  const [jsonEntry] = await readSource(
    sam,
    answer({
      title: "Chairs, see Zhihao Public or Olu Okafor",
      pointOfContact: [{ fullName: "Zhihao Public" }, { firstName: "Olu", lastName: "Okafor" }],
    }),
  );
  assert.doesNotMatch(JSON.stringify(recordOf(jsonEntry!)), /Zhihao|Olu/);
  const row = {
    Description: "Shown by Zhihao Public. Olu Okafor decides.",
    PrimaryContactFullname: "Zhihao Public",
    SecondaryContactFullname: "Olu Okafor",
  };
  const [csvEntry] = await readSource(sam, extract(row));
  assert.match(JSON.stringify(recordOf(csvEntry!)), /Shown by \[redacted\]\. \[redacted\] decides/);
});
