import assert from "node:assert/strict";
import { RecordIndex } from "../../../src/search/index/record_index.ts";
import { NO_FILTERS } from "../../../src/contract/filters.ts";
import { match, RECORDS_MAX } from "../../../src/search/match/match.ts";
import { readQuestion } from "../../../src/search/question/read_question.ts";
import { runNow } from "../../../src/slices.ts";
import { observationDocument } from "../../support/documents.ts";

const NOW = "2026-07-01T00:00:00.000000Z";

Deno.test("match() cuts records of other kinds before those of the asked kind", () => {
  const index = new RecordIndex();
  for (let id = 1; id <= RECORDS_MAX; id++) {
    const company_id = Math.ceil(id / 4);
    index.put(observationDocument(id, { company_id, observed_fact: "Zircon, zircon." }));
  }
  // The only tender has a longer text, and so the lowest score.
  const tender = RECORDS_MAX + 1;
  index.put(observationDocument(tender, {
    kind: "procurement_request",
    texts: ["Zircon is wanted, beside much else that is needed for kilns and glazes."],
  }));
  const { records } = index;
  const question = readQuestion("tenders for zircon", new Date(NOW), records);
  const request = { records, question, filters: { ...NO_FILTERS, now: NOW } };
  const { candidates } = runNow(match(request));
  const ids = candidates.map(({ slot }) => records.numberAt(slot, "observation_id"));
  assert.deepEqual([ids.length, ids.includes(tender)], [RECORDS_MAX, true]);
  // Three of four records of each company, and the tender.
  const few = runNow(match({ ...request, per_company: 3 })).candidates;
  assert.equal(few.length, 3 / 4 * RECORDS_MAX + 1);
});

Deno.test("match() finds a quoted phrase in the fact, but not across its end and the reason", () => {
  const index = new RecordIndex();
  index.put(observationDocument(1, {
    observed_fact: "A crane is wanted.",
    why_it_may_matter: "Cranes need a harbour.",
  }));
  const { records } = index;
  const found = (query: string) => {
    const question = readQuestion(query, new Date(NOW), records);
    return runNow(match({ records, question, filters: { ...NO_FILTERS, now: NOW } })).candidates
      .length;
  };
  assert.deepEqual([found('"crane wanted"'), found('"wanted cranes"')], [1, 0]);
});

Deno.test("match() leaves out a record that is removed after it was admitted", () => {
  const found = (removeAt: number) => {
    const index = new RecordIndex();
    for (const id of [1, 2]) index.put(observationDocument(id, { texts: ["Zircon is wanted."] }));
    const { records } = index;
    const question = readQuestion("zircon", new Date(NOW), records);
    const steps = match({ records, question, filters: { ...NO_FILTERS, now: NOW } });
    for (let n = 1;; n++) {
      const { done, value } = steps.next();
      if (done) return { n, slots: value.candidates.map(({ slot }) => slot) };
      if (n === removeAt) index.remove(1);
    }
  };
  const { n, slots } = found(0);
  assert.deepEqual(slots, [0, 1]);
  assert.deepEqual(found(n - 1).slots, [1]);
});

Deno.test("match() finds the same after a search that ended in the middle", () => {
  const index = new RecordIndex();
  const texts = ["Zircon crane warehouse.", "A crane.", "A warehouse of zircon."];
  texts.forEach((text, n) => index.put(observationDocument(n + 1, { texts: [text] })));
  const request = (query: string) => {
    const question = readQuestion(query, new Date(NOW), index.records);
    return { records: index.records, question, filters: { ...NO_FILTERS, now: NOW } };
  };
  const fresh = runNow(match(request("zircon crane")));
  for (let steps = 1; steps < 8; steps++) {
    const ended = match(request("crane warehouse zircon"));
    for (let step = 0; step < steps; step++) ended.next();
    ended.return(undefined as never);
    assert.deepEqual(runNow(match(request("zircon crane"))), fresh, `${steps} steps`);
  }
  // Arrays of a short question have too few rows for a long one.
  const words = Array.from({ length: 20 }, (_, n) => `qz${n}kv`);
  const long = runNow(match(request(`${words.join(" ")} zircon`))).candidates;
  assert.deepEqual(long.map(({ similarities }) => similarities.at(-1)), [255, 255]);
});
