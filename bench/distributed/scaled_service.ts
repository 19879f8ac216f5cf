/** Starts a serving process for a large dataset. */
import type { CompanySearchResult } from "../../src/contract/search.ts";
import { startListening } from "../load/process.ts";

/** A running process. It is stopped at the end of its block. */
export interface ScaledService extends AsyncDisposable {
  pid: number;
  /** Waits until the process is ready, without a time-out. */
  ready(): Promise<void>;
  search(key: string, body: object): Promise<CompanySearchResult>;
}

/** Seconds until the process must listen. It may first have to fill the search tables. */
const START_SECONDS = 7_200;

/**
 * Starts a process with the V8 flags of the task `start`. Only a process with workers writes the
 * search tables.
 */
export async function startScaled(env: Record<string, string>): Promise<ScaledService> {
  const directory = Deno.makeTempDirSync({ prefix: "ce-scaled-" });
  const process = await startListening({
    cwd: Deno.cwd(),
    args: ["-A", "main.ts", "start"],
    env: {
      ...{ PORT: "0", ACQUISITION_RECORDS: "0", DEMO: "off", LOG_LEVEL: "warn" },
      ...{ DATA_DIR: directory, ...env },
    },
    start_seconds: START_SECONDS,
  });
  const url = `http://127.0.0.1:${process.port}`;
  return {
    pid: process.pid,
    async ready() {
      for (;;) {
        const response = await fetch(`${url}/readyz`);
        await response.body?.cancel();
        if (response.ok) return;
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    },
    async search(key, body) {
      const response = await fetch(`${url}/api/companies/search`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": crypto.randomUUID(),
        },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      if (!response.ok) throw new Error(JSON.stringify(answer));
      return answer;
    },
    async [Symbol.asyncDispose]() {
      await process[Symbol.asyncDispose]();
      Deno.removeSync(directory, { recursive: true });
    },
  };
}
