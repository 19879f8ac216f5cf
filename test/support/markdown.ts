/** Reads the pages of the documentation, with their commands, programs and links. */

/** Paths of all tested pages, relative to the root. */
export const PAGES: readonly string[] = [
  "README.md",
  "CHANGELOG.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "AGENTS.md",
  "SECURITY.md",
  "bench/README.md",
  "client/README.md",
  ...[...Deno.readDirSync("docs")].map(({ name }) => `docs/${name}`)
    .filter((path) => path.endsWith(".md")).sort(),
];

/** Returns the texts of a page's code blocks in a language. */
export function blocksOf(page: string, language: string): string[] {
  const text = Deno.readTextFileSync(page);
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms");
  return [...text.matchAll(block)].map(([, content]) => content!);
}

/** The questions of the programs on the pages, which the demo answers. */
const DEMO_QUESTIONS = /new warehouse with cold storage|cold storage warehouse/g;

/** Returns an example with a question that the companies of `createWorld` answer. */
export function askingWorld(example: string): string {
  return example.replaceAll(DEMO_QUESTIONS, "freezer warehouse");
}

/** Returns the commands of a page's shell blocks, without comments, each on one line. */
export function commandsOf(page: string): string[] {
  return blocksOf(page, "sh").flatMap((block) =>
    block.replaceAll(/\\\n\s*/g, "").split("\n").map((line) =>
      line.replace(/(^|\s+)# .*$/, "").trim()
    )
  ).filter((line) => line !== "");
}

/** Splits a command into words as a shell does: quotes, variables, and `$(cat FILE)`. */
export function wordsOf(
  command: string,
  { variables, files }: { variables: Record<string, string>; files: Record<string, string> },
): string[] {
  const expand = (text: string) =>
    text.replaceAll(/\$\(cat ([^)]+)\)|\$\{?(\w+)\}?/g, (whole, file, name) => {
      const value = file === undefined ? variables[name] : files[file];
      if (value === undefined) throw new Error(`${whole} has no value: ${command}`);
      return value;
    });
  const words = command.matchAll(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|\$\([^)]*\)|[^\s"'])+/g);
  return [...words].map(([word]) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^"']+)/g,
      (_, double, single, plain) => single ?? expand(double ?? plain),
    )
  );
}

/** Returns the targets of a page's relative links, each with its anchor if it has one. */
export function linksOf(page: string): { path: string; anchor?: string }[] {
  const text = Deno.readTextFileSync(page).replaceAll(/^```.*?^```$/gms, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const { pathname, hash } = new URL(target, `file:///${page}`);
      return { path: decodeURIComponent(pathname.slice(1)), anchor: hash.slice(1) || undefined };
    });
}

/** Returns the anchors that the usual renderers make from a page's headings. */
export function anchorsOf(page: string): string[] {
  return [...Deno.readTextFileSync(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
  );
}
