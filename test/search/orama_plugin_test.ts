import assert from "node:assert/strict";
import { type AnyOrama, create, insert, load, remove, save, search } from "@orama/orama";
import { RECORD_SCHEMA, recordPlugin } from "../../src/search/orama_plugin.ts";
import { observationDocument } from "../support/documents.ts";

const opened = (): AnyOrama => create({ schema: RECORD_SCHEMA, plugins: [recordPlugin()] });

const idsOf = async (orama: AnyOrama, term: string) =>
  (await search(orama, { term })).hits.map(({ id }) => id);

Deno.test("Orama's own functions fill, search, save and load an index of records", async () => {
  const orama = opened();
  for (const [id, observed_fact] of [[7, "Cranes, cranes."], [9, "A crane and a hall."]] as const) {
    const document = observationDocument(id, { observed_fact });
    await insert(orama, { ...document, id: String(id) });
  }
  assert.deepEqual(await idsOf(orama, "crane"), ["7", "9"]);
  const copy = opened();
  load(copy, save(orama));
  await remove(orama, "7");
  assert.deepEqual(await idsOf(orama, "crane"), ["9"]);
  assert.deepEqual(await idsOf(copy, "hall"), ["9"]);
  for (const option of [{ exact: true }, { tolerance: 1 }, { where: { observation_id: 7 } }]) {
    const refused = async () => await search(copy, { term: "crane", ...option } as never);
    await assert.rejects(refused, /this index does not support/);
  }
});
