/** `quality`, the same as `ingest --dry-run`: reports on the records without a database. */
import { escapeControls } from "../contract/control_characters.ts";
import { grouped } from "../ingest/record/progress.ts";
import { type Lengths, type Quality, QualityMeter } from "../ingest/record/quality.ts";
import type { SourceEntry } from "../ingest/record/entry.ts";
import { type CountedReason, foremostReasons } from "../ingest/record/reasons.ts";
import type { From, IngestInputs } from "./ingest_arguments.ts";
import { nameOf, type OpenedEntries, withInputName } from "./ingest_entries.ts";

/** Context of the report. */
interface QualityContext {
  open: (from: From) => Promise<OpenedEntries>;
  /** Writes the fault of a file that cannot be read. */
  say: (line: string) => void;
  print: (line: string) => void;
}

/**
 * Prints one report on all files. Nothing is recorded, and no file of rejections is written.
 * @returns 0; 1 if a record is doubtful or would be rejected, or a file could not be read
 */
export async function reportQuality(
  { from, format, json, samples }: IngestInputs,
  { open, say, print }: QualityContext,
): Promise<number> {
  const meter = new QualityMeter();
  const shown: unknown[] = [];
  const refused: RefusedRows = {};
  let faults = 0;
  for (const input of from) {
    try {
      await using opened = await open(input);
      for await (const entry of opened.entries()) {
        meter.add(entry);
        if (samples > 0) noteSample(entry, { shown, refused, samples });
      }
    } catch (error) {
      say(escapeControls(withInputName(error, nameOf(input, format)).message));
      faults++;
    }
  }
  const quality = meter.report();
  const sampled = samples > 0 ? { records: shown, rejected_rows: refused } : {};
  if (json) print(JSON.stringify({ format, ...quality, ...sampled }));
  else {
    const lines = shown.flatMap((record) => JSON.stringify(record, undefined, 2).split("\n"));
    for (const line of lines) print(escapeControls(line));
    print([...qualityTable(quality), ...refusedTable(refused)].join("\n"));
  }
  return faults > 0 || quality.rejected > 0 || quality.doubtful > 0 ? 1 : 0;
}

/** First rows of each reason for a rejection. */
type RefusedRows = Record<string, number[]>;

/** Max number of reasons, and of rows per reason, that are listed. */
const LISTED_MAX = 20;

function noteSample(
  { judged, line }: SourceEntry,
  { shown, refused, samples }: { shown: unknown[]; refused: RefusedRows; samples: number },
): void {
  if ("record" in judged && shown.length < samples) {
    const { content_hash: _, normalized_name: __, ...record } = judged.record;
    shown.push(record);
  }
  if (!("reason" in judged)) return;
  if (refused[judged.reason] === undefined && Object.keys(refused).length >= LISTED_MAX) return;
  const rows = refused[judged.reason] ??= [];
  if (rows.length < LISTED_MAX) rows.push(line);
}

function refusedTable(refused: RefusedRows): string[] {
  return rows(
    "rejected rows",
    Object.entries(refused).map(([reason, lines]) =>
      escapeControls(`${lines.join(", ")}${lines.length === LISTED_MAX ? ", …" : ""}: ${reason}`)
    ),
  );
}

/** Returns the report as lines for a reader. */
export function qualityTable(quality: Quality): string[] {
  const { accepted, repeated, categories, companies } = quality;
  const repetitions = repeated > 0 ? `, ${grouped(repeated)} of them repeated` : "";
  const facets = Object.entries(quality.facets)
    .map(([name, share]) => `${percent(share).padStart(4)}  ${name}`);
  return [
    row("read", grouped(quality.read)),
    row("accepted", grouped(accepted) + repetitions),
    ...reasonRows("left out", quality.left_out, quality.left_out_reasons),
    ...reasonRows("rejected", quality.rejected, quality.rejected_reasons),
    ...(quality.doubtful > 0
      ? reasonRows("doubtful", quality.doubtful, quality.doubtful_reasons)
      : []),
    row("kinds", listed(quality.kinds)),
    row("countries", listed(quality.countries)),
    row("demand classes", listed(quality.demand_classes)),
    row("excerpts", `${lengths(quality.excerpts)}; ${grouped(quality.excerpts_cut)} cut`),
    row("texts", lengths(quality.texts)),
    row("categories", `${percent(categories.filled)} of records`),
    row(
      "companies",
      `${grouped(companies.distinct)}; ${percent(companies.with_hostname)} with a hostname, ` +
        `${percent(companies.with_identifier)} with an identifier`,
    ),
    ...rows("facets", facets.length === 0 ? ["none"] : facets),
  ];
}

const LABEL_CHARACTERS = 16;

function row(label: string, value: string): string {
  return label.padEnd(LABEL_CHARACTERS) + value;
}

/** Returns lines of which only the first has the label. */
function rows(label: string, values: readonly string[]): string[] {
  return values.map((value, index) => row(index === 0 ? label : "", value));
}

function reasonRows(label: string, count: number, reasons: readonly CountedReason[]): string[] {
  const shown = foremostReasons(reasons).map((one) => `${grouped(one.count)}: ${one.reason}`);
  return rows(label, [grouped(count), ...shown]);
}

function listed(counts: Record<string, number>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name} ${grouped(count)}`);
  return parts.length > 0 ? parts.join(", ") : "none";
}

function lengths({ count, median, p90, max }: Lengths): string {
  if (count === 0) return "none";
  return `${grouped(count)}; characters: median ${grouped(median)}, 90% up to ${grouped(p90)}, ` +
    `at most ${grouped(max)}`;
}

/** Formats a share. Only a share of 0 is shown as 0%, and only a share of 1 as 100%. */
function percent(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  if (share < 1 && share > 0.99) return ">99%";
  return `${Math.round(share * 100)}%`;
}
