/** Reading and unpacking of tar archives, such as those in npm packages. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { pack } from "tar-stream";
import { readTar, unpackTar } from "../../src/db/tar.ts";

interface Part {
  name: string;
  type?: string;
  text?: string;
}

/** Returns an archive of these parts, written by the package tar-stream. */
async function archiveOf(parts: Part[]): Promise<Uint8Array<ArrayBuffer>> {
  const archive = pack();
  for (const { text, ...header } of parts) archive.entry({ mode: 0o644, ...header }, text);
  archive.finalize();
  return new Uint8Array(Buffer.concat(await Array.fromAsync(archive)));
}

Deno.test("readTar() yields the entries of an archive in their order", async () => {
  const archive = await archiveOf([
    { name: "/base", type: "directory" },
    { name: "/base/1", text: "x".repeat(513) },
    { name: "/base/empty", text: "" },
    { name: "/PG_VERSION", text: "18\n" },
  ]);
  const entries = [...readTar(archive)].map(({ name, is_directory, bytes }) => ({
    name,
    is_directory,
    text: new TextDecoder().decode(bytes),
  }));
  assert.deepEqual(entries, [
    { name: "/base", is_directory: true, text: "" },
    { name: "/base/1", is_directory: false, text: "x".repeat(513) },
    { name: "/base/empty", is_directory: false, text: "" },
    { name: "/PG_VERSION", is_directory: false, text: "18\n" },
  ]);
});

Deno.test("readTar() refuses an archive that ends within a file", async () => {
  const archive = await archiveOf([{ name: "1", text: "x".repeat(600) }]);
  assert.throws(() => [...readTar(archive.subarray(0, 1_000))], /The archive ends within 1\./);
});

Deno.test("unpackTar() writes private files, and only inside its folder", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "ce-tar-" });
  const modeOf = (path: string) => Deno.statSync(path).mode! & 0o777;
  try {
    const archive = await archiveOf([
      { name: "/global", type: "directory" },
      { name: "/global/1", text: "one" },
    ]);
    unpackTar(archive, `${folder}/new`);
    assert.equal(Deno.readTextFileSync(`${folder}/new/global/1`), "one");
    assert.deepEqual(
      ["new", "new/global", "new/global/1"].map((path) => modeOf(`${folder}/${path}`)),
      [0o700, 0o700, 0o600],
    );
    const outside = await archiveOf([{ name: "../outside", text: "one" }]);
    assert.throws(() => unpackTar(outside, `${folder}/new`), /unexpected entry: \.\.\/outside/);
    assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name), ["new"]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
