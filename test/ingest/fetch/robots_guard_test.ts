import assert from "node:assert/strict";
import {
  checkedTest,
  failureOf,
  fetcherOf,
  fetchText,
  type Host,
  startHost,
} from "../../support/web.ts";

const REFUSED = {
  fault: "robots_refused",
  message: "127.0.0.1: robots.txt does not allow it",
  temporary: false,
};
const UNREADABLE = {
  fault: "robots_refused",
  message: "127.0.0.1: robots.txt cannot be read",
  temporary: true,
};

/** Starts a host that answers with a robots.txt, and with "page" for all other paths. */
function startSite(robots: () => Response): Host {
  return startHost((request) =>
    new URL(request.url).pathname === "/robots.txt" ? robots() : new Response("page")
  );
}

const pathsOf = ({ heard }: Host) => heard.map(({ path }) => path);

checkedTest("fetch() reads robots.txt first, once per day, and obeys its rules", async () => {
  let time = Date.parse("2026-03-01T12:00:00Z");
  await using host = startSite(() => new Response("User-agent: Company-Evidence\nDisallow: /in"));
  const fetcher = fetcherOf([host], { now: () => new Date(time) });
  const ask = (path: string) => fetchText(fetcher, { url: host.url + path }, { robots: true });
  assert.deepEqual(await failureOf(ask("/inside?q=1")), REFUSED);
  assert.deepEqual(await ask("/about"), { text: "page", url: `${host.url}/about` });
  assert.deepEqual(pathsOf(host), ["/robots.txt", "/about"]);
  time += 86_399_000;
  await ask("/about");
  time += 1_000;
  await ask("/about");
  assert.deepEqual(pathsOf(host).slice(2), ["/about", "/robots.txt", "/about"]);
});

checkedTest("fetch() does not read robots.txt unless `robots` is set", async () => {
  await using host = startSite(() => new Response("User-agent: *\nDisallow: /"));
  await fetchText(fetcherOf([host]), { url: `${host.url}/a` });
  assert.deepEqual(pathsOf(host), ["/a"]);
});

checkedTest("fetch() requests robots.txt without keys and conditional headers", async () => {
  await using host = startSite(() => new Response(""));
  const request = { url: host.url, headers: { "x-key": "k" }, etag: '"v1"' };
  await fetchText(fetcherOf([host]), request, { robots: true });
  assert.deepEqual(host.heard[0]!.headers, {
    "accept-encoding": "gzip, br",
    "connection": "close",
    "host": host.host,
    "user-agent": "company-evidence/test",
  });
});

checkedTest(
  "fetch() is allowed if robots.txt does not exist, and refused if it is unavailable",
  async () => {
    const cases: [number, unknown][] = [
      [404, "allowed"],
      [401, "allowed"],
      [410, "allowed"],
      [429, UNREADABLE],
      [500, UNREADABLE],
      [503, UNREADABLE],
      [204, UNREADABLE],
    ];
    for (const [status, expected] of cases) {
      await using host = startSite(() => new Response(null, { status }));
      const fetching = fetchText(fetcherOf([host]), { url: host.url }, { robots: true });
      const outcome = expected === "allowed"
        ? await fetching.then(() => "allowed")
        : await failureOf(fetching);
      assert.deepEqual(outcome, expected, `${status}`);
    }
  },
);

checkedTest(
  "fetch() retries an unavailable robots.txt, and does not cache the failure",
  async () => {
    const busy = () => new Response(null, { status: 503, headers: { "retry-after": "60" } });
    const answers = [busy(), new Response(null, { status: 503 }), new Response("")];
    await using host = startSite(() => answers.shift()!);
    const now = () => new Date("2026-03-01T12:00:00Z");
    const failing = fetchText(fetcherOf([host], { now }), { url: host.url }, { robots: true });
    const retry_at = new Date("2026-03-01T12:01:00Z");
    assert.deepEqual(await failureOf(failing), { ...UNREADABLE, retry_at });
    await fetchText(fetcherOf([host]), { url: `${host.url}/a` }, { robots: true, attempts: 2 });
    assert.deepEqual(pathsOf(host).slice(1), ["/robots.txt", "/robots.txt", "/a"]);
  },
);

checkedTest("fetch() reads the robots.txt of each host to which it is redirected", async () => {
  await using second = startSite(() => new Response("User-agent: *\nDisallow: /closed"));
  await using first = startHost((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/robots.txt") return new Response(null, { status: 404 });
    return new Response(null, { status: 302, headers: { location: second.url + pathname } });
  });
  const fetcher = fetcherOf([first, second]);
  const ask = (path: string) => fetchText(fetcher, { url: first.url + path }, { robots: true });
  assert.deepEqual(await failureOf(ask("/closed")), REFUSED);
  assert.deepEqual(await ask("/open"), { text: "page", url: `${second.url}/open` });
  assert.deepEqual(pathsOf(second), ["/robots.txt", "/open"]);
});

checkedTest("fetch() follows redirects of robots.txt, but not to a private address", async () => {
  await using moved = startSite(() => new Response("User-agent: *\nDisallow: /a"));
  const locations: [string, unknown][] = [
    [`${moved.url}/robots.txt`, REFUSED],
    ["http://10.0.0.1/", {
      fault: "address_refused",
      message: "10.0.0.1: not a public address (FETCH_OPEN_ADDRESSES can permit it)",
      temporary: false,
    }],
  ];
  for (const [location, expected] of locations) {
    await using host = startSite(() => new Response(null, { status: 301, headers: { location } }));
    const fetcher = fetcherOf([host, moved]);
    const fetching = fetchText(fetcher, { url: `${host.url}/a` }, { robots: true });
    assert.deepEqual(await failureOf(fetching), expected);
  }
});

checkedTest("fetch() reads only the first half megabyte of robots.txt", async () => {
  const padding = "#".repeat(524_288 - 40);
  const rule = (path: string) => `\nUser-agent: *\nDisallow: ${path}\n`;
  await using host = startSite(() =>
    new Response(`${padding}${rule("/a")}${rule("/b").repeat(9)}`)
  );
  const fetcher = fetcherOf([host]);
  const ask = (path: string) => fetchText(fetcher, { url: host.url + path }, { robots: true });
  assert.deepEqual(await failureOf(ask("/a")), REFUSED);
  assert.deepEqual(await ask("/b"), { text: "page", url: `${host.url}/b` });
});

checkedTest("fetch() waits for the requested crawl delay, up to ten seconds", async () => {
  for (const [delay, expected] of [["2.5", 2_500], ["3600", 10_000], ["0.1", 1_000]] as const) {
    let time = 0;
    const waits: number[] = [];
    await using host = startSite(() => new Response(`User-agent: *\nCrawl-delay: ${delay}`));
    const fetcher = fetcherOf([host], {
      now: () => new Date(time),
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        time += milliseconds;
        return Promise.resolve();
      },
    });
    const bounds = { robots: true, pause_milliseconds: 1_000 };
    await fetchText(fetcher, { url: host.url }, bounds);
    await fetchText(fetcher, { url: host.url }, bounds);
    assert.deepEqual(waits, [expected, expected]);
  }
});
