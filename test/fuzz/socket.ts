/** Sends bytes over a raw connection, reads the answer and parses it. */

/** Milliseconds of silence after which reading ends, because the server may wait for more bytes. */
const SILENCE_MILLISECONDS = 400;

/**
 * Sends bytes. Returns the answer, one byte per code unit, until the server closes or is silent.
 */
export async function exchange(
  { port, text, writes = [], until, patience = SILENCE_MILLISECONDS }: {
    port: number;
    text: string;
    writes?: readonly number[];
    /** Text at which reading ends. */
    until?: string;
    /** Milliseconds of silence after which reading ends. */
    patience?: number;
  },
): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const bytes = Uint8Array.from(text, (unit) => unit.charCodeAt(0));
  const writing = writeAll(connection, bytes, writes);
  const answer = await readAll(connection, patience, until);
  await writing;
  return answer;
}

async function writeAll(
  connection: Deno.Conn,
  bytes: Uint8Array,
  sizes: readonly number[],
): Promise<void> {
  try {
    let at = 0;
    for (const size of [...sizes, bytes.length]) {
      for (const end = Math.min(at + size, bytes.length); at < end;) {
        at += await connection.write(bytes.subarray(at, end));
      }
    }
  } catch {
    // The server has closed before everything was sent.
  }
}

async function readAll(connection: Deno.Conn, patience: number, until?: string): Promise<string> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  try {
    while (until === undefined || !text.includes(until)) {
      const size = await orSilence(connection.read(buffer), connection, patience);
      if (size === null) break;
      text += latin1(buffer.subarray(0, size));
    }
  } catch {
    // The server has reset the connection, or orSilence() has closed it.
  }
  try {
    // This ends a writer that waits for a server that does not read.
    await connection.closeWrite();
  } catch {
    // The connection is already closed.
  }
  return text;
}

async function orSilence<T>(
  reading: Promise<T>,
  connection: Deno.Conn,
  patience: number,
): Promise<T> {
  const timer = setTimeout(() => connection.close(), patience);
  try {
    return await reading;
  } finally {
    clearTimeout(timer);
  }
}

function latin1(bytes: Uint8Array): string {
  return bytes.reduce((text, byte) => text + String.fromCharCode(byte), "");
}

export interface RawAnswer {
  status: number;
  headers: Headers;
  body: string;
}

/** Parses responses. @throws Error for bytes that are no HTTP/1 response */
export function parseAnswers(text: string): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = text; rest !== "";) {
    const end = rest.indexOf("\r\n\r\n");
    const [line = "", ...lines] = rest.slice(0, Math.max(0, end)).split("\r\n");
    const match = /^HTTP\/1\.[01] (\d{3})( |$)/.exec(line);
    if (match === null) throw new Error(`no response: ${JSON.stringify(rest.slice(0, 200))}`);
    const headers = new Headers(lines.map((one): [string, string] => {
      const colon = one.indexOf(":");
      return [one.slice(0, colon), one.slice(colon + 1).trim()];
    }));
    const status = Number(match[1]);
    rest = rest.slice(end + 4);
    const { body, length } = takeBody(status, headers, rest);
    rest = rest.slice(length);
    answers.push({ status, headers, body });
  }
  return answers;
}

function takeBody(
  status: number,
  headers: Headers,
  rest: string,
): { body: string; length: number } {
  if (status < 200 || status === 204 || status === 304) return { body: "", length: 0 };
  if (headers.get("transfer-encoding") === "chunked") return takeChunks(rest);
  const declared = headers.get("content-length");
  // An answer to HEAD declares a length without a body. The next status line may follow.
  if (rest.startsWith("HTTP/1.")) return { body: "", length: 0 };
  const length = declared === null ? rest.length : Math.min(Number(declared), rest.length);
  return { body: rest.slice(0, length), length };
}

function takeChunks(rest: string): { body: string; length: number } {
  if (rest.startsWith("HTTP/1.")) return { body: "", length: 0 };
  let body = "";
  for (let at = 0;;) {
    const end = rest.indexOf("\r\n", at);
    const size = parseInt(rest.slice(at, end), 16);
    if (end < 0 || !(size > 0)) return { body, length: end < 0 ? rest.length : end + 4 };
    body += rest.slice(end + 2, end + 2 + size);
    at = end + 2 + size + 2;
  }
}
