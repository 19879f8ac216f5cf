/** Runs the documented commands of mappings, and keeps the documented mapping and schema true. */
import assert from "node:assert/strict";
import { z } from "zod";
import { ingest } from "../../src/commands/ingest.ts";
import { readSettings } from "../../src/config.ts";
import { Mapping, parseMapping } from "../../src/ingest/mapping/mapping.ts";
import { withDataDir } from "../support/data_dir.ts";
import { oneEngineTest } from "../support/database.ts";
import { blocksOf } from "../support/markdown.ts";
import { silent } from "../support/operations.ts";

const ROWS = "Numéro;Organisme;Titre;Type;Statut;Publication;Fermeture;Montant;Codes;" +
  "Personne-ressource\n" +
  "1;Ville;Toiture;Appel d'offres;Ouvert;04/11/2026;15/12/2026 14:00;125 000,50 $;72101500;\n" +
  "2;Ville;Pavage;Appel d'offres;Annulé;04/11/2026;15/12/2026 14:00;5;72101500;\n" +
  "3;Ville;Égouts;Appel d'offres;Ouvert;04/13/2026;15/12/2026 14:00;5;72101500;\n";

oneEngineTest("ingest reads a file by the documented mapping", async ({ db, sql }) => {
  const [documented] = blocksOf("docs/mapping.md", "json");
  await withDataDir(async (directory) => {
    const [mapping, file] = [`${directory}/tenders.json`, `${directory}/tenders.csv`];
    Deno.writeTextFileSync(mapping, documented!);
    Deno.writeFileSync(file, Uint8Array.from(ROWS, (character) => character.charCodeAt(0)));
    const run = async (...args: string[]) => {
      const printed: string[] = [];
      const exit_code = await ingest(args, {
        log: silent,
        settings: readSettings({ DATABASE_URL: "postgres://nowhere.example/x" }),
        database: () => Promise.resolve({ ...db, close: () => Promise.resolve() }),
        say: () => {},
      }, (line) => printed.push(line));
      return { exit_code, text: printed.join("\n") };
    };
    const proposed = await run("--mapping-for", file);
    assert.equal(JSON.parse(proposed.text).record["external_id"], "{Numéro}");

    const dry = await run("--mapping", mapping, "--dry-run", file);
    assert.equal(dry.exit_code, 1);
    assert.match(dry.text, /"company_name": "Ville"/);
    assert.match(
      dry.text,
      /rejected rows +4: occurred_at \(Publication\): is not a date: 04\/13\/2026/,
    );
    const [none] = await sql`select count(*)::integer as count from observations`;
    assert.equal(none!.count, 0);

    const { exit_code, text } = await run("--mapping", mapping, file);
    assert.equal(exit_code, 1);
    assert.deepEqual(JSON.parse(text), {
      doubtful: 0,
      read: 3,
      recorded: 1,
      revised: 0,
      unchanged: 0,
      rejected: 1,
      left_out: 1,
      excerpts_cut: 0,
    });
    Deno.writeTextFileSync(mapping, documented!.replace("region-tenders", "canadabuys"));
    await assert.rejects(run("--mapping", mapping, file), /the program has a source canadabuys/);
    await assert.rejects(
      run("--mapping", mapping, "--format", "gleif", file),
      /--mapping replaces/,
    );
    await assert.rejects(run("--mapping-for", file, "--json"), /--mapping-for: one file/);
  });
});

Deno.test("docs/mapping.schema.json is the schema of mappings", () => {
  const schema = JSON.parse(Deno.readTextFileSync("docs/mapping.schema.json"));
  assert.deepEqual(schema, JSON.parse(JSON.stringify(z.toJSONSchema(Mapping, { io: "input" }))));
  const [documented] = blocksOf("docs/mapping.md", "json");
  assert.equal(parseMapping(documented!).source, "region-tenders");
});
