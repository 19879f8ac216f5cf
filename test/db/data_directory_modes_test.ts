/** Permissions of the files of the embedded database. */
import assert from "node:assert/strict";
import { connect } from "../../src/db/connect.ts";
import { makePrivate } from "../../src/db/data_directory.ts";
import { createLog } from "../../src/log.ts";
import { withDataDir } from "../support/data_dir.ts";
import { silent } from "../support/operations.ts";
import { checkedTest } from "../support/web.ts";

/** Registers a test with a directory that any user may enter and list, as mkdir creates it. */
function openDirectoryTest(name: string, body: (data_dir: string) => Promise<void>): void {
  checkedTest(name, () =>
    withDataDir(async (parent) => {
      const data_dir = `${parent}/data`;
      Deno.mkdirSync(data_dir);
      Deno.chmodSync(data_dir, 0o755);
      await body(data_dir);
    }));
}

async function openAndClose(data_dir: string): Promise<void> {
  const db = await connect({ data_dir, borrow: false, log: silent });
  await db.close();
}

/** Lists a path and all paths below it, with their permission bits. */
function modesUnder(path: string): [string, number][] {
  const { mode, isDirectory } = Deno.lstatSync(path);
  const below = isDirectory ? [...Deno.readDirSync(path)] : [];
  return [[path, mode! & 0o777], ...below.flatMap(({ name }) => modesUnder(`${path}/${name}`))];
}

function openToOthers(path: string): string[] {
  return modesUnder(path).filter(([, mode]) => (mode & 0o077) !== 0).map(([name]) => name);
}

openDirectoryTest(
  "connect() makes an existing directory and all its files private",
  async (data_dir) => {
    await openAndClose(data_dir);
    assert.ok(modesUnder(data_dir).length > 900);
    assert.deepEqual(openToOthers(data_dir), []);
  },
);

openDirectoryTest("connect() makes the files of an earlier version private", async (data_dir) => {
  await openAndClose(data_dir);
  Deno.writeTextFileSync(`${data_dir}/demo_key`, "a key");
  Deno.writeTextFileSync(`${data_dir}/index.snapshot`, "an index");
  for (const [path] of modesUnder(data_dir)) {
    Deno.chmodSync(path, Deno.lstatSync(path).isDirectory ? 0o755 : 0o666);
  }
  await openAndClose(data_dir);
  assert.deepEqual(openToOthers(data_dir), []);
});

openDirectoryTest(
  "connect() refuses a directory with foreign files to which other users can write",
  async (data_dir) => {
    Deno.writeTextFileSync(`${data_dir}/of another program`, "");
    Deno.chmodSync(data_dir, 0o777);
    await assert.rejects(openAndClose(data_dir), {
      message: `Other users can write to the data directory ${data_dir}. Run chmod 700 on it, or ` +
        "set DATA_DIR to a separate directory.",
    });
    assert.equal(Deno.statSync(data_dir).mode! & 0o777, 0o777);
    // The refusal releases the lock of the directory.
    Deno.chmodSync(data_dir, 0o700);
    await openAndClose(data_dir);
  },
);

openDirectoryTest(
  "connect() warns of a directory with foreign files that other users can list",
  async (data_dir) => {
    const foreign = `${data_dir}/of another program`;
    Deno.writeTextFileSync(foreign, "");
    Deno.chmodSync(foreign, 0o644);
    const warnings: Record<string, unknown>[] = [];
    const log = createLog("warn", (line) => warnings.push(JSON.parse(line)));
    const db = await connect({ data_dir, borrow: false, log });
    await db.close();
    assert.deepEqual(warnings.map(({ message, directory }) => [message, directory]), [
      ["other users can list the data directory, though not read its files", data_dir],
    ]);
    // The modes of the directory and of foreign files stay unchanged.
    assert.deepEqual(openToOthers(data_dir), [data_dir, foreign]);
  },
);

openDirectoryTest(
  "makePrivate() does nothing if the directory does not exist",
  (data_dir) => makePrivate(`${data_dir}/none`, silent),
);
