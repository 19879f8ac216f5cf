import assert from "node:assert/strict";
import fc from "fast-check";
import { compose, concat, MessageReader, messagesIn, textAt } from "../../src/db/wire.ts";

Deno.test("MessageReader returns the same messages, however their bytes are split", () => {
  const message = fc.tuple(fc.constantFrom("Q", "P", "S", "d"), fc.string({ maxLength: 40 }))
    .map(([type, text]) => ({ type, bytes: compose(type, text.replaceAll("\0", "")) }));
  fc.assert(fc.property(
    fc.array(message, { maxLength: 8 }),
    fc.array(fc.nat({ max: 30 }), { maxLength: 40 }),
    (messages, cuts) => {
      const reader = new MessageReader();
      const received = [];
      let rest = concat([new Uint8Array(0), ...messages.map(({ bytes }) => bytes)]);
      for (const cut of [...cuts, rest.length]) {
        reader.push(rest.subarray(0, cut));
        rest = rest.subarray(cut);
        for (let next; (next = reader.message());) received.push(next);
      }
      assert.deepEqual(
        received.map(({ type, bytes }) => ({ type, bytes: [...bytes] })),
        messages.map(({ type, bytes }) => ({ type, bytes: [...bytes] })),
      );
    },
  ));
});

Deno.test("MessageReader.startup() waits for the whole packet, and reads no further", () => {
  const reader = new MessageReader();
  const packet = Uint8Array.of(0, 0, 0, 9, 0, 3, 0, 0, 0);
  reader.push(packet.subarray(0, 6));
  assert.equal(reader.startup(), undefined);
  reader.push(concat([packet.subarray(6), compose("S")]));
  assert.equal(reader.startup(), 0x30000);
  assert.equal(reader.message()?.type, "S");
});

Deno.test("MessageReader refuses impossible lengths", () => {
  const reader = new MessageReader();
  reader.push(Uint8Array.of(0x51, 0xff, 0xff, 0xff, 0xff));
  assert.throws(() => reader.message(), RangeError);
  const first = new MessageReader();
  first.push(new TextEncoder().encode("GET / HTTP/1.1\r\n"));
  assert.throws(() => first.startup(), RangeError);
});

Deno.test("messagesIn() finds every message", () => {
  const bytes = concat([compose("C", "SELECT 1"), compose("Z", Uint8Array.of(0x49))]);
  assert.deepEqual([...messagesIn(bytes)], [
    { type: 0x43, offset: 0, end: 14 },
    { type: 0x5a, offset: 14, end: 20 },
  ]);
  assert.equal(textAt(bytes, 5), "SELECT 1");
});
