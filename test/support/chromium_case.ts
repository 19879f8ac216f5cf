/** Registers tests that open pages in Chromium. */
import { findChromium } from "./browser.ts";
import { type DatabaseCase, oneEngineTest } from "./database.ts";

const CHROMIUM = findChromium();

/**
 * Registers a test that needs a browser and an embedded database. Without a browser it is ignored.
 */
export function chromiumTest(
  name: string,
  body: (one: DatabaseCase, chromium: string) => Promise<void>,
): void {
  if (CHROMIUM === undefined) Deno.test({ name, ignore: true, fn() {} });
  else oneEngineTest(name, (one) => body(one, CHROMIUM));
}
