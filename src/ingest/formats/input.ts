/** A file, or standard input. */
interface Input extends AsyncDisposable {
  /** Size in bytes; undefined if it is not known. */
  size?: number;
  /** Returns the chunks, which can be read once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Returns the number of bytes that have been read so far. */
  bytesRead(): number;
}

/** Opens a file, or standard input for `-`. Errors of the file system name the path. */
export async function openInput(
  path: string,
  stdin: AsyncIterable<Uint8Array> = Deno.stdin.readable,
): Promise<Input> {
  const opened: OpenedInput = path === "-"
    ? { stream: stdin }
    : await openFile(path).catch((error) => {
      throw namingPath(error, path);
    });
  let bytes = 0;
  let taken = path === "-";
  return {
    size: opened.size,
    bytesRead: () => bytes,
    async *chunks() {
      taken = true;
      try {
        for await (const chunk of opened.stream) {
          bytes += chunk.length;
          yield chunk;
        }
      } catch (error) {
        throw path === "-" ? error : namingPath(error, path);
      }
    },
    async [Symbol.asyncDispose]() {
      if (!taken && opened.stream instanceof ReadableStream) await opened.stream.cancel();
    },
  };
}

interface OpenedInput {
  stream: AsyncIterable<Uint8Array>;
  size?: number;
}

async function openFile(path: string): Promise<OpenedInput> {
  const { isDirectory, isFile, size } = await Deno.stat(path);
  if (isDirectory) throw new Deno.errors.IsADirectory("is a directory");
  return { stream: (await Deno.open(path)).readable, size: isFile ? size : undefined };
}

function namingPath(error: unknown, path: string): unknown {
  if (error instanceof Error && !error.message.includes(path)) {
    error.message = `${path}: ${error.message}`;
  }
  return error;
}
