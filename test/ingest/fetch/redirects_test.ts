import assert from "node:assert/strict";
import { checkedTest, failureOf, fetcherOf, fetchText, startHost } from "../../support/web.ts";

const to = (location: string, status = 302) =>
  new Response("moved", { status, headers: { location } });

checkedTest("fetch() follows five redirects, and refuses a sixth", async () => {
  await using host = startHost((request) => {
    const left = Number(new URL(request.url).pathname.slice(1));
    const statuses = [301, 302, 303, 307, 308];
    return left === 0 ? new Response("there") : to(`/${left - 1}`, statuses[left % 5]);
  });
  const fetcher = fetcherOf([host]);
  assert.deepEqual(await fetchText(fetcher, { url: `${host.url}/5` }), {
    text: "there",
    url: `${host.url}/0`,
  });
  assert.equal(host.heard.length, 6);
  assert.deepEqual(await failureOf(fetchText(fetcher, { url: `${host.url}/6` })), {
    fault: "bad_redirect",
    message: "127.0.0.1: more than 5 redirects",
    temporary: false,
  });
});

checkedTest("fetch() does not retry a host that redirects to itself", async () => {
  await using host = startHost(() => to("/again"));
  const failure = failureOf(fetchText(fetcherOf([host]), { url: host.url }, { attempts: 5 }));
  assert.equal((await failure).fault, "bad_redirect");
  assert.equal(host.heard.length, 6);
});

checkedTest("fetch() checks every redirect before it connects", async () => {
  await using inside = startHost(() => new Response("inside"));
  const permit = "(FETCH_OPEN_ADDRESSES can permit it)";
  const port = inside.host.slice(10);
  const targets: [string, string, string][] = [
    [inside.url, "address_refused", `127.0.0.1: port ${port} is not allowed ${permit}`],
    [
      "http://169.254.169.254/",
      "address_refused",
      `169.254.169.254: not a public address ${permit}`,
    ],
    ["http://[::1]/", "address_refused", `[::1]: not a public address ${permit}`],
    ["http://name.example/", "address_refused", `name.example: not a public address ${permit}`],
    ["file:///etc/passwd", "bad_address", "not an address of http or https"],
    [
      "http://a:b@acme.example/",
      "bad_address",
      "acme.example: an address with a user name or a password",
    ],
    ["http://[", "bad_address", "not an address"],
  ];
  for (const [location, fault, message] of targets) {
    await using host = startHost(() => to(location));
    const fetcher = fetcherOf([host], { lookup: () => Promise.resolve(["192.168.0.1"]) });
    const failure = await failureOf(fetchText(fetcher, { url: host.url }, { attempts: 3 }));
    assert.deepEqual(failure, { fault, message, temporary: false });
    assert.equal(host.heard.length, 1);
  }
  assert.equal(inside.heard.length, 0);
});

checkedTest("fetch() reports a redirect without a Location", async () => {
  await using host = startHost(() => new Response(null, { status: 301 }));
  assert.deepEqual(await failureOf(fetchText(fetcherOf([host]), { url: host.url })), {
    fault: "bad_redirect",
    message: "127.0.0.1: redirects without a location",
    temporary: false,
  });
});

checkedTest(
  "fetch() sends secrets only to the first origin, and not after a redirect back to it",
  async () => {
    const seen: [string, string | null, string | null][] = [];
    const note = (name: string, request: Request) =>
      seen.push([name, request.headers.get("x-key"), request.headers.get("if-none-match")]);
    await using second = startHost((request) => {
      note("second", request);
      return to(request.url.endsWith("/next") ? `${first.url}/end` : "/next");
    });
    await using first: ReturnType<typeof startHost> = startHost((request) => {
      note("first", request);
      const { pathname } = new URL(request.url);
      if (pathname === "/end") return new Response("end");
      return to(pathname === "/" ? "/same" : second.url);
    });
    await fetchText(fetcherOf([first, second]), {
      url: first.url,
      headers: { "X-Key": "secret" },
      etag: '"v1"',
    });
    assert.deepEqual(seen, [
      ["first", "secret", '"v1"'],
      ["first", "secret", '"v1"'],
      ["second", null, '"v1"'],
      ["second", null, '"v1"'],
      ["first", null, '"v1"'],
    ]);
  },
);
