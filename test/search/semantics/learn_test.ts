import assert from "node:assert/strict";
import { learnDirections, type TermRows } from "../../../src/search/semantics/learn.ts";

/** Returns a generator of numbers from 0 to 1, which are the same in every run. */
function createRandom(): () => number {
  let state = 1;
  return () => (state = state * 48_271 % 2_147_483_647) / 2_147_483_647;
}

function rowsOf(matrix: readonly (readonly number[])[]): TermRows {
  const entries = matrix.map((row) =>
    row.flatMap((weight, term) => weight === 0 ? [] : [{ term, weight }])
  );
  const starts = new Uint32Array(matrix.length + 1);
  entries.forEach((row_entries, row) => starts[row + 1] = starts[row]! + row_entries.length);
  return {
    starts,
    terms: Uint32Array.from(entries.flat(), ({ term }) => term),
    weights: Float32Array.from(entries.flat(), ({ weight }) => weight),
    width: matrix[0]!.length,
  };
}

const column = (directions: Float64Array, dimensions: number, at: number) =>
  Array.from(
    { length: directions.length / dimensions },
    (_, term) => directions[term * dimensions + at]!,
  );
const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, n) => sum + value * b[n]!, 0);
const rounded = (values: readonly number[]) => values.map((value) => Number(value.toFixed(6)));

Deno.test("learnDirections() finds singular vectors, in descending order of singular values", () => {
  // Two groups of terms that never share a row. Their singular values are 5 and 2.
  const rows = rowsOf([[3, 4, 0, 0], [0, 0, 2, 0], [0, 0, 0, 0]]);
  const directions = learnDirections(rows, { dimensions: 2, random: createRandom() });
  assert.deepEqual(rounded(column(directions, 2, 0)).map(Math.abs), [0.6, 0.8, 0, 0]);
  assert.deepEqual(rounded(column(directions, 2, 1)).map(Math.abs), [0, 0, 1, 0]);
});

Deno.test("learnDirections() leaves directions beyond the rank of the rows at 0", () => {
  const rows = rowsOf([[1, 1, 0], [2, 2, 0]]);
  const directions = learnDirections(rows, { dimensions: 3, random: createRandom() });
  assert.deepEqual(rounded(column(directions, 3, 0)).map(Math.abs), [0.707107, 0.707107, 0]);
  assert.deepEqual([...column(directions, 3, 1), ...column(directions, 3, 2)], [0, 0, 0, 0, 0, 0]);
});

Deno.test("learnDirections() returns orthogonal directions of length 1", () => {
  const random = createRandom();
  const matrix = Array.from(
    { length: 200 },
    () => Array.from({ length: 80 }, () => random() < 0.1 ? random() : 0),
  );
  const directions = learnDirections(rowsOf(matrix), { dimensions: 10, random });
  const energy: number[] = [];
  for (let a = 0; a < 10; a++) {
    const direction = column(directions, 10, a);
    for (let b = 0; b < a; b++) {
      assert.ok(Math.abs(dot(direction, column(directions, 10, b))) < 1e-9);
    }
    assert.ok(Math.abs(dot(direction, direction) - 1) < 1e-9);
    energy.push(matrix.reduce((sum, row) => sum + dot(row, direction) ** 2, 0));
  }
  assert.deepEqual(energy, energy.toSorted((a, b) => b - a));
});
