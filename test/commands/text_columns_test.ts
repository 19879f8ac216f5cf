import assert from "node:assert/strict";
import { drawColumns } from "../../src/commands/text_columns.ts";

Deno.test("drawColumns() does not cut a word that is longer than its column", () => {
  const hostname = `${"very-long-name".repeat(3)}.ca`;
  const drawn = drawColumns({
    head: ["company", "summary"],
    rows: [[`Maple Foods ${hostname}`, "a new plant"], ["Birch", "a hire"]],
    width: 60,
  });
  assert.equal(
    drawn,
    [
      "company                           summary",
      "Maple Foods                       a new plant",
      hostname,
      "Birch                             a hire",
    ].join("\n"),
  );
});
