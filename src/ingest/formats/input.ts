/** A file, or standard input. */
interface Input extends AsyncDisposable {
  /** Size in bytes; undefined if it is not known. */
  size?: number;
  /** Returns the chunks, which can be read once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Returns the number of bytes that have been read so far. */
  bytesRead(): number;
}

/** Opens a file, or standard input for `-`. Errors of opening name the path. */
export async function openInput(
  path: string,
  stdin: AsyncIterable<Uint8Array> = Deno.stdin.readable,
): Promise<Input> {
  const file = path === "-" ? undefined : await openFile(path);
  let bytes = 0;
  let taken = false;
  return {
    size: file?.size,
    bytesRead: () => bytes,
    async *chunks() {
      taken = true;
      for await (const chunk of file?.stream ?? stdin) {
        bytes += chunk.length;
        yield chunk;
      }
    },
    async [Symbol.asyncDispose]() {
      if (!taken) await file?.stream.cancel();
    },
  };
}

async function openFile(path: string) {
  const { isDirectory, isFile, size } = await Deno.stat(path);
  if (isDirectory) throw new Deno.errors.IsADirectory(`${path}: is a directory`);
  return { stream: (await Deno.open(path)).readable, size: isFile ? size : undefined };
}
