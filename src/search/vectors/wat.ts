/**
 * Assembles a module in the text format of WebAssembly (Core Specification 3.0, sections 5 and 6),
 * as far as the kernel uses it: one imported shared memory, and exported functions with named
 * locals and flat instructions.
 */

/** A parenthesized list of the text, or an atom. */
type WatNode = string | WatNode[];

const TYPES = new Map([["i32", 0x7f], ["f32", 0x7d], ["v128", 0x7b]]);

/** Block type of a block that leaves nothing on the stack. */
const NO_RESULT = 0x40;

const SIMD_PREFIX = 0xfd;
const END = 0x0b;

/** Operands of an opcode. */
type Immediate = "block" | "label" | "local" | "i32" | "f32" | "v128" | "memory" | "lane" | "lanes";

/** Opcode and operands of each instruction. The opcode of a SIMD instruction is two numbers. */
const INSTRUCTIONS = new Map<string, [number | [number, number], ...Immediate[]]>([
  ["loop", [0x03, "block"]],
  ["end", [END]],
  ["br_if", [0x0d, "label"]],
  ["local.get", [0x20, "local"]],
  ["local.set", [0x21, "local"]],
  ["local.tee", [0x22, "local"]],
  ["i32.const", [0x41, "i32"]],
  ["f32.const", [0x43, "f32"]],
  ["i32.gt_s", [0x4a]],
  ["i32.add", [0x6a]],
  ["i32.sub", [0x6b]],
  ["v128.load", [simd(0), "memory"]],
  ["v128.const", [simd(12), "v128"]],
  ["i8x16.shuffle", [simd(13), "lanes"]],
  ["i32x4.splat", [simd(17)]],
  ["f32x4.splat", [simd(19)]],
  ["i32x4.extract_lane", [simd(27), "lane"]],
  ["v128.and", [simd(78)]],
  ["v128.andnot", [simd(79)]],
  ["v128.or", [simd(80)]],
  ["v128.store64_lane", [simd(91), "memory", "lane"]],
  ["i32x4.extadd_pairwise_i16x8_s", [simd(126)]],
  ["i16x8.narrow_i32x4_u", [simd(134)]],
  ["i16x8.extend_low_i8x16_u", [simd(137)]],
  ["i16x8.extend_high_i8x16_u", [simd(138)]],
  ["i16x8.shl", [simd(139)]],
  ["i16x8.shr_u", [simd(141)]],
  ["i16x8.add", [simd(142)]],
  ["i32x4.add", [simd(174)]],
  ["i32x4.sub", [simd(177)]],
  ["i32x4.dot_i16x8_s", [simd(186)]],
  ["f32x4.add", [simd(228)]],
  ["f32x4.mul", [simd(230)]],
  ["f32x4.pmax", [simd(235)]],
  ["i32x4.trunc_sat_f32x4_s", [simd(248)]],
  ["f32x4.convert_i32x4_s", [simd(250)]],
  ["i16x8.relaxed_dot_i8x16_i7x16_s", [simd(274)]],
]);

function simd(code: number): [number, number] {
  return [SIMD_PREFIX, code];
}

/**
 * Assembles a module.
 * @throws Error that names a word that this assembler does not know
 */
export function assemble(text: string): Uint8Array<ArrayBuffer> {
  const [module] = parse(text) as [WatNode[]];
  const fields = module.slice(1) as WatNode[][];
  const memory = fields.find(([kind]) => kind === "import")!;
  const functions = fields.filter(([kind]) => kind === "func").map(readFunction);
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(
      1,
      functions.map(({ params, results }) => [
        0x60,
        ...vectorOf(params.map(({ type }) => [type])),
        ...vectorOf(results.map((type) => [type])),
      ]),
    ),
    ...section(2, [importOf(memory)]),
    ...section(3, functions.map((_, index) => [index])),
    ...section(7, functions.map(({ name }, index) => [...textOf(name), 0, index])),
    ...section(10, functions.map(bodyOf)),
  ]);
}

/**
 * Returns the lists and atoms of a text. A comment extends from two semicolons to the line's end.
 */
function parse(text: string): WatNode[] {
  const open: WatNode[][] = [[]];
  for (const [token] of text.matchAll(/;;.*|"[^"]*"|[()]|[^\s()";]+/g)) {
    if (token.startsWith(";;")) continue;
    if (token === "(") open.push([]);
    else if (token === ")") open.at(-2)!.push(open.pop()!);
    else open.at(-1)!.push(token);
  }
  if (open.length !== 1) throw new Error("a parenthesis is not closed");
  return open[0]!;
}

