/** Checks the accessibility and the width of a page by axe-core in a browser. */
import assert from "node:assert/strict";
import axe from "axe-core/axe.min.js" with { type: "text" };
import type { Page } from "./browser.ts";
import type { Look } from "./visitor.ts";

/** Returns the faults of a page for people who use a keyboard or a screen reader. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  if (!await page.evaluate<boolean>(`"axe" in globalThis`)) await page.evaluate(axe);
  return await page.evaluate<string[]>(`axe.run(document, {
    // This rule of WCAG 2.2 is off by default.
    rules: { "target-size": { enabled: true } },
  }).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + " " + target + ": " + failureSummary)))`);
}

/**
 * Asserts that a page is accessible, and is not wider than the window. A test looks at each page at
 * one width in the light theme and at another one in the dark theme.
 */
export async function assertPresentable(
  page: Page,
  { width, theme }: Look,
  name: string,
): Promise<void> {
  const shown = `${name} at ${width}, ${theme}`;
  assert.deepEqual(await accessibilityFaults(page), [], shown);
  const wide = await page.evaluate<number>("document.documentElement.scrollWidth");
  assert.equal(wide, width, `${shown} is wider than the window`);
}
