import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { maskContactNames } from "../../../src/ingest/masking/contact_names.ts";
import { maskedLine, maskedParagraphs } from "../../../src/ingest/masking/mask_text.ts";
import type { Source } from "../../../src/ingest/sources/kit/source.ts";
import { canadabuys } from "../../../src/ingest/sources/canadabuys/canadabuys.ts";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import { readSource } from "../../support/reading.ts";

Deno.test("maskContactNames() masks a name after a label, in English and French", () => {
  const cases = [
    ["Attention: Jane Doe", "Attention: [redacted]"],
    ["Contact Person:\nJane Doe, Director", "Contact Person:\n[redacted], Director"],
    ["Contracting Authority: Jane DoeEmail: x", "Contracting Authority: [redacted]Email: x"],
    ["Autorité Contractante : Jean-Luc O’Neil", "Autorité Contractante : [redacted]"],
    ["à l’attention de\u00a0: Mme Zoé de la Tour", "à l’attention de\u00a0: Mme [redacted]"],
    ["The Buyer is: JANE Q. DOE-POE", "The Buyer is: [redacted]"],
    ["Agente d’approvisionnement : Jane Doe", "Agente d’approvisionnement : [redacted]"],
    ["Nom: Jane Doe \nTitre: Agente", "Nom: [redacted] \nTitre: Agente"],
    // The conjunction ends the list of surnames after a plural title.
    ["Mmes Doe et Roe et Kativik", "Mmes [redacted] et [redacted] et Kativik"],
  ];
  for (const [text, masked] of cases) assert.equal(maskContactNames(text!), masked);
});

Deno.test("maskContactNames() masks a name before or in an e-mail address", () => {
  assert.equal(
    maskedLine("Questions can be sent to Jane Doe at jane.doe@toronto.ca or Jo Poe (jpoe@x.ca)."),
    "Questions can be sent to [redacted] at [redacted] or [redacted] ([redacted]).",
  );
  assert.equal(
    maskedParagraphs("Jane A. Doe will answer.\nWrite to jane_doe2@toronto.ca."),
    "[redacted] will answer.\nWrite to [redacted].",
  );
});

Deno.test("maskContactNames() masks other mentions of a person who is named as a contact", () => {
  const cases = [
    ["POC: Maria Lopez. Lopez will attend.", "POC: [redacted]. [redacted] will attend."],
    ["POC: Vo Tran. Vo Tran and Tran decide.", "POC: [redacted]. [redacted] and Tran decide."],
    [
      "POC: Xiuying Zhang. Mr. Zhang; Zhang is away.",
      "POC: [redacted]. Mr. [redacted]; [redacted] is away.",
    ],
    ["jane.lopez@x.ca. Lopez answers.", "jane.lopez@x.ca. [redacted] answers."],
    ["Contact: John Deere. Deere tractors", "Contact: John Deere. Deere tractors"],
  ];
  for (const [text, masked] of cases) assert.equal(maskContactNames(text!), masked);
});

Deno.test("maskContactNames() keeps names of organizations and products beside an address", () => {
  assert.equal(
    maskedLine("Write to Parks Canada at contracting.services@pc.gc.ca: Contracting Services"),
    "Write to Parks Canada at [redacted]: Contracting Services",
  );
  assert.equal(
    maskedLine("For ISP sponsorship, write to isp.sponsorship@dcc.ca"),
    "For ISP sponsorship, write to [redacted]",
  );
});

Deno.test("maskContactNames() is fast with a long text of capitals and addresses", () => {
  const started = performance.now();
  for (const unit of ["Aa ", "A", "Contact: ", "Aa Aa at ", "a.b@", "ab.cd@ef.gh ", "'", "Mc"]) {
    maskContactNames(":@" + unit.repeat(100_000 / unit.length));
  }
  const letters = [..."abcdefghij"];
  const families = letters.flatMap((a) =>
    letters.flatMap((b) => letters.map((c) => `B${a}${b}${c}`))
  );
  maskContactNames(families.map((family) => `Contact: Jane ${family}\n`).join("").repeat(4));
  assert.ok(performance.now() - started < 20_000);
});

const DATA = new URL("../../../../shared/data/", import.meta.url);
const NAMED: [Source, string, RegExp][] = [
  [canadabuys, "canadabuys/openTenderNotice.csv", /Attention: \[redacted\]/],
  [toronto, "toronto/all_solicitations.csv", /sent to \[redacted\] at \[redacted\]/],
];
for (const [source, path, masked] of NAMED) {
  const file = new URL(path, DATA);
  Deno.test({
    name: `${source.name} masks the contact persons of the real file (needs ../shared/data)`,
    ignore: !existsSync(file),
    async fn() {
      const text = JSON.stringify((await readSource(source, file)).map(({ judged }) => judged));
      assert.match(text, masked);
      assert.doesNotMatch(
        text,
        /(?:Attention|attention de|Authority|Contractante|Nom|Person) ?:(?:\s|\\n)*(?!All )\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}/u,
      );
    },
  });
}
