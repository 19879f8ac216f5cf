/**
 * Checks the requirements of `deno task compile`, before the compiler waits in vain for the
 * network. A binary contains a runtime (denort) that is not part of Deno, so the compiler downloads
 * it.
 */
import { isFile } from "../db/exists.ts";
import { writeLines } from "../terminal.ts";

/** Base URL of Deno's releases. */
const RELEASES = "https://dl.deno.land/release";

/** Milliseconds until the network counts as unavailable. The number is chosen. */
const TIMEOUT_MILLISECONDS = 10_000;

/** Places in which the runtime may be. */
interface Places {
  /** Value of DENORT_BIN: path of a runtime that was downloaded elsewhere. Empty if not set. */
  denort: string;
  /** Directories in which the compiler caches its downloads. */
  caches: readonly string[];
  /** Base URL from which the runtime is downloaded. */
  releases?: string;
}

/** Returns a sentence about what is missing; undefined if a binary can be built. */
export async function missingForCompile(
  { denort, caches, releases = RELEASES }: Places,
): Promise<string | undefined> {
  if (denort !== "") {
    return await isFile(denort)
      ? undefined
      : `The runtime for binaries is missing: DENORT_BIN is ${denort}, which is no file.`;
  }
  const release = `v${Deno.version.deno}/denort-${Deno.build.target}.zip`;
  for (const cache of caches) if (await isFile(`${cache}/dl/release/${release}`)) return undefined;
  const address = `${releases}/${release}`;
  const signal = AbortSignal.timeout(TIMEOUT_MILLISECONDS);
  try {
    if ((await fetch(address, { method: "HEAD", signal })).ok) return undefined;
  } catch {
    // The returned sentence reports this failure.
  }
  return `The runtime for binaries is missing: ${address} cannot be reached, and DENORT_BIN is not ` +
    "set. docs/operators.md says how to get it.";
}

if (import.meta.main) {
  const [denort = "", deno_dir = "", home = ""] = Deno.args;
  const missing = await missingForCompile({ denort, caches: [deno_dir, `${home}/.cache/deno`] });
  if (missing !== undefined) {
    writeLines("stderr", missing);
    Deno.exit(1);
  }
}
