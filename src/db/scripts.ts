/** Reads the scripts of sql/. */

/** A script of sql/. */
export interface Script {
  /** Path below sql/ without its ending. */
  name: string;
  text: string;
}

/** Scripts that a database needs. Those of each kind run in the order of their names. */
export interface Schema {
  /** Scripts that run once each. They never change after a release. */
  tables: readonly Script[];
  /** Scripts of views. Each runs again after a change, after the tables. */
  views: readonly Script[];
  /** Scripts of functions. Each runs again after a change, after the views. */
  functions: readonly Script[];
  /** Version of the program with these scripts; by default this program's. */
  version?: string;
}

let schema: Schema | undefined;

/** Returns this program's scripts. They are read once, so that a later change has no effect. */
export function readSchema(): Schema {
  if (schema !== undefined) return schema;
  const scripts = scriptsUnder("");
  return schema = {
    tables: scripts.filter(({ name }) => !name.includes("/")),
    views: scripts.filter(({ name }) => name.startsWith("views/")),
    functions: scripts.filter(({ name }) => name.startsWith("functions/")),
  };
}

function scriptsUnder(folder: string): Script[] {
  const at = (path: string) => new URL(`../../sql/${path}`, import.meta.url);
  return [...Deno.readDirSync(at(folder))]
    .sort((a, b) => a.name < b.name ? -1 : 1)
    .flatMap(({ name, isDirectory }) => {
      if (isDirectory) return scriptsUnder(`${folder}${name}/`);
      const path = folder + name;
      if (!path.endsWith(".sql")) return [];
      return [{ name: path.slice(0, -".sql".length), text: Deno.readTextFileSync(at(path)) }];
    });
}
