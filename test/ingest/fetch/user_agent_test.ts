import assert from "node:assert/strict";
import { readSettings, SettingError } from "../../../src/config.ts";
import { userAgent } from "../../../src/ingest/fetch/user_agent.ts";

Deno.test("userAgent() names the program, its version and its operator", () => {
  assert.equal(userAgent(undefined), "company-evidence/1.0.0");
  assert.equal(
    userAgent(readSettings({ FETCH_CONTACT: "Acme Data office@acme.example" }).FETCH_CONTACT),
    "company-evidence/1.0.0 (+Acme Data office@acme.example)",
  );
});

Deno.test("readSettings() refuses a contact that is invalid within a header", () => {
  for (const FETCH_CONTACT of ["a) b", "(a", "a\r\nX-Key: b", "a\\", " a", "é@acme.example"]) {
    assert.throws(() => readSettings({ FETCH_CONTACT }), SettingError);
  }
});

Deno.test("readSettings() reads hosts with ports as open addresses", () => {
  assert.deepEqual(readSettings({}).FETCH_OPEN_ADDRESSES, []);
  assert.deepEqual(
    readSettings({ FETCH_OPEN_ADDRESSES: "127.0.0.1:8081, Mirror.internal:80\n[::1]:443" })
      .FETCH_OPEN_ADDRESSES,
    ["127.0.0.1:8081", "mirror.internal:80", "[::1]:443"],
  );
  for (const FETCH_OPEN_ADDRESSES of ["127.0.0.1", "http://a:80", "::1:80", "a:http", "*:80"]) {
    assert.throws(() => readSettings({ FETCH_OPEN_ADDRESSES }), SettingError);
  }
});
