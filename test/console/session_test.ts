/** The session of the console without a browser: the service and the timer are replaced. */
import assert from "node:assert/strict";

Deno.test("a search in either mode is one operation, which is polled after a refused poll", async () => {
  Object.assign(globalThis, { document: { baseURI: "http://127.0.0.1/" } });
  const { session } = await import("../../src/console/session.js" as string);
  const { fetch, setTimeout } = globalThis;
  const [usage, error] = [{ id: 7 }, { code: "too_many_requests" }];
  const answers = [
    Response.json({ usage }, { status: 202, headers: { "retry-after": "2" } }),
    Response.json({ error }, { status: 429, headers: { "retry-after": "17" } }),
    Response.json({ usage }),
  ];
  const waits: unknown[] = [];
  globalThis.fetch = () => Promise.resolve(answers.shift() ?? Response.json({}));
  Object.assign(globalThis, {
    setTimeout: (resume: () => void, milliseconds: number) => {
      waits.push(milliseconds);
      queueMicrotask(resume);
    },
  });
  try {
    Object.assign(session, { key: "ce_key", kept: true });
    const call = { method: "POST", path: "api/companies/search", key: "k1" };
    const first = session.start({ ...call, body: { query: "halls", background: true } });
    assert.equal(session.start({ ...call, body: { query: "halls" }, key: "k2" }), first);
    // The allowance is read after the last poll.
    await new Promise<void>((resolve) => session.subscribe(() => session.allowance && resolve()));
    assert.deepEqual([first.state, first.polls, waits], ["done", 2, [2_000, 17_000]]);
    // The answer to the latest reading counts, also when an older reading is answered after it.
    const asked = [0, 1].map(() => Promise.withResolvers<Response>());
    const open = [...asked];
    globalThis.fetch = () => open.shift()!.promise;
    const readings = [session.refreshAllowance(), session.refreshAllowance()];
    for (const place of [1, 0]) {
      asked[place]!.resolve(Response.json({ place }));
      await readings[place];
    }
    assert.equal(session.allowance.place, 1);
    // After an answer that leaves the outcome open, a new click repeats the request with its key.
    for (const code of ["no_answer", "unavailable", "internal_error", "invalid_search"]) {
      globalThis.fetch = () =>
        code === "no_answer"
          ? Promise.reject(new Error(code))
          : Promise.resolve(Response.json({ error: { code } }, { status: 500 }));
      const failed = await session.send({ ...call, body: { query: code } });
      const again = await session.send({ ...call, body: { query: code }, key: "k3" });
      assert.equal(again.key, code === "invalid_search" ? "k3" : "k1", code);
      assert.equal(again === failed, code !== "invalid_search", code);
    }
    // A revoked key signs out, and the tab forgets the requests that it has stored.
    globalThis.fetch = () => Promise.resolve(Response.json({}, { status: 401 }));
    const stored = [sessionStorage.length, await session.refreshAllowance(), session.key];
    assert.deepEqual([...stored, sessionStorage.length], [1, undefined, undefined, 0]);
  } finally {
    Object.assign(globalThis, { fetch, setTimeout, document: undefined });
  }
});
