/** A serving process for fuzz tests, and its log lines. */
import assert from "node:assert/strict";
import { changeDemoPlan, readDemoKey, withDataDir } from "../support/data_dir.ts";
import { type Service, startService } from "../support/service.ts";

/**
 * Starts a service with demo data, calls `use` with its key, and stops the service.
 * @throws Error if the exit code is not 0
 */
export async function withService(
  use: (service: Service, key: string) => Promise<void>,
): Promise<void> {
  await withDataDir(async (DATA_DIR) => {
    await using service = await startService({ env: { DATA_DIR } });
    await changeDemoPlan(DATA_DIR, { request_units: 600, weekly_request_units: 10_000 });
    await use(service, await readDemoKey(DATA_DIR));
    await service.stop();
  });
}

/** Beginning of a notice that the runtime may print once. */
const NOTICE = "Deno.serve: request.signal aborts on successful responses";

/** Returns the log lines since the service listens. Asserts that they contain no secret. */
export function logLines({ stderr }: Service, secrets: readonly string[]): string[] {
  const lines = stderr.slice(stderr.indexOf("listening on")).split("\n").slice(1)
    .filter((line) => line !== "" && !line.startsWith(NOTICE));
  assert.ok(lines.length > 0);
  for (const line of lines) {
    for (const secret of secrets) assert.ok(!line.includes(secret), line);
  }
  return lines;
}
