/** Acts on a page as a person does: clicks, types, and presses keys. */
import type { Page } from "./browser.ts";

/** Size and theme of the window. */
export interface Look {
  width: number;
  height: number;
  theme: "light" | "dark";
}

/** Sets the size of the window, and the system's theme. */
export async function lookAt(page: Page, { width, height, theme }: Look): Promise<void> {
  const size = { width, height, deviceScaleFactor: 1, mobile: false };
  await page.send("Emulation.setDeviceMetricsOverride", size);
  await page.send("Emulation.setScrollbarsHidden", { hidden: true });
  await page.send("Emulation.setEmulatedMedia", {
    features: [
      { name: "prefers-color-scheme", value: theme },
      // Without animations, screenshots are always the same.
      { name: "prefers-reduced-motion", value: "reduce" },
    ],
  });
}

/**
 * Expression that lists the visible elements that can be clicked. The name of each is its label or
 * text.
 */
const CLICKABLE = `[...document.querySelectorAll("a, button, summary, label, [role=tab]")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }))
  .map((one) => ({ one, name: (one.ariaLabel ?? one.innerText).replace(/\\s+/g, " ").trim() }))`;

/** Waits for an element whose name begins with a text, and clicks on it with the mouse. */
export async function click(page: Page, name: string): Promise<void> {
  const point = `(() => {
    const named = ${CLICKABLE}.find(({ name }) => name.startsWith(${JSON.stringify(name)}))?.one;
    if (named === undefined || named.disabled) return null;
    named.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { x, y, width, height } = named.getBoundingClientRect();
    const [atX, atY] = [x + Math.min(width / 2, 40), y + height / 2];
    const hit = document.elementFromPoint(atX, atY);
    return named.contains(hit) ? { x: atX, y: atY } : null;
  })()`;
  await page.until(`${point} !== null`);
  const place = await page.evaluate<{ x: number; y: number }>(point);
  const press = { ...place, button: "left", clickCount: 1 };
  await page.send("Input.dispatchMouseEvent", { type: "mousePressed", ...press });
  await page.send("Input.dispatchMouseEvent", { type: "mouseReleased", ...press });
}

/** Waits for the field that has a label, and replaces its contents. */
export async function fill(page: Page, label: string, text: string): Promise<void> {
  // The whole label, because a former page, which is shown a moment longer, may have a similar one.
  const field = `[...document.querySelectorAll("label")]
    .find((one) => one.checkVisibility() && one.innerText.trim() === ${
    JSON.stringify(label)
  })?.control`;
  await page.until(`${field} !== undefined`);
  await page.evaluate(`(${field}.focus(), ${field}.select?.())`);
  await page.send("Input.insertText", { text });
}

/** Key codes of the keys that tests press. */
const KEYS: Record<string, number> = { Enter: 13, Tab: 9, ArrowRight: 39, " ": 32 };

/** Presses a key of the keyboard. */
export async function press(page: Page, key: string): Promise<void> {
  const fields = { key, code: key === " " ? "Space" : key, windowsVirtualKeyCode: KEYS[key] };
  const text = { Enter: "\r", " ": " " }[key];
  await page.send("Input.dispatchKeyEvent", { type: "keyDown", ...fields, text });
  await page.send("Input.dispatchKeyEvent", { type: "keyUp", ...fields });
}

/** Waits until the page shows a text. */
export async function sees(page: Page, text: string): Promise<void> {
  await page.until(`document.body?.innerText.includes(${JSON.stringify(text)}) === true`);
}

/** Signs in with an API key. */
export async function enterKey(page: Page, key: string): Promise<void> {
  await fill(page, "API key", key);
  await press(page, "Enter");
}

/** Chooses an option of the select element that has a label. */
export async function choose(page: Page, label: string, value: string): Promise<void> {
  await page.evaluate(`(() => {
    const list = [...document.querySelectorAll("label")]
      .find((one) => one.checkVisibility() && one.innerText.trim() === ${
    JSON.stringify(label)
  }).control;
    list.value = ${JSON.stringify(value)};
    list.dispatchEvent(new Event("change", { bubbles: true }));
  })()`);
}

/** Returns the texts of the visible elements of a selector. */
export function texts(page: Page, selector: string): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
    .filter((one) => one.checkVisibility()).map((one) => one.innerText.trim())`);
}
