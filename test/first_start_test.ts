/** Output of a first start. */
import assert from "node:assert/strict";
import { startService } from "./support/service.ts";

/** Maximum number of lines of a first start, those of the runtime included. */
const LINES_MAX = 15;

Deno.test("a first start prints the key's line, where it listens and what to try next", async () => {
  const directory = Deno.makeTempDirSync({ prefix: "ce-first-" });
  try {
    const DATA_DIR = `${directory}/data`;
    await using service = await startService({ env: { DATA_DIR }, task: true });
    const lines = service.stderr.trimEnd().split("\n");
    assert.ok(lines.length <= LINES_MAX, service.stderr);
    const said = lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
    assert.deepEqual(said.map(({ message }) => message), [
      "demo data is in; its key is in a file",
      `listening on ${service.url}`,
    ]);
    assert.deepEqual([said[0].file, said[1].try], [`${DATA_DIR}/demo_key`, `${service.url}/`]);
    await service.stop();
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});
