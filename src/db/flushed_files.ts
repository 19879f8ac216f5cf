/** Flushes the files of an embedded database to the disk, which PGlite itself does not do. */
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { listTree } from "./exists.ts";

/** The part of Emscripten's file system for folders of the machine (NODEFS) that is used here. */
interface FolderFileSystem {
  realPath(node: unknown): string;
  stream_ops: { fsync?(file: { node: unknown }): number };
}

/**
 * Files of PGlite in a folder of the machine, which are flushed when PostgreSQL requests it. PGlite
 * itself answers such a request without a flush. The process waits for the flush. Flushes beside
 * the event loop were at most 6 % faster with 16 connections, and slower with one (2026-11-28).
 */
export class FlushedFiles extends NodeFS {
  override async init(...args: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(...args);
    const addFlush = ({ FS }: { FS: { filesystems: unknown } }) => {
      const { realPath, stream_ops } = (FS.filesystems as { NODEFS: FolderFileSystem }).NODEFS;
      stream_ops.fsync = ({ node }) => {
        flush(realPath(node));
        return 0;
      };
    };
    return {
      emscriptenOpts: { ...emscriptenOpts, preRun: [...emscriptenOpts.preRun ?? [], addFlush] },
    };
  }
}

function flush(path: string): void {
  const { isDirectory } = Deno.statSync(path);
  // Windows cannot flush a folder.
  if (isDirectory && Deno.build.os === "windows") return;
  using file = Deno.openSync(path, isDirectory ? { read: true } : { write: true });
  file.syncSync();
}

/** Flushes a folder with its whole content. */
export async function flushTree(folder: string): Promise<void> {
  for await (const { path } of listTree(folder)) flush(path);
}
