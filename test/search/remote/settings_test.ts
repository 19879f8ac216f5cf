import assert from "node:assert/strict";
import { readSettings, SettingError } from "../../../src/config.ts";

Deno.test("readSettings() reads the nodes of a search cluster", () => {
  const SEARCH_URL = "http://search-1:9200, https://user:p%40ss@search-2/prefix";
  const { SEARCH_URL: nodes, SEARCH_SHARDS, SEARCH_REPLICAS } = readSettings({ SEARCH_URL });
  assert.deepEqual(nodes, ["http://search-1:9200", "https://user:p%40ss@search-2/prefix"]);
  assert.deepEqual([SEARCH_SHARDS, SEARCH_REPLICAS], [2, 1]);
});

Deno.test("readSettings() refuses addresses of other engines, and vectors beside a cluster", () => {
  const refused = (environment: Record<string, string>, message: string) =>
    assert.throws(() => readSettings(environment), new SettingError(message));
  const wanted = "setting SEARCH_URL: http or https URLs, separated by commas, are required";
  refused({ SEARCH_URL: "mysql://user:word@node" }, wanted);
  refused({ SEARCH_URL: "http://search-1:9200,," }, wanted);
  refused(
    {
      SEARCH_URL: "http://search-1:9200",
      EMBEDDINGS_URL: "http://models.example",
      EMBEDDINGS_MODEL: "m",
    },
    "setting EMBEDDINGS_URL: vectors need the index in memory, so SEARCH_URL must not be set",
  );
});
