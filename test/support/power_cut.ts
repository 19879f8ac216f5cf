/** Models a power cut: the disk of which only flushed content survives. */
import { basename, dirname } from "node:path";

/** Content that a flush has written: of a file its bytes, of a folder its names and their inodes. */
interface Disk {
  files: Map<number, Uint8Array>;
  folders: Map<string, Map<string, number>>;
}

type Path = Parameters<typeof Deno.open>[0];

/**
 * Runs `use` while it records what this process flushes. `cut` writes to a folder what a power cut
 * would leave of another one: files and names that were flushed. As on ext4, a flush of a file
 * writes its name, too. A file whose name alone was flushed is empty.
 */
export async function withPowerCut(
  use: (cut: (from: string, to: string) => void) => Promise<void>,
): Promise<void> {
  const disk: Disk = { files: new Map(), folders: new Map() };
  const paths = new WeakMap<Deno.FsFile, string>();
  const { open, openSync } = Deno;
  const { sync, syncSync, syncData } = Deno.FsFile.prototype;
  const remember = (file: Deno.FsFile, path: Path) => (paths.set(file, String(path)), file);
  const flushed = (file: Deno.FsFile) => read(paths.get(file)!, disk);
  Deno.open = async (path, options) => remember(await open(path, options), path);
  Deno.openSync = (path, options) => remember(openSync(path, options), path);
  // A flush writes at least what was written before it, so the content is read first.
  Deno.FsFile.prototype.sync = async function () {
    const write = flushed(this);
    await sync.call(this);
    write();
  };
  Deno.FsFile.prototype.syncData = async function () {
    const write = flushed(this);
    await syncData.call(this);
    write();
  };
  Deno.FsFile.prototype.syncSync = function () {
    const write = flushed(this);
    syncSync.call(this);
    write();
  };
  try {
    await use((from, to) => writeFolder(disk, from, to));
  } finally {
    Object.assign(Deno, { open, openSync });
    Object.assign(Deno.FsFile.prototype, { sync, syncSync, syncData });
  }
}

/** Reads a file or folder. Returns a function that enters the content as flushed. */
function read(path: string, disk: Disk): () => void {
  const { isDirectory, ino } = Deno.statSync(path);
  if (isDirectory) {
    const names = [...Deno.readDirSync(path)].map(({ name }) =>
      [name, Deno.statSync(`${path}/${name}`).ino!] as const
    );
    return () => void disk.folders.set(path, new Map(names));
  }
  const bytes = Deno.readFileSync(path);
  return () => {
    disk.files.set(ino!, bytes);
    disk.folders.get(dirname(path))?.set(basename(path), ino!);
  };
}

function writeFolder(disk: Disk, from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const [name, ino] of disk.folders.get(from) ?? []) {
    if (disk.folders.has(`${from}/${name}`)) writeFolder(disk, `${from}/${name}`, `${to}/${name}`);
    else Deno.writeFileSync(`${to}/${name}`, disk.files.get(ino) ?? new Uint8Array());
  }
}
