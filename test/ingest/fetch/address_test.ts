import assert from "node:assert/strict";
import { isPublicAddress } from "../../../src/ingest/fetch/destination.ts";

/** The last two are 8.8.8.8 in a network without IPv4 (NAT64). */
const PUBLIC = `
  1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 192.0.1.0
  198.17.255.255 198.20.0.0 223.255.255.255 2001:200::1 2606:4700:4700::1111 2a00:1450:4001::200e
  64:ff9b::808:808 64:ff9b::8.8.8.8
`.split(/\s+/).filter(Boolean);

const NOT_PUBLIC = `
  0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 168.63.129.16
  169.254.169.254 172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1
  198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 ::
  ::1 ::127.0.0.1 ::8.8.8.8 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 64:ff9b::7f00:1
  64:ff9b::10.0.0.1 64:ff9b:1::1 100::1 2001::1 2001:2::1 2001:10::1 2001:20::1 2001:db8::1
  2002:7f00:1:: 2002:808:808:: 3ffe::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0
  fec0::1 ff02::1 localhost 127.1 8.8.8.8.8
`.split(/\s+/);

Deno.test("isPublicAddress() accepts public addresses, up to the bounds of their ranges", () => {
  assert.deepEqual(PUBLIC.filter((address) => !isPublicAddress(address)), []);
});

Deno.test("isPublicAddress() refuses private, special and embedded addresses", () => {
  assert.deepEqual(NOT_PUBLIC.filter(isPublicAddress), []);
});
