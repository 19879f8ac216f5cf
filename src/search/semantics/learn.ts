/**
 * Latent semantic analysis: finds the directions in which the words of a dataset vary together.
 * They are the right singular vectors of its weighted document-term matrix. Deerwester and others:
 * Indexing by Latent Semantic Analysis (JASIS 1990). The method is randomized subspace iteration.
 * Halko, Martinsson, Tropp: Finding Structure with Randomness (SIAM Review 2011).
 */

/** Documents as sparse rows of weighted terms. */
export interface TermRows {
  /** Start of each row in `terms` and `weights`. A last entry marks the end. */
  starts: Uint32Array;
  terms: Uint32Array;
  weights: Float32Array;
  /** Number of terms, which are numbered from 0. */
  width: number;
}

/** Number of additional directions, which absorb the error of the random sampling. */
const OVERSAMPLING = 16;
/** Number of iterations. Each one separates the leading directions more. */
const ITERATIONS = 4;

/**
 * Learns the directions of documents.
 *
 * @param dimensions number of directions
 * @param random returns numbers from 0 to 1
 * @returns coordinates of the terms, at term * dimensions + direction, leading directions first.
 * Directions beyond the rank of the rows are 0
 */
export function learnDirections(
  rows: TermRows,
  { dimensions, random }: { dimensions: number; random: () => number },
): Float64Array {
  const size = dimensions + OVERSAMPLING;
  let byTerm: Float64Array = Float64Array.from(
    { length: rows.width * size },
    () => gaussian(random),
  );
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    const byRow = multiply(rows, byTerm, { size, isTransposed: false });
    // The second pass corrects the rounding errors of the first.
    orthonormalize(byRow, size);
    orthonormalize(byRow, size);
    byTerm = multiply(rows, byRow, { size, isTransposed: true });
  }
  return leading(byTerm, size, dimensions);
}

function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Returns the product of the rows, or of their transpose, with a matrix of `size` columns. */
function multiply(
  { starts, terms, weights, width }: TermRows,
  matrix: Float64Array,
  { size, isTransposed }: { size: number; isTransposed: boolean },
): Float64Array {
  const height = starts.length - 1;
  const product = new Float64Array((isTransposed ? width : height) * size);
  for (let row = 0; row < height; row++) {
    for (let at = starts[row]!; at < starts[row + 1]!; at++) {
      const weight = weights[at]!;
      const to = (isTransposed ? terms[at]! : row) * size;
      const from = (isTransposed ? row : terms[at]!) * size;
      for (let n = 0; n < size; n++) product[to + n]! += weight * matrix[from + n]!;
    }
  }
  return product;
}

/** Returns the Gram matrix: the dot product of columns a and b, at a * size + b. */
function gram(matrix: Float64Array, size: number): Float64Array {
  const sums = new Float64Array(size * size);
  for (let row = 0; row < matrix.length; row += size) {
    for (let a = 0; a < size; a++) {
      const value = matrix[row + a]!;
      if (value === 0) continue;
      for (let b = a; b < size; b++) sums[a * size + b]! += value * matrix[row + b]!;
    }
  }
  for (let a = 0; a < size; a++) {
    for (let b = 0; b < a; b++) sums[a * size + b] = sums[b * size + a]!;
  }
  return sums;
}

/** Share of the largest value below which a column or value is only rounding error. */
const RANK_TOLERANCE = 1e-12;

/** Makes columns orthonormal, by a Cholesky decomposition. Dependent columns become 0. */
function orthonormalize(matrix: Float64Array, size: number): void {
  const upper = gram(matrix, size);
  let largest = 0;
  for (let n = 0; n < size; n++) largest = Math.max(largest, upper[n * size + n]!);
  for (let n = 0; n < size; n++) {
    const pivot = upper[n * size + n]!;
    const scale = pivot > RANK_TOLERANCE * largest ? 1 / Math.sqrt(pivot) : 0;
    for (let b = n; b < size; b++) upper[n * size + b]! *= scale;
    for (let a = n + 1; a < size; a++) {
      const factor = upper[n * size + a]!;
      for (let b = a; b < size; b++) upper[a * size + b]! -= factor * upper[n * size + b]!;
    }
  }
  for (let row = 0; row < matrix.length; row += size) {
    for (let n = 0; n < size; n++) {
      const pivot = upper[n * size + n]!;
      const value = pivot === 0 ? 0 : matrix[row + n]! / pivot;
      matrix[row + n] = value;
      for (let b = n + 1; b < size; b++) matrix[row + b]! -= value * upper[n * size + b]!;
    }
  }
}

/**
 * Rotates directions so that the first ones explain most of the variance. Scales them to length 1,
 * and drops all others.
 */
function leading(byTerm: Float64Array, size: number, dimensions: number): Float64Array {
  const { values, vectors } = eigen(gram(byTerm, size), size);
  const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]!)
    .slice(0, dimensions);
  const minEigenvalue = RANK_TOLERANCE * values[order[0]!]!;
  const width = byTerm.length / size;
  const rotated = new Float64Array(width * dimensions);
  order.forEach((column, to) => {
    if (!(values[column]! > minEigenvalue)) return;
    const scale = 1 / Math.sqrt(values[column]!);
    for (let term = 0; term < width; term++) {
      let sum = 0;
      for (let n = 0; n < size; n++) sum += byTerm[term * size + n]! * vectors[n * size + column]!;
      rotated[term * dimensions + to] = sum * scale;
    }
  });
  return rotated;
}

/** Number of passes over all pairs of columns. */
const SWEEPS = 15;

/**
 * Returns the eigenvalues of a symmetric matrix, and its eigenvectors as columns, by the cyclic
 * Jacobi method.
 */
function eigen(matrix: Float64Array, size: number) {
  const vectors = new Float64Array(size * size);
  for (let n = 0; n < size; n++) vectors[n * size + n] = 1;
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < size; p++) {
      for (let q = p + 1; q < size; q++) rotate(matrix, vectors, { size, p, q });
    }
  }
  return { values: Float64Array.from({ length: size }, (_, n) => matrix[n * size + n]!), vectors };
}

function rotate(
  matrix: Float64Array,
  vectors: Float64Array,
  { size, p, q }: { size: number; p: number; q: number },
): void {
  const product = matrix[p * size + q]!;
  const [first, second] = [matrix[p * size + p]!, matrix[q * size + q]!];
  if (Math.abs(product) <= 1e-15 * Math.sqrt(Math.abs(first * second))) return;
  const angle = (second - first) / (2 * product);
  const tangent = (angle < 0 ? -1 : 1) / (Math.abs(angle) + Math.hypot(angle, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  const turn = (numbers: Float64Array, a: number, b: number) => {
    const [left, right] = [numbers[a]!, numbers[b]!];
    numbers[a] = cosine * left - sine * right;
    numbers[b] = sine * left + cosine * right;
  };
  for (let n = 0; n < size; n++) turn(matrix, n * size + p, n * size + q);
  for (let n = 0; n < size; n++) {
    turn(matrix, p * size + n, q * size + n);
    turn(vectors, n * size + p, n * size + q);
  }
}
