import assert from "node:assert/strict";
import { oneEngineTest } from "../../support/database.ts";
import { companyOf, observation, raw, record } from "../../support/recording.ts";

oneEngineTest("record_observations() finds a company by its external id first", async ({ sql }) => {
  await record(
    sql,
    raw("1", { company: { name: "One", external_id: "c1", domains: ["one.example"] } }),
    raw("2", { company: { name: "Two", external_id: "c2", domains: ["two.example"] } }),
    raw("3", { company: { name: "One", external_id: "c2", domains: ["one.example"] } }),
  );
  assert.notEqual(await companyOf(sql, "1"), await companyOf(sql, "2"));
  assert.equal(await companyOf(sql, "3"), await companyOf(sql, "2"));
});

oneEngineTest(
  "record_observations() finds a company by hostname across sources",
  async ({ sql }) => {
    await record(sql, raw("1", { company: { name: "One", domains: ["one.example"] } }));
    await record(
      sql,
      raw("2", {
        source: "other",
        company: { name: "1 Inc", external_id: "x", domains: ["ONE.example."] },
      }),
      raw("3", { source: "other", company: { name: "1 Inc", external_id: "x" } }),
      raw("4", {
        source: "third",
        company: { name: "Un", domains: ["new.example", "one.example"] },
      }),
      raw("5", { source: "fourth", company: { name: "Uno", domains: ["new.example"] } }),
    );
    const one = await companyOf(sql, "1");
    for (const id of ["2", "3", "4", "5"]) assert.equal(await companyOf(sql, id), one);
    const [company] = await sql`select name from companies where id = ${one}`;
    assert.equal(company!.name, "One");
  },
);

oneEngineTest(
  "record_observations() does not join companies with two external ids of a source",
  async ({ sql }) => {
    await record(
      sql,
      raw("1", { company: { name: "Twin", external_id: "c1", domains: ["twin.example"] } }),
      raw("2", { company: { name: "Twin", external_id: "c2", domains: ["twin.example"] } }),
    );
    await record(sql, raw("3", { company: { name: "Twin", external_id: "c3" } }));
    const ids = await Promise.all(["1", "2", "3"].map((id) => companyOf(sql, id)));
    assert.equal(new Set(ids).size, 3);
    const holders = await sql`select company_id from deliverable_domains order by company_id`;
    assert.deepEqual(
      holders.map(({ company_id }) => company_id),
      ids.slice(0, 2).sort((a, b) => a - b),
    );
    // A record of another source without an external id gets the oldest company with the hostname.
    await record(
      sql,
      raw("4", { source: "other", company: { name: "T", domains: ["twin.example"] } }),
    );
    assert.equal(await companyOf(sql, "4"), Math.min(...ids));
  },
);

oneEngineTest(
  "record_observations() finds a company by source, name and country",
  async ({ sql }) => {
    await record(
      sql,
      raw("1", { company: { name: "ACME, Inc." } }),
      raw("2", { company: { name: "Acme Inc" } }),
      raw("3", { company: { name: "Acme Inc" }, country: "US" }),
      raw("4", { company: { name: "Acme Inc" }, source: "other" }),
      raw("5", { company: { name: "Acme Inc", external_id: "c5" } }),
    );
    const ids = await Promise.all(["1", "2", "3", "4", "5"].map((id) => companyOf(sql, id)));
    assert.equal(ids[1], ids[0]);
    // A company without an external id gets the first external id that a record gives.
    assert.equal(ids[4], ids[0]);
    assert.equal(new Set(ids).size, 3);
  },
);

oneEngineTest(
  "record_observations() separates legal forms of one name, but joins a name without a form",
  async ({ sql }) => {
    const of = (id: string, name: string) => raw(id, { company: { name } });
    // A name without a legal form is joined with the first form that is recorded after it.
    await record(sql, of("1", "Acme"), of("2", "Acme Inc."), of("3", "Acme Ltd."));
    await record(sql, of("4", "ACME LIMITED"), of("5", "Acme Incorporated"), of("6", "Acme Co."));
    await record(sql, of("7", "Acme Ltée"), of("8", "Acme GmbH"), of("9", "The Acme Company"));
    // If names with forms were recorded before, the name without a form gets the oldest of their
    // companies.
    await record(
      sql,
      of("a", "Zeta LLC"),
      of("b", "Zeta Corp."),
      of("c", "Zeta"),
      of("d", "Zeta Inc"),
    );
    const companies: Record<string, string[]> = {};
    for (const id of "123456789abcd") (companies[await companyOf(sql, id)] ??= []).push(id);
    assert.deepEqual(Object.values(companies).map((ids) => ids.join("")), [
      "12569",
      "347",
      "8",
      "ac",
      "b",
      "d",
    ]);
    const forms = await sql`
      select normalized_name, company_id, array_agg(legal_form order by legal_form) as forms
      from company_names group by 1, 2 order by 2
    `;
    assert.deepEqual(forms.map(({ normalized_name, forms }) => [normalized_name, forms]), [
      ["acme", ["", "inc"]],
      ["acme", ["ltd"]],
      ["acme", ["gmbh"]],
      ["zeta", ["", "llc"]],
      ["zeta", ["corp"]],
      ["zeta", ["inc"]],
    ]);
    // Exactly the form of the record is preferred to an older company without a form.
    const owned = (id: string, name: string) => raw(id, { company: { name, external_id: id } });
    await record(sql, owned("x", "Nova"), owned("y", "Nova Inc."), of("z", "Nova Inc"));
    assert.equal(await companyOf(sql, "z"), await companyOf(sql, "y"));
  },
);

