/** Reading and unpacking of compressed tar archives, such as those in npm packages. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { unpackTar } from "../../src/db/tar.ts";

interface Part {
  name: string;
  type?: string;
  text?: string;
  linkname?: string;
}

/** Returns the bytes of a compressed archive of these parts. */
async function archiveOf(parts: Part[]): Promise<Uint8Array[]> {
  const archive = pack();
  for (const { text, ...header } of parts) archive.entry({ mode: 0o644, ...header }, text);
  archive.finalize();
  return await Array.fromAsync(archive.pipe(createGzip()));
}

/** Runs `use` with the path of an empty folder. */
async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "ce-tar-" });
  try {
    await use(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("unpackTar() writes private files", () =>
  withFolder(async (folder) => {
    const archive = await archiveOf([
      { name: "/global", type: "directory" },
      { name: "/global/1", text: "x".repeat(513) },
      { name: "/global/empty", text: "" },
      { name: "/PG_VERSION", text: "18\n" },
    ]);
    await unpackTar(Readable.from(archive), `${folder}/new`);
    const textOf = (path: string) => Deno.readTextFileSync(`${folder}/new/${path}`);
    assert.deepEqual(["global/1", "global/empty", "PG_VERSION"].map(textOf), [
      "x".repeat(513),
      "",
      "18\n",
    ]);
    const modeOf = (path: string) => Deno.statSync(`${folder}/${path}`).mode! & 0o777;
    assert.deepEqual(["new", "new/global", "new/global/1"].map(modeOf), [0o700, 0o700, 0o600]);
  }));

Deno.test("unpackTar() refuses links, paths outside its folder, and archives that are cut", () =>
  withFolder(async (folder) => {
    const cases: [Part, RegExp][] = [
      [{ name: "../outside", text: "one" }, /unexpected entry: \.\.\/outside/],
      [{ name: "a/../../outside", text: "one" }, /unexpected entry: a\/\.\.\/\.\.\/outside/],
      [{ name: "link", type: "symlink", linkname: "/etc/passwd" }, /unexpected entry: link/],
    ];
    for (const [part, message] of cases) {
      const archive = await archiveOf([part]);
      await assert.rejects(unpackTar(Readable.from(archive), `${folder}/new`), message);
    }
    const whole = new Uint8Array(
      await new Blob(await archiveOf([{ name: "1", text: "x" }]) as BlobPart[]).arrayBuffer(),
    );
    const cut = Readable.from([whole.subarray(0, whole.length - 20)]);
    await assert.rejects(unpackTar(cut, `${folder}/new`));
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["new"]);
  }));
