/** Judges a page by axe-core, as a browser shows it. */
import axe from "axe-core/axe.min.js" with { type: "text" };
import type { Page } from "./browser.ts";

/** Returns what is wrong with a page for people who use it by keyboard or screen reader. */
export async function inaccessible(page: Page): Promise<string[]> {
  if (!await page.evaluate<boolean>(`"axe" in globalThis`)) await page.evaluate(axe);
  return await page.evaluate<string[]>(`axe.run(document, {
    // What WCAG 2.2 asks for stands beside what axe does by default.
    rules: { "target-size": { enabled: true } },
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + " " + target + ": " + failureSummary)))`);
}
