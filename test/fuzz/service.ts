/** A serving process for fuzz tests, and its log lines. */
import assert from "node:assert/strict";
import { serverTest } from "../support/database.ts";
import { AMPLE, createCaller, record } from "../support/factories.ts";
import { type Service, startService } from "../support/service.ts";

/**
 * Registers a test that starts a service, calls `use` with a key, and stops the service. It fails
 * if the exit code is not 0.
 */
export function serviceTest(
  name: string,
  use: (service: Service, key: string) => Promise<void>,
): void {
  serverTest(name, async ({ sql, url: DATABASE_URL }) => {
    const { key } = await createCaller(sql, { terms: AMPLE });
    await record(sql, [{ observed_fact: "A new warehouse." }]);
    await using service = await startService({ env: { DATABASE_URL } });
    await use(service, key);
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
