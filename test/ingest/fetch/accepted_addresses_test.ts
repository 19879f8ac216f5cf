/** Checks which addresses fetch() connects to, and which it refuses. */
import assert from "node:assert/strict";
import {
  BOUNDS,
  checkedTest,
  failureOf,
  fetcherOf,
  fetchText,
  readText,
  startHost,
} from "../../support/web.ts";

const refused = (host: string, reason = "not a public address") => ({
  fault: "address_refused",
  message: `${host}: ${reason} (FETCH_OPEN_ADDRESSES can permit it)`,
  temporary: false,
});

checkedTest("fetch() sends its User-Agent, and returns the body and headers", async () => {
  await using host = startHost(() =>
    new Response("two\nlines", {
      headers: { "etag": '"v1"', "last-modified": "Tue, 03 Mar 2026 10:00:00 GMT" },
    })
  );
  const fetcher = fetcherOf([host], {
    user_agent: "company-evidence/1.0.0 (+office@acme.example)",
    now: () => new Date("2026-03-04T00:00:00Z"),
  });
  const outcome = await fetcher.fetch(
    { url: `${host.url}/list?page=1#top`, accept: "text/csv", headers: { "X-Key": "k" } },
    { ...BOUNDS, bytes: 9 },
  );
  assert.ok(outcome.status === 200);
  const { body, ...facts } = outcome;
  assert.equal(await readText({ body }), "two\nlines");
  assert.deepEqual(facts, {
    status: 200,
    url: `${host.url}/list?page=1`,
    etag: '"v1"',
    last_modified: "Tue, 03 Mar 2026 10:00:00 GMT",
    link: undefined,
    retrieved_at: new Date("2026-03-04T00:00:00Z"),
  });
  assert.equal(host.heard[0]!.path, "/list?page=1");
  assert.deepEqual(host.heard[0]!.headers, {
    "accept": "text/csv",
    "accept-encoding": "gzip, br",
    "connection": "close",
    "host": host.host,
    "user-agent": "company-evidence/1.0.0 (+office@acme.example)",
    "x-key": "k",
  });
});

checkedTest("fetch() refuses addresses that are not public, in every notation", async () => {
  await using host = startHost(() => new Response("inside"));
  const port = host.host.split(":")[1];
  const fetcher = fetcherOf([]);
  const cases: [string, string][] = [
    ["http://127.0.0.1/", "127.0.0.1"],
    ["http://127.1/", "127.0.0.1"],
    ["http://2130706433/", "127.0.0.1"],
    ["http://0x7f.0.0.1/", "127.0.0.1"],
    ["http://0177.0.0.1:8080/", "127.0.0.1"],
    ["http://127.0.0.1./", "127.0.0.1"],
    ["http://１２７.0.0.1/", "127.0.0.1"],
    ["http://localhost/", "localhost"],
    ["http://LOCALHOST./", "localhost"],
    ["http://0/", "0.0.0.0"],
    ["http://169.254.169.254/latest/meta-data", "169.254.169.254"],
    ["https://[::1]/", "[::1]"],
    ["http://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"],
    ["http://[64:ff9b::127.0.0.1]/", "[64:ff9b::7f00:1]"],
  ];
  for (const [url, hostname] of cases) {
    assert.deepEqual(await failureOf(fetchText(fetcher, { url })), refused(hostname), url);
  }
  assert.deepEqual(
    await failureOf(fetchText(fetcher, { url: `http://example.com:${port}/` })),
    refused("example.com", `port ${port} is not allowed`),
  );
  assert.equal(host.heard.length, 0);
});

checkedTest("fetch() refuses an invalid URL, and does not repeat it in the message", async () => {
  const cases: [string, string][] = [
    ["not an address?secret", "not an address"],
    ["file:///etc/passwd", "not an address of http or https"],
    ["ftp://acme.example/secret", "not an address of http or https"],
    ["http://[fe80::1%25eth0]/", "not an address"],
    [
      "https://name:secret@acme.example/",
      "acme.example: an address with a user name or a password",
    ],
  ];
  for (const [url, message] of cases) {
    assert.deepEqual(
      await failureOf(fetchText(fetcherOf([]), { url }, { attempts: 3 })),
      { fault: "bad_address", message, temporary: false },
    );
  }
});

checkedTest("fetch() refuses a name with one private address among public ones", async () => {
  const lookup = () => Promise.resolve(["93.184.215.14", "10.0.0.1"]);
  assert.deepEqual(
    await failureOf(fetchText(fetcherOf([], { lookup }), { url: "https://acme.example/" })),
    refused("acme.example"),
  );
});

checkedTest(
  "fetch() resolves a name once per request, and connects to the resolved address",
  async () => {
    await using host = startHost((request) => new Response(request.headers.get("host")));
    const port = host.host.split(":")[1];
    const lookups: string[] = [];
    // A second lookup would return an address at which no host listens. A lookup by the system
    // would fail, because no resolver knows the name.
    const lookup = (name: string) => {
      lookups.push(name);
      return Promise.resolve([lookups.length === 1 ? "127.0.0.1" : "127.0.0.2"]);
    };
    const name = `rebinding.example:${port}`;
    const fetcher = fetcherOf([{ host: name }], { lookup });
    assert.deepEqual(await fetchText(fetcher, { url: `http://${name}/` }), {
      text: name,
      url: `http://${name}/`,
    });
    assert.deepEqual(lookups, ["rebinding.example"]);
  },
);

checkedTest(
  "fetch() checks a name again at each request, so that rebinding is refused",
  async () => {
    let lookups = 0;
    const lookup = () => Promise.resolve(lookups++ === 0 ? [] : ["127.0.0.1"]);
    const fetcher = fetcherOf([], { lookup });
    const url = "http://rebinding.example/";
    const failure = await failureOf(fetchText(fetcher, { url }, { attempts: 3 }));
    assert.deepEqual(failure, refused("rebinding.example"));
    assert.equal(lookups, 2);
  },
);

checkedTest(
  "fetch() refuses a private address under a name that is not in `open_addresses`",
  async () => {
    await using host = startHost(() => new Response("inside"));
    const lookup = () => Promise.resolve(["127.0.0.1"]);
    const url = `http://stranger.example:8080/`;
    const open = { host: "127.0.0.1:8080" };
    assert.deepEqual(
      await failureOf(fetchText(fetcherOf([host, open], { lookup }), { url })),
      refused("stranger.example"),
    );
  },
);

checkedTest(
  "fetch() tries the next address of a name if the first one does not answer",
  async () => {
    await using host = startHost(() => new Response("well"));
    const name = `two.example:${host.host.split(":")[1]}`;
    const lookup = () => Promise.resolve(["127.0.0.3", "127.0.0.1"]);
    const outcome = await fetchText(fetcherOf([{ host: name }], { lookup }), {
      url: `http://${name}/`,
    });
    assert.deepEqual(outcome, { text: "well", url: `http://${name}/` });
  },
);

checkedTest("fetch() reports a name that does not resolve, and a closed port", async () => {
  const lookup = () => Promise.reject(new Error("no such name"));
  assert.deepEqual(
    await failureOf(fetchText(fetcherOf([], { lookup }), { url: "https://none.example/?q=1" })),
    { fault: "network", message: "none.example: the name does not resolve", temporary: true },
  );
  const closed = { host: "127.0.0.1:1" };
  assert.deepEqual(
    await failureOf(fetchText(fetcherOf([closed]), { url: "http://127.0.0.1:1/?q=1" })),
    {
      fault: "network",
      message: "127.0.0.1: the connection failed (ECONNREFUSED)",
      temporary: true,
    },
  );
});
