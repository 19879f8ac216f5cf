/**
 * Checks the requirements of `deno task compile`, before the compiler waits for the network in
 * vain. A binary begins with a runtime that is not part of Deno and is fetched.
 */
import { isFile } from "../db/exists.ts";

/** Base address of Deno's releases. */
const RELEASES = "https://dl.deno.land/release";

/** Milliseconds until the network counts as unavailable. */
const PATIENCE_MILLISECONDS = 10_000;

interface Places {
  /** Value of DENORT_BIN: a runtime that was fetched elsewhere. Empty if not set. */
  denort: string;
  /** Directories in which the compiler caches what it fetches. */
  caches: readonly string[];
  /** Base address from which the runtime is fetched. */
  releases?: string;
}

/** Returns a sentence about what is missing; undefined if a binary can be built. */
export async function missingForCompile(
  { denort, caches, releases = RELEASES }: Places,
): Promise<string | undefined> {
  if (denort !== "") {
    return await isFile(denort)
      ? undefined
      : `The runtime for binaries is missing: DENORT_BIN names ${denort}, where no file is.`;
  }
  const release = `v${Deno.version.deno}/denort-${Deno.build.target}.zip`;
  for (const cache of caches) if (await isFile(`${cache}/dl/release/${release}`)) return undefined;
  const address = `${releases}/${release}`;
  const signal = AbortSignal.timeout(PATIENCE_MILLISECONDS);
  try {
    if ((await fetch(address, { method: "HEAD", signal })).ok) return undefined;
  } catch {
    // The returned sentence reports this failure.
  }
  return `The runtime for binaries is missing: ${address} cannot be reached, and DENORT_BIN is not ` +
    "set. docs/operators.md says how to bring it here.";
}

if (import.meta.main) {
  const [denort = "", deno_dir = "", home = ""] = Deno.args;
  const missing = await missingForCompile({ denort, caches: [deno_dir, `${home}/.cache/deno`] });
  if (missing !== undefined) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${missing}\n`));
    Deno.exit(1);
  }
}
