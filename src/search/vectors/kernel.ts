/** Multiplies a query by many vectors, with the 128-bit instructions of WebAssembly. */
import text from "./kernel.wat" with { type: "text" };

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
  const parsed = assembler.parseWat("kernel.wat", text, { simd: true });
  try {
    return new WebAssembly.Module(new Uint8Array(parsed.toBinary({}).buffer));
  } finally {
    parsed.destroy();
  }
}
