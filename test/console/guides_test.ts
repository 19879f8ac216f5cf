/** The guides beside the reference: their links, and their pages and search in Chromium. */
import assert from "node:assert/strict";
import { assertPresentable } from "../support/axe.ts";
import { withApp } from "../support/app.ts";
import { withPage } from "../support/browser.ts";
import { chromiumTest } from "../support/chromium_case.ts";
import { withConsole } from "../support/console_world.ts";
import { embeddedTest } from "../support/database.ts";
import { click, fill, type Look, lookAt, sees, texts } from "../support/visitor.ts";

const NAMES = ["first_minutes", "search", "metering", "api", "polling", "agents"]
  .concat("typescript_client", "python_client");

embeddedTest("every link of a guide leads to a served page and heading", async ({ db }) => {
  for (const base of ["", "/evidence"]) {
    await withApp(db, async ({ app }) => {
      const ask = async (url: string) => {
        const answer = await app.fetch(new Request(url.replace(/#.*/, "")));
        assert.equal(answer.status, 200, url);
        return await answer.text();
      };
      let links = 0;
      for (const file of NAMES.flatMap((name) => [name, `${name}.md`])) {
        const address = `http://127.0.0.1${base}/docs/${file}`;
        const text = await ask(address);
        const targets = file.endsWith(".md")
          ? [...text.matchAll(/\]\(([^)]*)\)/g)]
          : [...text.matchAll(/(?:href|src)="([^"]*)"/g)];
        for (const [, target] of targets) {
          const url = new URL(target!, address);
          if (url.hostname !== "127.0.0.1" || url.port !== "") continue;
          const page = await ask(url.href);
          const anchor = decodeURIComponent(url.hash.slice(1));
          const isMarkdown = url.pathname.endsWith(".md");
          if (anchor !== "" && !isMarkdown) assert.ok(page.includes(`id="${anchor}"`), url.href);
          if (file.endsWith(".md")) assert.ok(isMarkdown, `${file} links to Markdown`);
          links++;
        }
      }
      assert.ok(links > 100, `${links} links`);
    }, { env: { BASE_PATH: base } });
  }
});

/** A click on a link of a page that is still loading can be lost. */
const LOADED = `document.readyState === "complete"`;

const LOOKS: Look[] = [
  { width: 360, height: 800, theme: "light" },
  { width: 1600, height: 1000, theme: "dark" },
];

chromiumTest(
  "each guide fits the window, and a search finds its sections",
  async (one, chromium) => {
    await withConsole(one.db, async ({ origin }) => {
      await withPage({ chromium, url: `${origin}/docs/first_minutes` }, async (page) => {
        for (const look of LOOKS) {
          await lookAt(page, look);
          for (const name of NAMES) {
            await page.send("Page.navigate", { url: `${origin}/docs/${name}` });
            await page.until(`location.pathname === "/docs/${name}" &&
            document.querySelector("#search input") !== null`);
            await assertPresentable(page, look, name);
          }
        }
        assert.doesNotMatch((await texts(page, "article"))[0]!, /127\.0\.0\.1:8080/);
        assert.match((await texts(page, "article"))[0]!, new RegExp(origin));
        await fill(page, "Search the guides", "zzqqxxyy");
        await sees(page, "0 sections found");
        await fill(page, "Search the guides", "Retry-After idempotency_conflict");
        await sees(page, "1 section found");
        await click(page, "Costs and errors · Errors");
        await page.until(
          `location.pathname + location.hash === "/docs/metering#errors" && ${LOADED}`,
        );
        await fill(page, "Search the guides", "as_of microseconds");
        await page.until(`document.querySelector(".found p")?.innerText.includes("as_of")`);
        await click(page, "Follow hostnames · Rules");
        await page.until(
          `location.pathname + location.hash === "/docs/polling#rules" && ${LOADED}`,
        );
        // The reference searches the guides, too.
        await click(page, "Reference");
        await fill(page, "Search the reference", "microseconds as_of");
        await click(page, "Follow hostnames · Rules");
        await page.until(
          `location.pathname + location.hash === "/docs/polling#rules" && ${LOADED}`,
        );
        const outside = page.requests.filter((url) => new URL(url).origin !== origin);
        assert.deepEqual(outside, []);
        assert.deepEqual(page.complaints, []);
      });
    }, { workers: 0 });
  },
);
