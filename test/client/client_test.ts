/** The typed client against a real service. Some requests fail on the way. */
import assert from "node:assert/strict";
import {
  ConnectionError,
  EvidenceClient,
  IdempotencyConflictError,
  InternalError,
  InvalidApiKeyError,
  InvalidLookupError,
  InvalidSearchError,
  RequestLimitReachedError,
  ServiceError,
  UnavailableError,
} from "../../client/client.ts";
import { createRequestKey } from "../../client/client.ts";
import { ERRORS } from "../../client/errors.ts";
import { FAILURE_CODES } from "../../src/failures.ts";
import { type ClientCase, clientTest, cut, refusal } from "../support/client_service.ts";

const SEARCH = { query: "freezer warehouse", limit: 2 };

Deno.test("EvidenceClient says that its key is missing", () => {
  for (const key of [undefined, "", " "]) {
    assert.throws(() => new EvidenceClient({ url: "http://127.0.0.1", key: key as string }), {
      name: "TypeError",
      message: "An API key is required: pass it as `key`, for example from CE_API_KEY.",
    });
  }
});

clientTest("EvidenceClient calls every path and shows the allowance", async ({ client, world }) => {
  assert.equal(client.allowance, undefined);
  const result = await client.searchCompanies({ ...SEARCH, filters: { countries: ["CA"] } });
  assert.deepEqual(result.companies.map(({ name }) => name).sort(), ["North", "South"]);
  assert.deepEqual([result.usage.request_units, result.usage.delivered_units], [1, 2]);
  const { window, week } = client.allowance!;
  assert.deepEqual([window.limit, window.remaining], [100_000, 99_999]);
  assert.deepEqual([week.limit, week.remaining], [100_000, 99_999]);
  assert.ok(window.resets_in_seconds > 0 && week.resets_in_seconds > 0);
  const { north } = world;
  const looked = await client.getCompanies({ ids: [north.company_id] });
  assert.deepEqual(looked.lookups, [
    { id: north.company_id, status: "found", company_id: north.company_id },
  ]);
  const byDomain = await client.getCompanies({ domains: ["North.example.", "nobody.example"] });
  assert.deepEqual(byDomain.lookups, [
    { hostname: "nobody.example", status: "not_found" },
    { hostname: "north.example", status: "found", company_id: north.company_id },
  ]);
  const listing = { domains: ["north.example"], since: "2020-01-01T00:00:00Z" };
  const listed = await client.listObservations({ ...listing, kinds: ["procurement_request"] });
  assert.deepEqual(listed.observations.map(({ kind }) => kind), ["procurement_request"]);
  assert.equal((await client.getCompany(north.company_id)).name, "North");
  const observation = await client.getObservation(north.observation_id);
  assert.equal(observation.observed_fact, "A freezer warehouse.");
  // Unmetered reads state no allowance, so the last one that was stated is kept.
  const { window: kept } = client.allowance!;
  assert.equal(kept.remaining, 99_996);
  assert.deepEqual((await client.getOperation(result.usage.id)).usage, result.usage);
  assert.equal((await client.getUsage()).usage.weekly_request_units, 4);
});

