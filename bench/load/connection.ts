/** Connection of the load generator over a plain socket, with one request under way at a time. */

const END_OF_HEAD = new Uint8Array([13, 10, 13, 10]);
/** Initial bytes of the buffer of answers. It grows as needed. */
const FIRST_BYTES = 65_536;

/** A client that parses only the status and the length of an answer. */
export class Connection {
  readonly #socket: Deno.TcpConn;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  #buffer = new Uint8Array(FIRST_BYTES);

  private constructor(socket: Deno.TcpConn) {
    this.#socket = socket;
  }

  static async open(port: number): Promise<Connection> {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    socket.setNoDelay();
    return new Connection(socket);
  }

  /**
   * Sends the text of a request and reads the answer.
   * @returns the body if `decoded` is set
   * @throws Error if the answer has no status 2xx or, with `decoded`, if it is an MCP tool error
   */
  async ask(request: string, { decoded = false } = {}): Promise<string | undefined> {
    await this.#send(this.#encoder.encode(request));
    let length = 0;
    let bodyStart = -1;
    let end = Infinity;
    while (length < end) {
      if (length === this.#buffer.length) this.#grow();
      const read = await this.#socket.read(this.#buffer.subarray(length));
      if (read === null) throw new Error("the connection ended");
      length += read;
      if (bodyStart >= 0) continue;
      bodyStart = endOfHead(this.#buffer.subarray(0, length));
      if (bodyStart >= 0) end = bodyStart + this.#contentLength(bodyStart);
    }
    const isSuccess = this.#buffer[9] === 50;
    if (isSuccess && !decoded) return;
    const body = this.#decoder.decode(this.#buffer.subarray(bodyStart, length));
    if (!isSuccess || body.includes('"isError":true')) throw new Error(body.slice(0, 500));
    return body;
  }

  close(): void {
    this.#socket.close();
  }

  async #send(bytes: Uint8Array): Promise<void> {
    for (let sent = 0; sent < bytes.length;) sent += await this.#socket.write(bytes.subarray(sent));
  }

  #contentLength(bodyStart: number): number {
    const head = this.#decoder.decode(this.#buffer.subarray(0, bodyStart));
    const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
    if (length === undefined) throw new Error(`an answer without a length: ${head}`);
    return Number(length);
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#buffer.length);
    larger.set(this.#buffer);
    this.#buffer = larger;
  }
}

/** Returns the index of the first byte of the body, or -1 if the head is incomplete. */
function endOfHead(bytes: Uint8Array): number {
  for (let at = bytes.indexOf(13); at >= 0; at = bytes.indexOf(13, at + 1)) {
    if (END_OF_HEAD.every((byte, offset) => bytes[at + offset] === byte)) return at + 4;
  }
  return -1;
}
