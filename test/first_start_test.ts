/** The output of a first start. */
import assert from "node:assert/strict";
import { startService } from "./support/service.ts";

/** Max number of lines of a first start, including those of the runtime. */
const LINES_MAX = 15;

Deno.test("a first start prints the file of the key, its address, and the page to try next", async () => {
  const directory = Deno.makeTempDirSync({ prefix: "ce-first-" });
  try {
    const DATA_DIR = `${directory}/data`;
    await using service = await startService({ env: { DATA_DIR }, task: true });
    const lines = service.stderr.trimEnd().split("\n");
    assert.ok(lines.length <= LINES_MAX, service.stderr);
    const messages = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    assert.deepEqual(messages.map(({ message }) => message), [
      "creating the database",
      "recording the demo data",
      "demo data is in; its key is in a file",
      `listening on ${service.url}`,
    ]);
    assert.deepEqual([messages[2].file, messages[3].try], [
      `${DATA_DIR}/demo_key`,
      `${service.url}/`,
    ]);
    await service.stop();
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});