clientTest(
  "EvidenceClient repeats a request with a lost answer by the same key, charged once",
  async ({ client, requests, next, serve, pauses }) => {
    next.push((request) => cut(serve(request)));
    next.push(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
    const { usage } = await client.searchCompanies(SEARCH);
    assert.deepEqual(requests, Array(3).fill(`POST /api/companies/search ${usage.request_key}`));
    assert.match(usage.request_key, /^[0-9a-f-]{36}$/);
    // The random number of this client is always one half, so a pause is half of the back-off.
    assert.deepEqual(pauses, [0.125, 0.25]);
    assert.equal((await client.getUsage()).usage.weekly_request_units, 1);
  },
);

clientTest(
  "EvidenceClient waits for Retry-After and an additional random time",
  async ({ client, next, pauses }) => {
    next.push(() => refusal({ status: 503, code: "unavailable", retry_after: 7 }));
    next.push(() => refusal({ status: 500, code: "internal_error" }));
    next.push(() => refusal({ status: 429, code: "request_limit_reached", retry_after: 60 }));
    await client.searchCompanies(SEARCH);
    assert.deepEqual(pauses, [7.125, 0.25, 60.5]);
  },
);

clientTest(
  "EvidenceClient gives up after its attempts, with the key in the error",
  async ({ client, next, requests, world }) => {
    const options = { request_key: "k-1" };
    for (let n = 0; n < 5; n++) next.push(() => refusal({ status: 503, code: "unavailable" }));
    await assert.rejects(client.searchCompanies(SEARCH, options), (error) => {
      assert.ok(error instanceof UnavailableError);
      const { code, status, request_key, request_id, message } = error;
      assert.deepEqual([code, status, request_key, request_id, message], [
        "unavailable",
        503,
        "k-1",
        "r-1",
        "The request failed with unavailable.",
      ]);
      return true;
    });
    assert.equal(requests.length, 5);
    const closed = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = closed.addr as Deno.NetAddr;
    closed.close();
    const nowhere = `http://127.0.0.1:${port}`;
    const lost = new EvidenceClient({ url: nowhere, key: world.keys.entitled, attempts: 2 });
    await assert.rejects(lost.searchCompanies(SEARCH, options), (error) => {
      assert.ok(error instanceof ConnectionError);
      assert.equal(error.request_key, "k-1");
      return true;
    });
    next.push(() => new Response("{}", { status: 418 }));
    await assert.rejects(client.getUsage(), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual([error.constructor, error.code], [ServiceError, "unexpected_answer"]);
      return true;
    });
    assert.equal(requests.length, 6);
  },
);

clientTest(
  "EvidenceClient does not repeat a request that cannot succeed",
  async ({ client, next, requests, pauses, url, world }) => {
    const later = () => refusal({ status: 429, code: "request_limit_reached", retry_after: 61 });
    next.push(later);
    await assert.rejects(client.searchCompanies(SEARCH), RequestLimitReachedError);
    next.push(() => refusal({ status: 503, code: "planning_unavailable" }));
    await assert.rejects(client.searchCompanies(SEARCH), { code: "planning_unavailable" });
    next.push(() => refusal({ status: 422, code: "of_a_later_version" }));
    await assert.rejects(client.searchCompanies(SEARCH), { code: "of_a_later_version" });
    await assert.rejects(client.searchCompanies({ query: "" }), InvalidSearchError);
    await assert.rejects(client.getCompanies({}), InvalidLookupError);
    await client.searchCompanies(SEARCH, { request_key: "k" });
    const conflict = client.searchCompanies({ query: "fish" }, { request_key: "k" });
    await assert.rejects(conflict, IdempotencyConflictError);
    const stranger = new EvidenceClient({ url, key: world.keys.revoked });
    await assert.rejects(stranger.getUsage(), InvalidApiKeyError);
    assert.throws(() => new EvidenceClient({ url: "nowhere", key: "k" }), TypeError);
    await new EvidenceClient({ url, key: `${world.keys.entitled}\n` }).getUsage();
    assert.throws(() => new EvidenceClient({ url, key: "ce_…" }), {
      name: "TypeError",
      message: "`key` is no API key: it has characters outside visible ASCII.",
    });
    const spoiled = client.searchCompanies(SEARCH, { request_key: "…" });
    await assert.rejects(spoiled, TypeError);
    const unwritable = client.searchCompanies({ ...SEARCH, limit: 1n as never });
    await assert.rejects(unwritable, TypeError);
    assert.deepEqual([requests.length, pauses], [9, []]);
  },
);

clientTest(
  "EvidenceClient polls background work",
  async ({ client, requests, next, pauses }) => {
    const result = await client.searchCompanies({ ...SEARCH, background: true });
    assert.deepEqual([result.usage.status, result.companies.length], ["delivered", 2]);
    assert.ok(requests.length >= 2);
    assert.deepEqual(new Set(pauses), new Set([1]));
    for (const poll of requests.slice(1)) assert.equal(poll, `GET /api/usages/${result.usage.id}`);
    const { id, status } = await client.startSearch(SEARCH);
    assert.ok(["pending", "processing"].includes(status), status);
    // A poll is repeated as well if it fails.
    next.push(() => refusal({ status: 500, code: "internal_error" }));
    const { usage } = await client.waitForOperation(id);
    assert.deepEqual([usage.id, usage.status], [id, "delivered"]);
  },
);

