/** Flushes the files of an embedded database to the disk, which PGlite itself does not do. */
import { NodeFS } from "@electric-sql/pglite/nodefs";

/** A file or folder that PostgreSQL has opened. */
interface OpenFile {
  node: unknown;
}

/** The part of Emscripten's file system for folders of the machine (NODEFS) that is used here. */
interface FolderFileSystem {
  realPath(node: unknown): string;
  node_ops: {
    setattr(node: unknown, attributes: { size?: number }): void;
    unlink(...rest: unknown[]): void;
    rename(...rest: unknown[]): void;
  };
  stream_ops: {
    fsync?(file: OpenFile): number;
    write(file: OpenFile, ...rest: unknown[]): number;
  };
}

/** Matches the path of a segment of the write-ahead log. */
const LOG_SEGMENT = /[/\\]pg_wal[/\\][0-9A-F]{24}$/;

/**
 * Files of PGlite in a folder of the machine, which are flushed when PostgreSQL requests it. PGlite
 * itself answers such a request without a flush.
 *
 * A commit requests a flush of the write-ahead log. To flush it at once would keep the process from
 * its callers for milliseconds. `flush` does it beside the event loop, once for all commits that
 * wait, and the bridge holds back their answers. No other file is written, flushed, truncated,
 * removed or renamed before the log is flushed, so that PostgreSQL recovers from every moment.
 */
export class FlushedFiles extends NodeFS {
  /** Segments of the log whose flush is requested. */
  #requested = new Set<string>();
  /** Segments of the log that are being flushed. */
  #flushing = new Set<string>();
  #current?: Promise<void>;
  #next?: Promise<void>;

  override async init(...args: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(...args);
    const watch = ({ FS }: { FS: { filesystems: unknown } }) => this.#watch(FS.filesystems);
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun ?? [], watch] },
    };
  }

  /**
   * Flushes what PostgreSQL has requested. Returns undefined if everything is on disk. A later call
   * never ends before an earlier one, so that the answers of a connection keep their order.
   * @throws Error of the file system, after which only a restart of PostgreSQL is safe
   */
  flush(): Promise<void> | undefined {
    if (this.#requested.size > 0) this.#next ??= this.#flushNext();
    return this.#next ?? this.#current;
  }

  async #flushNext(): Promise<void> {
    await this.#current;
    this.#current = this.#next;
    this.#next = undefined;
    [this.#flushing, this.#requested] = [this.#requested, new Set()];
    try {
      await Promise.all(Array.from(this.#flushing, flushSegment));
    } finally {
      this.#flushing = new Set();
      this.#current = undefined;
    }
  }

  #watch(filesystems: unknown): void {
    const { realPath, node_ops, stream_ops } = (filesystems as { NODEFS: FolderFileSystem }).NODEFS;
    const { setattr, unlink, rename } = node_ops;
    const { write } = stream_ops;
    stream_ops.fsync = ({ node }) => {
      const path = realPath(node);
      if (LOG_SEGMENT.test(path)) this.#requested.add(path);
      else {
        this.#flushLog();
        flushSync(path);
      }
      return 0;
    };
    stream_ops.write = (file, ...rest) => {
      const waits = this.#requested.size + this.#flushing.size > 0;
      if (waits && !LOG_SEGMENT.test(realPath(file.node))) this.#flushLog();
      return write(file, ...rest);
    };
    node_ops.setattr = (node, attributes) => {
      if (attributes.size !== undefined) this.#flushLog();
      setattr(node, attributes);
    };
    node_ops.unlink = (...rest) => {
      this.#flushLog();
      unlink(...rest);
    };
    node_ops.rename = (...rest) => {
      this.#flushLog();
      rename(...rest);
    };
  }

  #flushLog(): void {
    for (const path of [...this.#flushing, ...this.#requested]) {
      try {
        flushSync(path);
      } catch (error) {
        throwUnlessRemoved(error);
      }
    }
    // The flush beside the event loop continues. Its end still decides when the answers are sent.
    this.#flushing.clear();
    this.#requested.clear();
  }
}

async function flushSegment(path: string): Promise<void> {
  try {
    using file = await Deno.open(path, { write: true });
    await file.syncData();
  } catch (error) {
    throwUnlessRemoved(error);
  }
}

/** A segment is removed only after a checkpoint, which has flushed whatever it recorded. */
function throwUnlessRemoved(error: unknown): void {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
}

function flushSync(path: string): void {
  const { isDirectory } = Deno.statSync(path);
  // Windows cannot flush a folder.
  if (isDirectory && Deno.build.os === "windows") return;
  using file = Deno.openSync(path, isDirectory ? { read: true } : { write: true });
  file.syncSync();
}

/** Flushes a folder with its whole content. */
export async function flushTree(path: string): Promise<void> {
  const entries = await Array.fromAsync(Deno.readDir(path));
  await Promise.all(entries.map(async ({ name, isDirectory }) => {
    const entry = `${path}/${name}`;
    if (isDirectory) return await flushTree(entry);
    using file = await Deno.open(entry, { write: true });
    await file.sync();
  }));
  flushSync(path);
}
