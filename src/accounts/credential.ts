/**
 * Creates and checks API keys. A key is `ce_`, 32 random base62 characters, and the CRC-32 of all
 * of these in 6 characters. By the check sum, mistyped and truncated keys are found without a query
 * to the database, and secret scanners recognize real keys.
 */
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX = "ce_";
const RANDOM_LENGTH = 32;
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECK_LENGTH}}$`);

/** Creates a key from the system's cryptographic random source. */
export function createKey(): string {
  let random = "";
  while (random.length < RANDOM_LENGTH) {
    // Bytes from 248 (4 times 62) on are dropped. They would make the first 8 characters of
    // ALPHABET more frequent than the others.
    for (const byte of crypto.getRandomValues(new Uint8Array(RANDOM_LENGTH))) {
      if (byte < 248 && random.length < RANDOM_LENGTH) random += ALPHABET[byte % 62];
    }
  }
  return PREFIX + random + checkOf(PREFIX + random);
}

/** Returns whether a text has the form and the check sum of a key. */
export function isWellFormedKey(text: string): boolean {
  if (!FORM.test(text)) return false;
  const body = text.slice(0, -CHECK_LENGTH);
  return text.slice(-CHECK_LENGTH) === checkOf(body);
}

/** Number of random characters that lists show. The other 26 have over 150 bits of entropy. */
const SHOWN_LENGTH = 6;

/** Returns the first characters of a key, by which its holder recognizes it. */
export function prefixOf(key: string): string {
  return key.slice(0, PREFIX.length + SHOWN_LENGTH);
}

/** Returns the stored form of a key: its SHA-256. Keys are random, so no salt is needed. */
export function hashKey(key: string): Uint8Array {
  return hash("sha256", key, "buffer");
}

function checkOf(body: string): string {
  let rest = crc32(body);
  let text = "";
  for (let i = 0; i < CHECK_LENGTH; i++) {
    text = ALPHABET[rest % 62] + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
