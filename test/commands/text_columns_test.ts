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

Deno.test("drawColumns() wraps texts at the width, but does not break links", () => {
  const head = ["COMPANY", "FACT"];
  const rows = [
    ["North", ["A freezer warehouse opens in Laval.", "https://n.example/a-page-with-a-long-name"]],
    ["", ["Two\nlines \u001b[31mand\u202e a colour."]],
  ];
  assert.deepEqual(drawColumns({ head, rows, width: 36 }).split("\n"), [
    "COMPANY  FACT",
    "North    A freezer warehouse opens",
    "         in Laval.",
    "         https://n.example/a-page-with-a-long-name",
    "         Two lines �[31mand� a",
    "         colour.",
  ]);
  const wide = drawColumns({ head, rows });
  assert.equal(wide.split("\n")[1], "North    A freezer warehouse opens in Laval.");
  const name = "A name of several words that is longer than the column may be";
  assert.deepEqual(drawColumns({ head, rows: [[name, "Fact."]], width: 60 }).split("\n"), [
    "COMPANY                           FACT",
    "A name of several words that is   Fact.",
    "longer than the column may be",
  ]);
});
