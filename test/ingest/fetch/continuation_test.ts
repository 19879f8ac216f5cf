/** Tests how fetch() continues a body that broke off. */
import assert from "node:assert/strict";
import {
  checked,
  failureOf,
  fetcherOf,
  fetchText,
  type Line,
  startRawHost,
} from "../../support/web.ts";

const TEXT = "The quick brown fox jumps over the lazy dog";
const BROKEN = {
  fault: "network",
  message: "127.0.0.1: the connection failed (ECONNRESET)",
  temporary: true,
};
const CHANGED = { ...BROKEN, message: "127.0.0.1: changed while it was read" };

/** Sends ten bytes per connection, from the start of the requested range. */
async function sendTen({ head, write }: Line): Promise<void> {
  const from = Number(head.match(/\r\nrange: bytes=(\d+)-/i)?.[1] ?? 0);
  const status = from === 0 ? "200 OK" : "206 Partial Content";
  await write(
    `HTTP/1.1 ${status}\r\nETag: "v1"\r\nAccept-Ranges: bytes\r\n` +
      `Content-Length: ${TEXT.length - from}\r\n` +
      (from === 0 ? "" : `Content-Range: bytes ${from}-${TEXT.length - 1}/${TEXT.length}\r\n`) +
      `\r\n${TEXT.slice(from, from + 10)}`,
  );
}

const rangesOf = (heard: string[]) =>
  heard.map((head) => [head.match(/^range: .*$/im)?.[0], head.match(/^if-range: .*$/im)?.[0]]);

Deno.test(
  "fetch() continues a broken body where it broke off, without repeating a byte",
  checked,
  async () => {
    await using host = startRawHost(sendTen);
    const outcome = await fetchText(fetcherOf([host]), { url: host.url }, { attempts: 5 });
    assert.deepEqual(outcome, { text: TEXT, url: `${host.url}/` });
    assert.deepEqual(rangesOf(host.heard), [
      [undefined, undefined],
      ["range: bytes=10-", 'if-range: "v1"'],
      ["range: bytes=20-", 'if-range: "v1"'],
      ["range: bytes=30-", 'if-range: "v1"'],
      ["range: bytes=40-", 'if-range: "v1"'],
    ]);
  },
);

Deno.test("fetch() counts a continuation as an attempt", checked, async () => {
  await using host = startRawHost(sendTen);
  const fetching = fetchText(fetcherOf([host]), { url: host.url }, { attempts: 4 });
  assert.deepEqual(await failureOf(fetching), BROKEN);
  assert.equal(host.heard.length, 4);
});

Deno.test("fetch() retries a continuation after a temporary failure", checked, async () => {
  await using host = startRawHost((line) =>
    line.earlier % 2 === 1
      ? line.write("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n")
      : sendTen(line)
  );
  const outcome = await fetchText(fetcherOf([host]), { url: host.url }, {
    attempts: 9,
    milliseconds: 600_000,
  });
  assert.deepEqual(outcome, { text: TEXT, url: `${host.url}/` });
});

Deno.test(
  "fetch() gives up if the rest belongs to another version of the body",
  checked,
  async () => {
    const range = "Content-Range: bytes 10-42/43\r\n";
    const answers = [
      'HTTP/1.1 200 OK\r\nETag: "v2"\r\n\r\n' + TEXT,
      'HTTP/1.1 206 Partial Content\r\nETag: "v2"\r\n' + range + "\r\n" + TEXT.slice(10),
      "HTTP/1.1 206 Partial Content\r\n" + range + "\r\n" + TEXT.slice(10),
      'HTTP/1.1 206 Partial Content\r\nETag: "v1"\r\n\r\n' + TEXT.slice(10),
      'HTTP/1.1 206 Partial Content\r\nETag: "v1"\r\nContent-Range: bytes 9-42/43\r\n\r\n' + TEXT,
      'HTTP/1.1 206 Partial Content\r\nETag: "v1"\r\nContent-Range: bytes 10-43/44\r\n\r\n' + TEXT,
    ];
    for (const answer of answers) {
      await using host = startRawHost((line) =>
        line.earlier === 0 ? sendTen(line) : line.write(answer)
      );
      const fetching = fetchText(fetcherOf([host]), { url: host.url }, { attempts: 2 });
      assert.deepEqual(await failureOf(fetching), CHANGED, answer);
    }
  },
);

Deno.test(
  "fetch() does not continue an encoded body, or one without strong ETag and byte ranges",
  checked,
  async () => {
    const heads = [
      'ETag: W/"v1"\r\nAccept-Ranges: bytes\r\n',
      "Accept-Ranges: bytes\r\n",
      'ETag: "v1"\r\n',
      'ETag: "v1"\r\nAccept-Ranges: bytes\r\nContent-Encoding: gzip\r\n',
    ];
    for (const head of heads) {
      await using host = startRawHost(({ write }) =>
        write(`HTTP/1.1 200 OK\r\n${head}Content-Length: 99\r\n\r\n\x1f`)
      );
      const fetching = fetchText(fetcherOf([host]), { url: host.url }, { attempts: 5 });
      assert.deepEqual(await failureOf(fetching), BROKEN, head);
      assert.equal(host.heard.length, 1);
    }
  },
);
