/** Checks the accessibility of a page by axe-core in a browser. */
import axe from "axe-core/axe.min.js" with { type: "text" };
import type { Page } from "./browser.ts";

/** Returns the faults of a page for people who use a keyboard or a screen reader. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!await page.evaluate<boolean>(`"axe" in globalThis`)) await page.evaluate(axe);
  return await page.evaluate<string[]>(`axe.run(document, {
    // This rule of WCAG 2.2 is off by default.
    rules: { "target-size": { enabled: true } },
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + " " + target + ": " + failureSummary)))`);
}
