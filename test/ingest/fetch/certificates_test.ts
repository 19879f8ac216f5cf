/** Tests that fetch() checks certificates for the host name, although it connects to an address. */
import assert from "node:assert/strict";
import { AUTHORITY, CERTIFICATE, PRIVATE_KEY } from "../../support/certificates.ts";
import { checkedTest, failureOf, fetcherOf, fetchText, startHost } from "../../support/web.ts";

const SERVED = { cert: CERTIFICATE, key: PRIVATE_KEY };
const lookup = () => Promise.resolve(["127.0.0.1"]);

const refused = (host: string) => ({
  fault: "network",
  message: `${host}: the certificate is refused`,
  temporary: false,
});

checkedTest("fetch() accepts the certificate of the name at the resolved address", async () => {
  await using host = startHost(({ headers }) => new Response(headers.get("host")), SERVED);
  const name = `shop.example:${host.host.split(":")[1]}`;
  const fetcher = fetcherOf([{ host: name }], { lookup, authorities: AUTHORITY });
  assert.deepEqual(await fetchText(fetcher, { url: `https://${name}/` }), {
    text: name,
    url: `https://${name}/`,
  });
});

checkedTest("fetch() refuses certificates of other names and of unknown authorities", async () => {
  await using host = startHost(() => new Response("secret"), SERVED);
  const port = host.host.split(":")[1];
  const cases: [string, string | undefined][] = [
    ["other.example", AUTHORITY],
    ["127.0.0.1", AUTHORITY],
    ["shop.example", undefined],
  ];
  for (const [name, authorities] of cases) {
    const open = [{ host: `${name}:${port}` }];
    const fetcher = fetcherOf(open, { lookup, authorities });
    const fetching = fetchText(fetcher, { url: `https://${name}:${port}/` }, { attempts: 3 });
    assert.deepEqual(await failureOf(fetching), refused(name));
  }
  assert.equal(host.heard.length, 0);
});

checkedTest("fetch() refuses a redirect from https to http", async () => {
  await using plain = startHost(() => new Response("plain"));
  await using host = startHost(
    () => new Response(null, { status: 302, headers: { location: plain.url } }),
    SERVED,
  );
  const name = `shop.example:${host.host.split(":")[1]}`;
  const fetcher = fetcherOf([{ host: name }, plain], { lookup, authorities: AUTHORITY });
  assert.deepEqual(await failureOf(fetchText(fetcher, { url: `https://${name}/` })), {
    fault: "bad_redirect",
    message: "shop.example: redirects from https to http",
    temporary: false,
  });
  assert.equal(plain.heard.length, 0);
});
