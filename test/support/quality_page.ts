/** Prints test/commands/source_quality.md. It measures the real records in the directory beside the project. */
import { qualityTable } from "../../src/commands/quality.ts";
import { QualityMeter } from "../../src/ingest/record/quality.ts";
import { SOURCES } from "../../src/ingest/sources/sources.ts";
import { REAL_DATA, type RealFile, realFiles } from "./real_records.ts";

const HEAD = `# Quality of the public sources

This page shows the output of \`deno task quality\` for real files of each source: extracts of the
tender notices, company registers, filings and postings that the sources publish.
[ingest.md](../../docs/ingest.md) explains the rows. \`test/support/quality_page.ts\` prints this
page.
`;

/** Sources without files among the real records. */
const ABSENT = ["homepage", "personio", "recruitee", "seao", "smartrecruiters"];

/** Returns the page: a section for each source. */
export async function qualityPage(): Promise<string> {
  const sections: string[] = [HEAD];
  for (const [format, { title }] of SOURCES) {
    if (ABSENT.includes(format)) continue;
    const files = realFiles([format]);
    const table = qualityTable(await measure(files));
    const count = files.length === 1 ? "One file." : `${files.length} files.`;
    sections.push(`## ${format}\n\n${title}. ${count}\n\n\`\`\`\n${table.join("\n")}\n\`\`\`\n`);
  }
  return sections.join("\n");
}

async function measure(files: readonly RealFile[]) {
  const meter = new QualityMeter();
  for (const { format, path, company } of files) {
    const file = await Deno.open(REAL_DATA + path);
    const retrieved_at = new Date("2026-11-01T00:00:00Z");
    const entries = SOURCES.get(format)!.read(file.readable, { retrieved_at, company });
    for await (const entry of entries) meter.add(entry);
  }
  return meter.report();
}

if (import.meta.main) {
  Deno.stdout.writeSync(new TextEncoder().encode(await qualityPage()));
}
