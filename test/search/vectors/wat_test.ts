import assert from "node:assert/strict";
import { assemble } from "../../../src/search/vectors/wat.ts";

function moduleOf(code: string): string {
  return `(module (import "" "memory" (memory 1 1 shared))
    ;; A comment with (parentheses.
    (func (export "f") (param $n i32) (result i32) (local $i i32) ${code}))`;
}

function run(code: string, n: number): number {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(assemble(moduleOf(code))), {
    "": { memory },
  });
  return (instance.exports.f as (n: number) => number)(n);
}

Deno.test("assemble() writes integers of any size", () => {
  for (
    const value of [0, 1, -1, 63, 64, -64, -65, 127, 128, 8_191, 8_192, 2 ** 31 - 1, -(2 ** 31)]
  ) {
    assert.equal(run(`i32.const ${value}`, 0), value);
  }
});

Deno.test("assemble() finds locals, parameters and labels by their names", () => {
  const triangle = `
    loop $outer
      loop $inner
        local.get $i local.get $n i32.add local.set $i
        local.get $n i32.const 1 i32.sub local.tee $n
        i32.const 0 i32.gt_s br_if $outer
      end
    end
    local.get $i`;
  assert.equal(run(triangle, 5), 15);
});

Deno.test("assemble() names an unknown word", () => {
  assert.throws(() => assemble(moduleOf("i32.popcnt")), {
    message: 'the assembler does not know "i32.popcnt"',
  });
  assert.throws(() => assemble(moduleOf("local.get $absent")), {
    message: 'the assembler does not know "$absent"',
  });
  assert.throws(() => assemble("(module"), { message: "a parenthesis is not closed" });
});
