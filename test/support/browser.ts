/** Drives headless Chromium by its DevTools protocol. */

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Returns the path of Chromium; undefined if this machine has none. */
export function findChromium(): string | undefined {
  return PLACES.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--remote-debugging-port=0",
  "--window-size=1280,1600",
];

/** Number of tries, one each 100 ms: two minutes, for slow machines. */
const TRIES = 1_200;

/** An open page. */
export interface Page {
  /** Addresses of all requests that the page has made so far. */
  requests: string[];
  /** Errors and warnings of the console, and uncaught errors. */
  complaints: string[];
  /** Returns the value of an expression in the page. */
  evaluate<T>(expression: string): Promise<T>;
  /** Waits until an expression in the page is true. @throws Error after two minutes */
  until(expression: string): Promise<void>;
  /** Returns the visible part of the page as PNG. */
  screenshot(): Promise<Uint8Array>;
  /** Sends a command of the DevTools protocol. */
  send(method: string, params?: Fields): Promise<Fields>;
}

/** Runs `use` with a page at an address, in a new browser with an empty profile. */
export async function withPage(
  { chromium, url, flags = [] }: { chromium: string; url: string; flags?: string[] },
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const profile = Deno.makeTempDirSync({ prefix: "ce-browser-" });
  const browser = new Deno.Command(chromium, {
    args: [...FLAGS, ...flags, `--user-data-dir=${profile}`, "about:blank"],
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    const connection = await connect(await devToolsAddress(profile));
    try {
      await use(await openPage(connection, url));
    } finally {
      // The connection is closed after the browser has ended its child processes.
      const closed = connection.closed;
      connection.send("Browser.close").catch(() => {});
      await closed;
    }
  } finally {
    try {
      browser.kill("SIGKILL");
    } catch {
      // The browser has ended.
    }
    await browser.status;
    await removeDirectory(profile);
  }
}

/** Returns the address of the DevTools. Chromium writes its port and path into a file. */
async function devToolsAddress(profile: string): Promise<string> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const [port, path] = Deno.readTextFileSync(`${profile}/DevToolsActivePort`).split("\n");
      if (path) return `ws://127.0.0.1:${port}${path}`;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
    await sleep(100);
  }
  throw new Error("Chromium did not start within two minutes");
}

// deno-lint-ignore no-explicit-any -- shapes of the protocol
type Fields = Record<string, any>;

interface Connection {
  send(method: string, params?: Fields, sessionId?: string): Promise<Fields>;
  listen(listener: (method: string, params: Fields) => void): void;
  closed: Promise<void>;
}

async function connect(address: string): Promise<Connection> {
  const socket = new WebSocket(address);
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const pending = new Map<number, PromiseWithResolvers<Fields>>();
  let listener: (method: string, params: Fields) => void = () => {};
  let last = 0;
  socket.onmessage = ({ data }) => {
    const { id, method, params, result, error } = JSON.parse(data);
    if (id === undefined) return listener(method, params);
    if (error) pending.get(id)?.reject(new Error(error.message));
    else pending.get(id)?.resolve(result);
    pending.delete(id);
  };
  socket.onclose = () => {
    for (const answer of pending.values()) answer.reject(new Error("the browser has ended"));
    close();
  };
  const opened = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onerror = () => opened.reject(new Error("the browser does not answer"));
  await opened.promise;
  return {
    send(method, params = {}, sessionId) {
      const answer = Promise.withResolvers<Fields>();
      pending.set(++last, answer);
      socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      return answer.promise;
    },
    listen: (use) => void (listener = use),
    closed,
  };
}

async function openPage(connection: Connection, url: string): Promise<Page> {
  const requests: string[] = [];
  const complaints: string[] = [];
  connection.listen((method, params) => {
    if (method === "Network.requestWillBeSent") requests.push(params.request.url);
    if (method === "Runtime.consoleAPICalled" && ["error", "warning"].includes(params.type)) {
      complaints.push(
        params.args.map(({ description, value }: Fields) => description ?? value).join(" "),
      );
    }
    if (method === "Log.entryAdded") complaints.push(params.entry.text);
    if (method === "Runtime.exceptionThrown") {
      complaints.push(params.exceptionDetails.exception?.description ?? "an exception");
    }
  });
  const { targetId } = await connection.send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await connection.send("Target.attachToTarget", { targetId, flatten: true });
  const send = (method: string, params?: Fields) => connection.send(method, params, sessionId);
  for (const domain of ["Network", "Log", "Runtime", "Page"]) await send(`${domain}.enable`);
  await send("Page.navigate", { url });
  const evaluate = async <T>(expression: string) => {
    const { result, exceptionDetails } = await send("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
    return result.value as T;
  };
  return {
    requests,
    complaints,
    send,
    evaluate,
    async until(expression) {
      for (let tries = 0; tries < TRIES; tries++) {
        if (await evaluate<boolean>(expression).catch(ignoreNavigation)) return;
        await sleep(100);
      }
      throw new Error(`not true within two minutes: ${expression}`);
    },
    async screenshot() {
      const { data } = await send("Page.captureScreenshot");
      return Uint8Array.fromBase64(data);
    },
  };
}

/** Ignores the error of an evaluation whose document was left meanwhile. */
function ignoreNavigation(error: unknown): false {
  if (/navigated or closed|context was destroyed/.test(String(error))) return false;
  throw error;
}

/**
 * Removes a directory. It retries, because ending processes of the browser may still write to it.
 */
async function removeDirectory(directory: string): Promise<void> {
  for (let tries = 0; tries < 50; tries++) {
    try {
      return Deno.removeSync(directory, { recursive: true });
    } catch {
      await sleep(100);
    }
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
