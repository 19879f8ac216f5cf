/** Draws charts from the tables of docs/growth.md and docs/quality.md. */

/** One bar of a chart. */
interface Bar {
  label: string;
  value: number;
  /** Text at the end of the bar. */
  text: string;
  /** True if the value is that of this service, not of a peer. */
  ours: boolean;
}

interface Chart {
  title: string;
  bars: Bar[];
}

type Row = string[];

/** Lines through points from (0, 0) to (1, 1). */
interface LineChart {
  title: string;
  lines: { label: string; points: (readonly [x: number, y: number])[] }[];
}

/** Pages with tables from which charts are drawn. */
export const CHARTED = ["docs/growth.md", "docs/quality.md"] as const;

/** Returns the charts as SVG, by the paths of their files. @param pages contents of CHARTED */
export function drawCharts([growth, quality]: readonly string[]): Map<string, string> {
  const charts = {
    recording: draw(recording(growth!)),
    reliability: drawLines(reliability(quality!)),
    threshold: drawLines(threshold(quality!)),
  };
  return new Map(
    Object.entries(charts).map(([name, chart]) => [`docs/charts/${name}.svg`, chart]),
  );
}

function recording(page: string): Chart {
  return {
    title: "Records per second into PostgreSQL",
    bars: tableOf(page, "## Recording").map(([what, rate]) => ({
      label: what!.replaceAll("`", ""),
      value: Number(rate!.replaceAll(",", "")),
      text: rate!,
      ours: what!.includes("ingest"),
    })),
  };
}

function reliability(page: string): LineChart {
  const rows = tableOf(page, "## Reliability").map((row) => row.map(Number));
  return {
    title: "Share of right records by predicted probability",
    lines: [
      { label: "ideal", points: [[0, 0], [1, 1]] },
      { label: "all sets", points: pointsOf(rows, 4) },
      { label: "real texts", points: pointsOf(rows, 1) },
    ],
  };
}

/** Returns the points of bins with records. @param column number of records, before x and y */
function pointsOf(rows: readonly number[][], column: number): [number, number][] {
  return rows.filter((row) => row[column]! > 0).map((row) => [row[column + 1]!, row[column + 2]!]);
}

function threshold(page: string): LineChart {
  const rows = tableOf(page, "## Threshold").map((row) => row.map(Number));
  const columns = { "nDCG@10": 1, about: 2, recall: 5 };
  return {
    title: "Figures of the real texts by threshold",
    lines: Object.entries(columns).map(([label, column]) => ({
      label,
      points: rows.map((row) => [row[0]!, row[column]!]),
    })),
  };
}

/** Returns the rows of the first table after a heading, without its head. */
function tableOf(page: string, heading: string): Row[] {
  const [, after] = page.split(`${heading}\n`);
  if (after === undefined) throw new Error(`there is no heading ${heading}`);
  const [table] = /(^\|.*\n)+/m.exec(after) ?? [];
  if (table === undefined) throw new Error(`${heading} has no table`);
  return table.trim().split("\n").slice(2)
    .map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
}

const WIDTH = 640;
const LABEL_WIDTH = 200;
const TEXT_WIDTH = 70;
const ROW_HEIGHT = 20;
const HEAD_HEIGHT = 28;

const STYLE = "text{font:12px sans-serif;fill:#333}.head{font-weight:bold}" +
  "rect{fill:#a9b2bd}.ours{fill:#2f6fde}path{fill:none;stroke:#a9b2bd;stroke-width:2}" +
  "path.line1{stroke:#d9822b}path.line2{stroke:#2f6fde}" +
  "@media(prefers-color-scheme:dark){text{fill:#ddd}rect{fill:#66707c}.ours{fill:#6aa0ff}}";

/** Length of a side of the square of a line chart. */
const SIDE = 320;
const MARGIN = 40;

function draw({ title, bars }: Chart): string {
  const height = HEAD_HEIGHT + bars.length * ROW_HEIGHT;
  const longest = Math.max(...bars.map(({ value }) => value));
  const room = WIDTH - LABEL_WIDTH - TEXT_WIDTH;
  const rows = bars.map(({ label, value, text, ours }, place) => {
    const y = HEAD_HEIGHT + place * ROW_HEIGHT;
    const length = Math.round(room * value / longest);
    const baseline = y + 14;
    return `<text x="${LABEL_WIDTH - 8}" y="${baseline}" text-anchor="end">${
      escaped(label)
    }</text>` +
      `<rect x="${LABEL_WIDTH}" y="${y + 3}" width="${length}" height="${ROW_HEIGHT - 6}"` +
      `${ours ? ' class="ours"' : ""}/>` +
      `<text x="${LABEL_WIDTH + length + 6}" y="${baseline}">${escaped(text)}</text>`;
  });
  return svg(title, height, rows);
}

function drawLines({ title, lines }: LineChart): string {
  const bottom = HEAD_HEIGHT + SIDE;
  const at = ([x, y]: readonly [number, number]) =>
    `${Math.round(MARGIN + x * SIDE)} ${Math.round(bottom - y * SIDE)}`;
  const ticks = [0, 0.25, 0.5, 0.75, 1].flatMap((value) => [
    `<text x="${MARGIN - 6}" y="${bottom - value * SIDE + 4}" text-anchor="end">${value}</text>`,
    `<text x="${MARGIN + value * SIDE}" y="${bottom + 16}" text-anchor="middle">${value}</text>`,
  ]);
  const drawn = lines.flatMap(({ label, points }, index) => {
    const y = HEAD_HEIGHT + 20 * (index + 1);
    return [
      `<path class="line${index}" d="M${points.map(at).join("L")}"/>`,
      `<path class="line${index}" d="M${MARGIN + SIDE + 20} ${y - 4}h24"/>`,
      `<text x="${MARGIN + SIDE + 50}" y="${y}">${escaped(label)}</text>`,
    ];
  });
  return svg(title, bottom + 24, [
    `<path d="M${MARGIN} ${HEAD_HEIGHT}v${SIDE}h${SIDE}"/>`,
    ...ticks,
    ...drawn,
  ]);
}

function svg(title: string, height: number, content: readonly string[]): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" ` +
    `viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<text class="head" x="8" y="18">${escaped(title)}</text>`,
    ...content,
    "</svg>\n",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

if (import.meta.main) {
  for (const [path, svg] of drawCharts(CHARTED.map((page) => Deno.readTextFileSync(page)))) {
    Deno.writeTextFileSync(path, svg);
  }
}
