import assert from "node:assert/strict";
import { qualityPage } from "../support/quality_page.ts";
import { hasRealData } from "../support/real_records.ts";

Deno.test({
  name: "source_quality.md shows the present quality of the real files (needs ../shared/data)",
  ignore: !hasRealData(),
  async fn() {
    const page = Deno.readTextFileSync(new URL("source_quality.md", import.meta.url));
    assert.equal(page, await qualityPage());
  },
});
