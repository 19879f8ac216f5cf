/** Sends bytes to a replica, for requests that no client library sends. */

export interface RawConnection extends Disposable {
  write(text: string): Promise<void>;
  /** Resolves with all bytes from the server when it closes the connection or the time is over. */
  readAll(milliseconds: number): Promise<string>;
  /** Resolves with true when the server answers or closes the connection, or else with false. */
  endsWithin(milliseconds: number): Promise<boolean>;
}

/** Connects to an address such as `http://127.0.0.1:8080`. Every write is a separate segment. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  connection.setNoDelay(true);
  let received = "";
  let isClosed = false;
  const decoder = new TextDecoder();
  const progress = new EventTarget();
  const reading = (async () => {
    const buffer = new Uint8Array(65_536);
    try {
      for (let size; (size = await connection.read(buffer)) !== null;) {
        received += decoder.decode(buffer.subarray(0, size), { stream: true });
        progress.dispatchEvent(new Event("bytes"));
      }
    } catch {
      // A reset also closes the connection.
    }
    isClosed = true;
    progress.dispatchEvent(new Event("bytes"));
  })();
  const until = (condition: () => boolean, milliseconds: number) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return;
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(resolve, milliseconds);
      progress.addEventListener("bytes", check);
      check();
    });
  return {
    async write(text) {
      let bytes = new TextEncoder().encode(text);
      while (bytes.length > 0) bytes = bytes.subarray(await connection.write(bytes));
    },
    async readAll(milliseconds) {
      await until(() => isClosed, milliseconds);
      return received;
    },
    async endsWithin(milliseconds) {
      await until(() => isClosed || received !== "", milliseconds);
      return isClosed || received !== "";
    },
    [Symbol.dispose]() {
      try {
        connection.close();
      } catch {
        // The other side has closed it.
      }
      void reading;
    },
  };
}

/** Sends a whole request. Returns the status of its answer; null if there is no answer. */
export async function rawStatus(url: string, request: string): Promise<number | null> {
  const ANSWER_MILLISECONDS = 20_000;
  using connection = await connectRaw(url);
  await connection.write(request);
  await connection.endsWithin(ANSWER_MILLISECONDS);
  const text = await connection.readAll(200);
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1];
  return status === undefined ? null : Number(status);
}
