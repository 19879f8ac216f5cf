/** Tests that oversized elements of sources are rejected, and that rejections show no contacts. */
import assert from "node:assert/strict";
import {
  ELEMENT_BYTES,
  FIELD_CHARACTERS,
  LIST_ELEMENTS,
} from "../../../src/ingest/record/field_bounds.ts";
import { gleif } from "../../../src/ingest/sources/gleif/gleif.ts";
import { greenhouse } from "../../../src/ingest/sources/greenhouse/greenhouse.ts";
import { lever } from "../../../src/ingest/sources/lever/lever.ts";
import { PAGE_BYTES, remoteJobs } from "../../../src/ingest/sources/remote_jobs/remote_jobs.ts";
import { sam } from "../../../src/ingest/sources/sam/sam.ts";

async function* oneChunk(text: string) {
  yield await Promise.resolve(new TextEncoder().encode(text));
}

/**
 * Sources with a valid element and a function that makes a file of one element. `text` names a
 * field with a text. `list` replaces a field by a list of a number of elements. `reasons` are the
 * names of these two fields in rejections. `bytes` is the max size of an element.
 */
const ELEMENT_SOURCES = [
  {
    source: sam,
    fileOf: (element: object) => JSON.stringify({ opportunitiesData: [element] }),
    element: {
      noticeId: "n1",
      title: "Roof repair",
      fullParentPathName: "DEFENSE.ARMY.OFFICE",
      fullParentPathCode: "1.2.3",
      postedDate: "2026-10-01",
      type: "Solicitation",
      responseDeadLine: null,
      naicsCodes: ["541511"],
      placeOfPerformance: { country: { code: "USA" } },
      pointOfContact: [{ fullName: "Joanna Smith", email: "joanna.smith@agency.example" }],
    },
    text: "title",
    list: (count: number) => ({ naicsCodes: Array(count).fill("541511") }),
    reasons: ["title", "naics"],
    bytes: ELEMENT_BYTES,
  },
  {
    source: greenhouse,
    fileOf: (element: object) => JSON.stringify({ jobs: [element] }),
    element: {
      id: 1,
      title: "Engineer",
      absolute_url: "https://boards.greenhouse.io/acme/jobs/1",
      updated_at: "2026-10-01T00:00:00Z",
      location: { name: "Toronto, Canada" },
    },
    text: "title",
    list: (count: number) => ({ departments: Array(count).fill({ name: "Sales" }) }),
    reasons: ["title", "departments.*.name"],
    bytes: ELEMENT_BYTES,
  },
  {
    source: lever,
    fileOf: (element: object) => JSON.stringify([element]),
    element: {
      id: "1",
      text: "Engineer",
      hostedUrl: "https://jobs.lever.co/acme/1",
      createdAt: 1_790_000_000_000,
      categories: { location: "Toronto, Canada" },
    },
    text: "text",
    list: (count: number) => ({
      categories: { allLocations: Array(count).fill("Toronto, Canada") },
      lists: [{ text: "You", content: "Weld. ".repeat(FIELD_CHARACTERS) }],
    }),
    reasons: ["text", "categories.allLocations.*"],
    bytes: ELEMENT_BYTES,
  },
  {
    source: remoteJobs,
    fileOf: (element: object) => `${JSON.stringify(element)}\n`,
    element: {
      title: "Acme",
      slug: "acme",
      website: "https://acme.example",
      updatedAt: "2026-10-01",
      body_markdown: "## Region\n\nCanada\n",
    },
    text: "title",
    list: (count: number) => ({ technologies: Array(count).fill("js") }),
    reasons: ["title", "technologies"],
    bytes: PAGE_BYTES,
  },
];

Deno.test("sources reject elements beyond the bounds, and show no contact of them", async () => {
  const context = { retrieved_at: new Date("2026-10-02T00:00:00Z") };
  for (const { source, fileOf, element, text, list, reasons, bytes } of ELEMENT_SOURCES) {
    const read = async (changes: object) => {
      for await (
        const entry of source.read(oneChunk(fileOf({ ...element, ...changes })), context)
      ) {
        return entry;
      }
      throw new Error(`${source.name} yielded no entry`);
    };
    assert.ok("record" in (await read({})).judged, source.name);
    const { judged } = await read(list(LIST_ELEMENTS));
    assert.doesNotMatch(JSON.stringify(judged), /has more than/, source.name);
    const contact = "Contact: Joanna Smith, joanna.smith@agency.example. ";
    const long = await read({ [text]: contact.repeat(FIELD_CHARACTERS / 40) });
    assert.deepEqual(long.judged, {
      reason: `${reasons[0]}: has more than ${FIELD_CHARACTERS} characters`,
    });
    assert.ok(!/Smith|@/.test(JSON.stringify(long.raw)), source.name);
    assert.deepEqual((await read(list(LIST_ELEMENTS + 1))).judged, {
      reason: `${reasons[1]}: has more than ${LIST_ELEMENTS} elements`,
    });
    const huge = await read({ [text]: contact.repeat(bytes / 40) });
    assert.match(JSON.stringify(huge.judged), new RegExp(`is longer than ${bytes} bytes`));
    assert.ok(!/Smith|@/.test(JSON.stringify(huge.raw)), source.name);
  }
});

Deno.test("gleif rejects a record with a field beyond the bounds, and names the field", async () => {
  const record = {
    LEI: { $: "5493001KJTIIGC8Y1R12" },
    Entity: { LegalName: { $: "A ".repeat(600) } },
  };
  const context = { retrieved_at: new Date("2026-10-02T00:00:00Z") };
  const judged: unknown[] = [];
  for await (const entry of gleif.read(oneChunk(`${JSON.stringify(record)}\n`), context)) {
    judged.push(entry.judged);
  }
  const reason = `Entity.LegalName.$: has more than ${FIELD_CHARACTERS} characters`;
  assert.deepEqual(judged, [{ reason }]);
});
