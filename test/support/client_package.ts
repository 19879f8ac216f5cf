/** Builds and installs the typed client as a package, and checks programs that use it. */
import assert from "node:assert/strict";
import { dirname } from "node:path";

/** Flags of `deno task client`, except its permissions for files. */
const BUILD = ["run", "--quiet", "--no-prompt", "--config=client/deno.json", "--ignore-env"];

/** Returns the types that the generator writes for an OpenAPI document, in TypeScript or Python. */
export async function printTypes(document: object, suffix: ".ts" | ".py"): Promise<string> {
  const file = await Deno.makeTempFile({ prefix: "ce-client-", suffix });
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

/** Builds the client in a directory. */
export async function buildClient(directory: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...BUILD,
      `--allow-read=.,${directory}`,
      `--allow-write=${directory}`,
      "client/build.ts",
      "build",
      directory,
    ],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Packs the client, and installs the package in an empty directory by npm. */
export async function installClient(directory: string, npm: string[]): Promise<void> {
  const run = async (...args: string[]) => {
    const [program, ...head] = npm;
    const { success, stdout, stderr } = await new Deno.Command(program!, {
      args: [...head, ...args, "--offline", "--no-audit", "--no-fund", "--no-update-notifier"],
      cwd: directory,
      env: {
        npm_config_cache: `${directory}/cache`,
        PATH: [dirname(Deno.execPath()), Deno.env.get("PATH")].join(":"),
      },
    }).output();
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    assert.ok(success, `${text(stdout)}\n${text(stderr)}`);
  };
  await run("pack", Deno.realPathSync("client"));
  const file = [...Deno.readDirSync(directory)].find(({ name }) => name.endsWith(".tgz"))!;
  assert.equal(file.name, "company-evidence-client-0.1.0.tgz");
  await Deno.writeTextFile(`${directory}/package.json`, "{}");
  await run("install", `./${file.name}`);
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
