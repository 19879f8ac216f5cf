/** Lists and reads the files of the project, for tests that check them. */

/** Returns the paths of the TypeScript files below a directory, sorted; none if it does not exist. */
export function sourcesUnder(directory: string): string[] {
  let entries: Deno.DirEntry[];
  try {
    // The packages of test/clients are in its node_modules.
    entries = [...Deno.readDirSync(directory)].filter(({ name }) => name !== "node_modules");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return entries.flatMap(({ name, isDirectory }) => {
    const path = `${directory}/${name}`;
    if (isDirectory) return sourcesUnder(path);
    return name.endsWith(".ts") ? [path] : [];
  }).sort();
}

/** Returns the paths of the SQL files below a directory. */
export function scriptsUnder(directory: string): string[] {
  return [...Deno.readDirSync(directory)].flatMap(({ name, isDirectory }) =>
    isDirectory
      ? scriptsUnder(`${directory}/${name}`)
      : name.endsWith(".sql")
      ? [`${directory}/${name}`]
      : []
  );
}

/** Returns the text of a file. */
export function read(file: string): string {
  return Deno.readTextFileSync(file);
}

/** Returns the number of lines of a text. */
export function linesOf(text: string): number {
  return text.split("\n").length - 1;
}
