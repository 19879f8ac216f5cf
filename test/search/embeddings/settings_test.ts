import assert from "node:assert/strict";
import { readSettings, SettingError } from "../../../src/config.ts";
import { embeddingEndpointOf } from "../../../src/search/embeddings/embeddings.ts";

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