clientTest(
  "EvidenceClient requests page after page, each with a different key",
  async ({ client, requests }) => {
    const names = async (request_key?: string) => {
      const pages = [];
      for await (const page of client.searchPages({ ...SEARCH, limit: 1 }, { request_key })) {
        pages.push(page.companies.map(({ name }) => name).join());
      }
      return pages;
    };
    const all = await names();
    assert.deepEqual([...all].sort(), ["East", "North", "South"]);
    assert.equal(new Set(requests).size, 3);
    requests.length = 0;
    const path = "POST /api/companies/search";
    assert.deepEqual(await names("nightly"), all);
    assert.deepEqual(requests, [`${path} nightly`, `${path} nightly/2`, `${path} nightly/3`]);
    const before = (await client.getUsage()).usage.weekly_request_units;
    assert.deepEqual(await names("nightly"), all);
    assert.equal((await client.getUsage()).usage.weekly_request_units, before);
    const domains = ["north.example", "east.example"];
    const request = { domains, since: "2020-01-01T00:00:00Z", limit: 1, cursor: null as never };
    const listed = [];
    for await (const page of client.observationPages(request)) listed.push(...page.observations);
    assert.equal(listed.map(({ company }) => company.name).join(), "North,North,East,North");
  },
);

clientTest("EvidenceClient ends a call when its signal is aborted", async (t: ClientCase) => {
  const { client, next, url, world, requests, serve } = t;
  const reason = new Error("enough");
  const isReason = (error: unknown) => error === reason;
  await assert.rejects(client.getUsage({ signal: AbortSignal.abort(reason) }), isReason);
  assert.equal(requests.length, 0);
  // This signal is aborted during a request.
  const during = new AbortController();
  next.push(async (request) => {
    during.abort(reason);
    return await serve(request);
  });
  await assert.rejects(client.getUsage({ signal: during.signal }), isReason);
  // This signal is aborted during a back-off. The second client uses real timers.
  const waiting = new AbortController();
  const patient = new EvidenceClient({ url, key: world.keys.entitled });
  next.push(() => {
    setTimeout(() => waiting.abort(reason), 50);
    return refusal({ status: 503, code: "unavailable", retry_after: 50 });
  });
  await assert.rejects(patient.getUsage({ signal: waiting.signal }), isReason);
  assert.equal(requests.length, 2);
  // This signal is aborted while the client polls.
  const polling = new AbortController();
  next.push(serve, async (request) => {
    polling.abort(reason);
    return await serve(request);
  });
  const { signal } = polling;
  const polled = client.searchCompanies({ ...SEARCH, background: true }, { signal });
  await assert.rejects(polled, isReason);
  // This signal is aborted between two polls.
  const between = new AbortController();
  next.push(() => {
    setTimeout(() => between.abort(reason), 50);
    return Response.json({}, { status: 202, headers: { "retry-after": "20" } });
  });
  const started = performance.now();
  await assert.rejects(patient.waitForOperation(1, { signal: between.signal }), isReason);
  assert.ok(performance.now() - started < 10_000);
});

clientTest(
  "EvidenceClient gives up an attempt that takes too long",
  async ({ client, next, requests }) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    next.push(() => promise);
    assert.equal((await client.getUsage()).subscription.status, "active");
    assert.equal(requests.length, 2);
    resolve(new Response());
  },
  { timeout_seconds: 0.5 },
);

Deno.test("ERRORS has a separate class for every error code of the service", () => {
  assert.deepEqual(Object.keys(ERRORS), FAILURE_CODES);
  const types = Object.values(ERRORS).map(({ type }) => type);
  assert.equal(new Set(types).size, types.length);
  assert.equal(ERRORS.internal_error.type, InternalError);
});

Deno.test("createRequestKey() makes distinct keys even if the platform has no crypto", () => {
  const platform = Object.getOwnPropertyDescriptor(globalThis, "crypto")!;
  Object.defineProperty(globalThis, "crypto", { value: undefined, configurable: true });
  try {
    const keys = Array.from({ length: 1_000 }, createRequestKey);
    assert.equal(new Set(keys).size, 1_000);
    for (const key of keys) assert.match(key, /^[0-9a-z]{8,}(-[0-9a-z]{10}){3}$/);
  } finally {
    Object.defineProperty(globalThis, "crypto", platform);
  }
});