oneEngineTest(
  "record_observations() renames a company that it finds by external id",
  async ({ sql }) => {
    await record(
      sql,
      raw("1", { company: { name: "Old", external_id: "c" } }),
      raw("2", { company: { name: "Old", external_id: "c" } }),
      raw("3", { company: { name: "Other" } }),
    );
    const before = await observation(sql, "2");
    await record(sql, raw("1", { company: { name: "New", external_id: "c" } }));
    const rows = await sql`
    select o.external_id, c.name, o.change_seq = (select change_seq from dataset_clock) as followed
    from observations o join companies c on c.id = o.company_id order by 1
  `;
    assert.deepEqual([...rows], [
      { external_id: "1", name: "New", followed: true },
      { external_id: "2", name: "New", followed: true },
      { external_id: "3", name: "Other", followed: false },
    ]);
    assert.deepEqual((await observation(sql, "2")).recorded_at, before.recorded_at);
  },
);

oneEngineTest(
  "record_observations() stores the last of two names in one batch",
  async ({ sql }) => {
    const named = (id: string, name: string) => raw(id, { company: { name, external_id: "c" } });
    await record(sql, named("1", "Old"));
    await record(sql, named("2", "New"), named("3", "Old"));
    const names = await sql`select name from companies`;
    assert.deepEqual([...names], [{ name: "Old" }]);
    await record(sql, named("4", "Old"), named("5", "New"));
    assert.deepEqual([...await sql`select name from companies`], [{ name: "New" }]);
  },
);

oneEngineTest(
  "record_observations() stores the last name of a batch, even if the first one is equal",
  async ({ sql }) => {
    const named = (name: string) => ({ company: { name, external_id: "c1" } });
    await record(sql, raw("1", named("One")), raw("2", named("Two")), raw("3", named("One")));
    const id = await companyOf(sql, "1");
    assert.equal(await companyOf(sql, "2"), id);
    const [company] = await sql`select name from companies where id = ${id}`;
    assert.equal(company!.name, "One");
  },
);

oneEngineTest(
  "record_observations() keeps a name that another source spells differently",
  async ({ sql }) => {
    const spelled = (source: string, id: string, name: string) =>
      raw(id, { source, company: { name, external_id: "c", domains: ["c.example"] } });
    await record(sql, spelled("one", "1", "Northwind"));
    await record(sql, spelled("two", "2", "NORTHWIND INC"), spelled("two", "3", "NORTHWIND INC"));
    await record(sql, spelled("one", "4", "Northwind"));
    assert.deepEqual([...await sql`select name from companies`], [{ name: "Northwind" }]);
  },
);

const named = (name: string, ...domains: string[]) => ({ company: { name, domains } });

oneEngineTest(
  "record_observations() releases a hostname that its source has corrected",
  async ({ sql }) => {
    await record(sql, raw("r1", { source: "s1", ...named("Alpha Corp", "beta.example") }));
    await record(sql, raw("r1", { source: "s1", ...named("Alpha Corp", "alpha.example") }));
    await record(sql, raw("q1", { source: "s2", ...named("Beta Corp", "beta.example") }));
    const rows = await sql`
      select o.external_id, c.name, array(
        select d.hostname from deliverable_domains d where d.company_id = c.id
      ) as hostnames
      from observations o join companies c on c.id = o.company_id order by 1
    `;
    assert.deepEqual([...rows], [
      { external_id: "q1", name: "Beta Corp", hostnames: ["beta.example"] },
      { external_id: "r1", name: "Alpha Corp", hostnames: ["alpha.example"] },
    ]);
  },
);

oneEngineTest(
  "record_observations() releases a corrected hostname for later records of the batch",
  async ({ sql }) => {
    const wrong = raw("r1", { source: "s1", ...named("Alpha Corp", "beta.example") });
    const right = raw("r1", { source: "s1", ...named("Alpha Corp", "alpha.example") });
    const beta = (id: string) => raw(id, { source: "s2", ...named("Beta Corp", "beta.example") });
    await record(sql, wrong, beta("q0"));
    assert.equal(await companyOf(sql, "q0"), await companyOf(sql, "r1"));
    // The corrections of "r1" and "q0" release the hostname, so "q1" gets a new company.
    await record(
      sql,
      right,
      raw("q0", { source: "s2", ...named("Beta Corp", "gamma.example") }),
      raw("q1", { source: "s3", ...named("Beta Corp", "beta.example") }),
      raw("q2", { source: "s4", ...named("Beta", "beta.example") }),
    );
    assert.notEqual(await companyOf(sql, "q1"), await companyOf(sql, "r1"));
    assert.equal(await companyOf(sql, "q2"), await companyOf(sql, "q1"));
  },
);

oneEngineTest(
  "record_observations() finds a company by the hostname of an expired observation",
  async ({ sql }) => {
    const of = (id: string, part: object = {}) =>
      raw(id, { source: id, ...named(id, "alpha.example"), ...part });
    await record(sql, of("a", { expires_at: "2026-03-03T00:00:00Z" }));
    await record(sql, of("b"));
    assert.equal(await companyOf(sql, "b"), await companyOf(sql, "a"));
    // A renamed company without an external id is found by its hostname.
    await record(sql, of("a", named("Another", "alpha.example")));
    assert.equal(await companyOf(sql, "a"), await companyOf(sql, "b"));
    assert.equal((await sql`select from companies`).length, 1);
  },
);
