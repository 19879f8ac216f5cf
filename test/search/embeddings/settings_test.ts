import assert from "node:assert/strict";
import { readSettings, SettingError } from "../../../src/config.ts";
import { createLog } from "../../../src/log.ts";
import { embeddingEndpointOf } from "../../../src/search/embeddings/embeddings.ts";
import { withApp } from "../../support/app.ts";
import { oneEngineTest } from "../../support/database.ts";
import { startEmbeddingHost } from "../../support/embedding_host.ts";
import { createCaller } from "../../support/factories.ts";
import { recordFacts, UNRELATED_WORDS } from "../../support/hybrid.ts";

Deno.test("embeddingEndpointOf() returns the endpoint of the settings", () => {
  const endpointOf = (env: Record<string, string>) => embeddingEndpointOf(readSettings(env));
  assert.equal(endpointOf({}), undefined);
  const env = { EMBEDDINGS_URL: "http://10.0.0.5:11434/v1", EMBEDDINGS_MODEL: "m-1" };
  assert.deepEqual(endpointOf(env), {
    url: new URL("http://10.0.0.5:11434/v1/embeddings"),
    model: "m-1",
    key: undefined,
    query_prefix: "",
    passage_prefix: "",
    characters: 2_000,
  });
  assert.deepEqual(
    endpointOf({
      EMBEDDINGS_URL: "https://m.example/v1/embeddings",
      EMBEDDINGS_MODEL: "m-2",
      EMBEDDINGS_API_KEY: "key",
      EMBEDDINGS_QUERY_PREFIX: "query: ",
      EMBEDDINGS_PASSAGE_PREFIX: "passage: ",
      EMBEDDINGS_CHARACTERS: "120",
    }),
    {
      url: new URL("https://m.example/v1/embeddings"),
      model: "m-2",
      key: "key",
      query_prefix: "query: ",
      passage_prefix: "passage: ",
      characters: 120,
    },
  );
});

Deno.test("readSettings() names the missing or invalid settings of an embeddings endpoint", () => {
  const refused = (env: Record<string, string>) => {
    try {
      readSettings(env);
    } catch (error) {
      if (error instanceof SettingError) return error.message;
    }
    throw new Error("the settings were not refused");
  };
  const url = "http://127.0.0.1:1/v1";
  assert.equal(
    refused({ EMBEDDINGS_URL: url }),
    "setting EMBEDDINGS_MODEL: a model's name is required if EMBEDDINGS_URL is set",
  );
  assert.equal(
    refused({ EMBEDDINGS_URL: "ftp://127.0.0.1/v1", EMBEDDINGS_MODEL: "m" }),
    "setting EMBEDDINGS_URL: an http or https URL is required",
  );
});

oneEngineTest(
  "a search tells its caller that the vectors were unavailable",
  async ({ db, sql }) => {
    let fails = false;
    await using host = startEmbeddingHost(() =>
      fails ? new Response("", { status: 503 }) : undefined
    );
    const { key } = await createCaller(sql);
    await recordFacts(sql, ["truck", ...UNRELATED_WORDS]);
    const env = { EMBEDDINGS_URL: `${host.url}/v1`, EMBEDDINGS_MODEL: "m-1" };
    const loaded = Promise.withResolvers<void>();
    const log = createLog("info", (line) => {
      if (line.includes("embeddings loaded")) loaded.resolve();
    });
    await withApp(db, async ({ search }) => {
      await loaded.promise;
      const ask = async (query: string) =>
        (await search({ query }, { key, request_key: query })).body;
      const found = await ask("juggernaut");
      assert.equal(found.retrieval, "hybrid");
      assert.equal(found.companies.length, 1);
      fails = true;
      const { retrieval, coverage } = await ask("camion truck");
      assert.equal(retrieval, "lexical");
      assert.deepEqual(coverage.limitations, ["hybrid_unavailable"]);
    }, { workers: 1, env, log });
  },
);
