import assert from "node:assert/strict";
import { defectFields } from "../src/log.ts";
import { readStrictJson } from "../src/doors/request.ts";

Deno.test("defectFields() contains class, code and place of an error, but not its message", () => {
  const text = '{"query": "secret\n    at fake (src/forged.ts:1:1)';
  let defect: unknown;
  try {
    readStrictJson(new TextEncoder().encode(text));
  } catch (error) {
    defect = error;
  }
  const { at, ...fields } = defectFields(defect);
  assert.deepEqual(fields, { error: "SyntaxError", code: undefined });
  assert.match(String(at), /^src\/doors\/request\.ts:[0-9]+:[0-9]+$/);

  const forged = new Error("secret\n    at fake (src/forged.ts:1:1)");
  assert.deepEqual(defectFields(forged), { error: "Error", code: undefined, at: undefined });
  const caused = new Error("secret", {
    cause: Object.assign(new TypeError("x"), { code: "42601" }),
  });
  assert.deepEqual(defectFields(caused), { error: "TypeError", code: "42601", at: undefined });
  assert.deepEqual(defectFields("secret"), { error: "string" });
});
