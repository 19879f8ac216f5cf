/** Draws the main comparisons of docs/measurements.md as charts, from the tables of that page. */

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

const PAGE = "docs/measurements.md";

/** Returns the charts of a page as SVG, by the paths of their files. */
export function drawCharts(page: string): Map<string, string> {
  const charts = { recording: recording(page) };
  return new Map(
    Object.entries(charts).map(([name, chart]) => [`docs/charts/${name}.svg`, draw(chart)]),
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

/** Returns the rows of the first table after a heading, without its head. */
function tableOf(page: string, heading: string): Row[] {
  const [, after] = page.split(`${heading}\n`);
  if (after === undefined) throw new Error(`${PAGE} has no heading ${heading}`);
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
  "rect{fill:#a9b2bd}.ours{fill:#2f6fde}" +
  "@media(prefers-color-scheme:dark){text{fill:#ddd}rect{fill:#66707c}.ours{fill:#6aa0ff}}";

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
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" ` +
    `viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<text class="head" x="8" y="18">${escaped(title)}</text>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

if (import.meta.main) {
  for (const [path, svg] of drawCharts(Deno.readTextFileSync(PAGE))) {
    Deno.writeTextFileSync(path, svg);
  }
}
