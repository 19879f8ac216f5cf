/** Writes src/db/scripts.ts, which carries the scripts of this folder into a compiled binary. */

/** A script and the name of its import. */
interface ImportedScript {
  /** Path below sql/ without its ending. */
  name: string;
  /** Name of the import. */
  binding: string;
}

/** Returns the source text of src/db/scripts.ts for the scripts of a folder. */
export function scriptsModule(folder: string): string {
  const tables = scriptsIn(folder, "", "Tables");
  const views = scriptsIn(folder, "views/", "View");
  const functions = scriptsIn(folder, "functions/", "");
  const imports = [...tables, ...views, ...functions].map(importOf);
  return `/** The scripts of sql/, imported as text. Generated: run \`deno task scripts\`. */
${imports.join("\n")}

/** A script that makes a part of the database. */
export interface Script {
  /** Path below sql/ without its ending. */
  name: string;
  text: string;
}

/** Scripts that run once each, in this order. They never change afterwards. */
${listOf("TABLE_SCRIPTS", tables)}

/**
 * Scripts that run again after each change, in this order and after the tables. Each must allow
 * repeated runs.
 */
${listOf("VIEW_SCRIPTS", views)}

/**
 * Scripts that run again after each change, in this order and after the views. Each must allow
 * repeated runs.
 */
${listOf("FUNCTION_SCRIPTS", functions)}
`;
}

function scriptsIn(folder: string, subfolder: string, suffix: string): ImportedScript[] {
  return [...Deno.readDirSync(`${folder}/${subfolder}`)]
    .filter(({ name }) => name.endsWith(".sql"))
    .map(({ name }) => name.replace(/\.sql$/, ""))
    .sort()
    .map((name) => ({ name: subfolder + name, binding: camelCase(name) + suffix }));
}

/** Returns `0001_accounts` as `accounts`, and `claim_operation` as `claimOperation`. */
function camelCase(name: string): string {
  return name.replace(/^\d+_/, "").replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The line width of deno.json. */
const LINE_WIDTH = 100;

/** Returns an import in the form that `deno fmt` gives it. */
function importOf({ name, binding }: ImportedScript): string {
  const head = `import ${binding} from "../../sql/${name}.sql" with {`;
  const line = `${head} type: "text" };`;
  return line.length <= LINE_WIDTH ? line : `${head}\n  type: "text",\n};`;
}

function listOf(constant: string, scripts: ImportedScript[]): string {
  const rows = scripts.map(({ name, binding }) => `  { name: "${name}", text: ${binding} },\n`);
  return `export const ${constant}: readonly Script[] = [\n${rows.join("")}];`;
}

if (import.meta.main) Deno.writeTextFileSync("src/db/scripts.ts", scriptsModule("sql"));
