/** Returns the result of an operation of the file system; undefined if there is no such file. */
export async function unlessMissing<Result>(result: Promise<Result>): Promise<Result | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Returns whether a file, folder or link is at a path. */
export async function exists(path: string): Promise<boolean> {
  return await unlessMissing(Deno.lstat(path)) !== undefined;
}

/** Returns whether a file is at a path, or a link that leads to one. */
export async function isFile(path: string): Promise<boolean> {
  return (await unlessMissing(Deno.stat(path)))?.isFile === true;
}

/** Yields a path and every path below it, if there is one. Links are not followed. */
export async function* listTree(path: string): AsyncGenerator<{ path: string } & Deno.FileInfo> {
  const entry = await unlessMissing(Deno.lstat(path));
  if (entry === undefined) return;
  yield { path, ...entry };
  if (!entry.isDirectory) return;
  for await (const { name } of Deno.readDir(path)) yield* listTree(`${path}/${name}`);
}
