/** Builds and installs the typed client as a package, and checks programs that use it. */
import assert from "node:assert/strict";

/** Flags of `deno task client`, except its permissions for files. */
const BUILD = [
  "run",
  "--quiet",
  "--no-prompt",
  "--config=client/deno.json",
  "--ignore-env",
];

/** Returns the types that the generator writes for an OpenAPI document. */
export async function printTypes(document: object): Promise<string> {
  const file = await Deno.makeTempFile({ prefix: "ce-client-", suffix: ".ts" });
  try {
    const child = new Deno.Command(Deno.execPath(), {
      args: [...BUILD, "--allow-read=.", `--allow-write=${file}`, "client/build.ts", "types", file],
      stdin: "piped",
      stderr: "piped",
    }).spawn();
    await new Response(JSON.stringify(document)).body!.pipeTo(child.stdin);
    const { success, stderr } = await child.output();
    assert.ok(success, new TextDecoder().decode(stderr));
    return await Deno.readTextFile(file);
  } finally {
    await Deno.remove(file);
  }
}

/** Installs the built client in a directory, as npm does. */
export async function installClient(directory: string): Promise<void> {
  const folder = `${directory}/node_modules/company-evidence-client`;
  await Deno.mkdir(folder, { recursive: true });
  const dependencies = { "company-evidence-client": "0.1.0" };
  await Deno.writeTextFile(`${directory}/package.json`, JSON.stringify({ dependencies }));
  await Deno.writeTextFile(
    `${folder}/package.json`,
    await Deno.readTextFile("client/package.json"),
  );
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...BUILD,
      `--allow-read=.,${folder}`,
      `--allow-write=${folder}`,
      "client/build.ts",
      "build",
      `${folder}/dist`,
    ],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Returns the errors of `deno check` for a program; an empty text if it has none. */
export async function checkProgram(directory: string, program: string): Promise<string> {
  const file = `${directory}/program.ts`;
  await Deno.writeTextFile(file, program);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", "--no-lock", "--node-modules-dir=manual", file],
    cwd: directory,
    env: { NO_COLOR: "1" },
  }).output();
  return success ? "" : new TextDecoder().decode(stderr);
}
