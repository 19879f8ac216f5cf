/** Multiplies a query by many vectors, with the 128-bit instructions of WebAssembly. */

/** Number of coordinates that the loop reads at once. Vectors are padded with 0 to a multiple. */
export const LANES = 16;

/** Max number of vectors per call, which takes a fraction of a millisecond. */
export const VECTORS_AT_ONCE = 1_024;

/** Bytes of a page of memory (WebAssembly's own unit). */
export const PAGE_BYTES = 65_536;

/** Max number of pages: 32 bits address one more, but not its end. */
export const PAGES_MAX = 65_535;

/** Address of the products. The query is before them, and the vectors begin at the next page. */
export const PRODUCTS_AT = PAGE_BYTES - 4 * VECTORS_AT_ONCE;

/**
 * The text of the module. `multiply` reads the query (16 bits per coordinate) at address 0 and
 * vectors (8 bits per coordinate) from `vector` to `end`, and writes their products (32 bits).
 */
const TEXT = `
(module
  (import "" "memory" (memory 1 ${PAGES_MAX}))
  (func (export "multiply") (param $vector i32) (param $end i32) (param $width i32)
    (local $product i32) (local $lane i32) (local $coordinates v128) (local $sums v128)
    (local.set $product (i32.const ${PRODUCTS_AT}))
    (loop $vectors
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (local.set $lane (i32.const 0))
      (loop $lanes
        (local.set $coordinates (v128.load (local.get $vector)))
        (local.set $sums (i32x4.add (local.get $sums) (i32x4.add
          (i32x4.dot_i16x8_s
            (i16x8.extend_low_i8x16_s (local.get $coordinates))
            (v128.load (i32.shl (local.get $lane) (i32.const 1))))
          (i32x4.dot_i16x8_s
            (i16x8.extend_high_i8x16_s (local.get $coordinates))
            (v128.load offset=${LANES} (i32.shl (local.get $lane) (i32.const 1)))))))
        (local.set $vector (i32.add (local.get $vector) (i32.const ${LANES})))
        (local.set $lane (i32.add (local.get $lane) (i32.const ${LANES})))
        (br_if $lanes (i32.lt_u (local.get $lane) (local.get $width))))
      (i32.store (local.get $product) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
        (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
      (local.set $product (i32.add (local.get $product) (i32.const 4)))
      (br_if $vectors (i32.lt_u (local.get $vector) (local.get $end))))))`;

/** Multiplies the query by the vectors from an address to another, of `width` bytes each. */
export type Multiply = (vector: number, end: number, width: number) => void;

let compiled: Promise<WebAssembly.Module> | undefined;

/** Returns the kernel over a memory. The assembler is loaded at its first use. */
export async function createKernel(memory: WebAssembly.Memory): Promise<Multiply> {
  compiled ??= compile();
  const { exports } = new WebAssembly.Instance(await compiled, { "": { memory } });
  return exports.multiply as Multiply;
}

async function compile(): Promise<WebAssembly.Module> {
  const { default: loadAssembler } = await import("wabt");
  const assembler = await loadAssembler();
  const parsed = assembler.parseWat("kernel.wat", TEXT, { simd: true });
  try {
    return new WebAssembly.Module(new Uint8Array(parsed.toBinary({}).buffer));
  } finally {
    parsed.destroy();
  }
}
