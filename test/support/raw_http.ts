/** Sends HTTP as bytes on a connection, for requests that no client library would send. */

/** An answer with its raw body. */
export interface RawAnswer {
  status: number;
  headers: Headers;
  /** The raw body, including chunk sizes. */
  text: string;
}

/** A connection that is closed at the end of its block. */
export class RawConnection implements Disposable {
  readonly #connection: Deno.TcpConn;
  #received = "";

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  static async open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const connection = await Deno.connect({ hostname, port: Number(port) });
    connection.setNoDelay(true);
    return new RawConnection(connection);
  }

  /** Writes all bytes. @returns false if the peer has closed the connection */
  async write(text: string | Uint8Array): Promise<boolean> {
    let bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    try {
      while (bytes.length > 0) bytes = bytes.subarray(await this.#connection.write(bytes));
      return true;
    } catch (error) {
      if (isClosed(error)) return false;
      throw error;
    }
  }

  /** Reads until the peer closes the connection. @returns everything that the peer has sent */
  async readToEnd(): Promise<string> {
    while (await this.#readMore());
    return this.#received;
  }

  /** Reads one answer, which must have a Content-Length or end with the connection. */
  async readAnswer(): Promise<RawAnswer> {
    for (;;) {
      const end = this.#received.indexOf("\r\n\r\n");
      const answer = end < 0 ? undefined : parse(this.#received, end);
      const length = answer?.headers.get("content-length");
      if (answer && length && answer.text.length >= Number(length)) {
        this.#received = answer.text.slice(Number(length));
        return { ...answer, text: answer.text.slice(0, Number(length)) };
      }
      if (await this.#readMore()) continue;
      if (answer === undefined) throw new Error("the connection was closed without an answer");
      return answer;
    }
  }

  async #readMore(): Promise<boolean> {
    const buffer = new Uint8Array(16_384);
    try {
      const count = await this.#connection.read(buffer);
      if (count === null) return false;
      this.#received += new TextDecoder("latin1").decode(buffer.subarray(0, count));
      return true;
    } catch (error) {
      if (isClosed(error)) return false;
      throw error;
    }
  }

  [Symbol.dispose](): void {
    try {
      this.#connection.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }
}

/** Sends a text over a new connection. @returns the answer */
export async function sendRaw(url: string, text: string): Promise<RawAnswer> {
  using connection = await RawConnection.open(url);
  await connection.write(text);
  return await connection.readAnswer();
}

function parse(received: string, end: number): RawAnswer {
  const [first, ...fields] = received.slice(0, end).split("\r\n");
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon), field.slice(colon + 1)];
    }),
  );
  return { status: Number(first!.split(" ")[1]), headers, text: received.slice(end + 4) };
}

function isClosed(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionAborted;
}