interface Local {
  name: string;
  type: number;
}

interface WatFunction {
  name: string;
  params: Local[];
  results: number[];
  locals: Local[];
  instructions: string[];
}

/**
 * Reads a function: `(func (export "name") (param $a i32)… (result i32) (local $b v128)…
 * instruction…)`
 */
function readFunction(node: WatNode[]): WatFunction {
  const lists = node.filter((part) => typeof part !== "string") as string[][];
  const named = (kind: string) =>
    lists.filter(([word]) => word === kind)
      .map(([, name, type]) => ({ name: name!, type: known(TYPES, type!) }));
  return {
    name: lists.find(([word]) => word === "export")![1]!,
    params: named("param"),
    results: lists.filter(([word]) => word === "result").map(([, type]) => known(TYPES, type!)),
    locals: named("local"),
    instructions: node.slice(1).filter((part) => typeof part === "string"),
  };
}

/** Encodes an import: `(import "module" "name" (memory min max shared))` */
function importOf([, module, name, memory]: WatNode[]): number[] {
  const [, min, max] = memory as string[];
  return [
    ...textOf(module as string),
    ...textOf(name as string),
    2,
    3,
    ...leb(+min!),
    ...leb(+max!),
  ];
}

/** Encodes the code of a function: its locals, then its instructions. */
function bodyOf({ params, locals, instructions }: WatFunction): number[] {
  const places = new Map([...params, ...locals].map(({ name }, place) => [name, place]));
  const labels: string[] = [];
  let position = 0;
  const next = () => instructions[position++]!;
  const numbers = (count: number) => Array.from({ length: count }, () => Number(next()));
  const immediates: Record<Immediate, () => number[]> = {
    block: () => {
      labels.push(next());
      return [NO_RESULT];
    },
    label: () => [labels.length - 1 - known(new Map(labels.map((name, n) => [name, n])), next())],
    local: () => [known(places, next())],
    i32: () => signedLeb(Number(next())),
    f32: () => [...new Uint8Array(Float32Array.of(Number(next())).buffer)],
    v128: () => {
      if (next() !== "i8x16") throw new Error("v128.const must be given as i8x16");
      return numbers(16);
    },
    memory: () => {
      const fields = { offset: 0, align: 1 };
      while (/^(offset|align)=/.test(instructions[position] ?? "")) {
        const [key, value] = next().split("=") as [keyof typeof fields, string];
        fields[key] = Number(value);
      }
      return [Math.log2(fields.align), ...leb(fields.offset)];
    },
    lane: () => numbers(1),
    lanes: () => numbers(16),
  };
  const code: number[] = [];
  while (position < instructions.length) {
    const name = next();
    if (name === "end") labels.pop();
    const [opcode, ...kinds] = known(INSTRUCTIONS, name);
    code.push(...typeof opcode === "number" ? [opcode] : [opcode[0], ...leb(opcode[1])]);
    for (const kind of kinds) code.push(...immediates[kind]());
  }
  return sized([...vectorOf(locals.map(({ type }) => [1, type])), ...code, END]);
}

function known<Value>(table: ReadonlyMap<string, Value>, word: string): Value {
  const value = table.get(word);
  if (value === undefined) throw new Error(`the assembler does not know "${word}"`);
  return value;
}

/** Encodes a section: its number, its length, the count of its entries, and the entries. */
function section(id: number, entries: readonly number[][]): number[] {
  return [id, ...sized(vectorOf(entries))];
}

/** Encodes the count of entries, then the entries. */
function vectorOf(entries: readonly (readonly number[])[]): number[] {
  return [...leb(entries.length), ...entries.flat()];
}

/** Encodes the count of bytes, then the bytes. */
function sized(bytes: readonly number[]): number[] {
  return [...leb(bytes.length), ...bytes];
}

/** Encodes a text without its quotation marks: the number of its bytes, then the bytes. */
function textOf(quoted: string): number[] {
  return sized([...new TextEncoder().encode(quoted.slice(1, -1))]);
}

/** Encodes a non-negative integer as unsigned LEB128. */
function leb(value: number): number[] {
  return value < 0x80 ? [value] : [value % 0x80 | 0x80, ...leb(Math.floor(value / 0x80))];
}

/** Encodes an integer of 32 bits as signed LEB128: bit 6 of the last byte is the sign. */
function signedLeb(value: number): number[] {
  return value >= -0x40 && value < 0x40
    ? [value & 0x7f]
    : [value & 0x7f | 0x80, ...signedLeb(value >> 7)];
}
