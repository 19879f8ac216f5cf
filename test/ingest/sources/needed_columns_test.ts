/** Tests that sources require only the columns without which a record would be missing or wrong. */
import assert from "node:assert/strict";
import { canadabuys } from "../../../src/ingest/sources/canadabuys/canadabuys.ts";
import { COLUMNS } from "../../../src/ingest/sources/canadabuys/cells.ts";
import { toronto } from "../../../src/ingest/sources/toronto/toronto.ts";
import { csv as notices } from "../../support/canadabuys_notices.ts";
import { outcomesOf, readSource, recordOf } from "../../support/reading.ts";
import { csv as solicitations } from "../../support/toronto_solicitations.ts";

Deno.test("canadabuys reads a file without the columns that only describe a notice", async () => {
  const described = ["title_fra", "solicitation", "gsin", "unspsc", "url_fra"] as const;
  let text = notices({ reference: "plain" });
  for (const key of described) text = text.replace(COLUMNS[key], `other-${key}`);
  assert.deepEqual(outcomesOf(await readSource(canadabuys, text)), [[2, "accepted"]]);
  await assert.rejects(readSource(canadabuys, text.replace(COLUMNS.status, "other")), {
    message:
      /^not a CanadaBuys tender notice file; columns missing: tenderStatus-appelOffresStatut-eng; its/,
  });
  const utf16 = Uint16Array.from(`\ufeff${text}`, (one) => one.charCodeAt(0));
  await assert.rejects(readSource(canadabuys, new Uint8Array(utf16.buffer)), {
    message: /^the file seems to be in UTF-16; save it as UTF-8, or /,
  });
});

Deno.test("toronto reads an export without the columns Wards, Division and Category", async () => {
  for (const column of ["Wards", "Division", "High Level Category"]) {
    const text = solicitations({ number: "4041093476" }).replace(`"${column}"`, '"Other"');
    const [entry] = await readSource(toronto, text);
    assert.equal(recordOf(entry!).external_id, "4041093476:2026-08-07");
  }
  const without = solicitations({}).replace('"Submission Deadline"', '"Other"');
  await assert.rejects(readSource(toronto, without), {
    message: /^not a City of Toronto solicitations file; columns missing: Submission Deadline; its/,
  });
});
