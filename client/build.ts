/**
 * Builds the clients. `types FILE …` reads the OpenAPI document from standard input, and writes its
 * types to each file: in Python if its name ends in .py, else in TypeScript. `build DIRECTORY` writes
 * the JavaScript and its declarations.
 */
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { printPythonTypes } from "./python_types.ts";

const HEAD =
  "/** Types of the service's OpenAPI document. `deno task client` writes this file. */\n\n";

if (import.meta.main) {
  const [what, ...targets] = Deno.args;
  if (targets.length === 0) throw new Error("usage: build.ts types FILE … | build DIRECTORY");
  if (what === "build") build(targets[0]!);
  else await writeTypes(targets);
}

/** Writes the types of the document on standard input to each file, in the language of its name. */
async function writeTypes(files: string[]): Promise<void> {
  const document = await new Response(Deno.stdin.readable).json();
  for (const file of files) {
    const text = file.endsWith(".py") ? printPythonTypes(document) : await printTypes(document);
    Deno.writeTextFileSync(file, text);
  }
}

/** Returns the TypeScript types of a document, with a comment that names the generator. */
async function printTypes(document: Parameters<typeof openapiTS>[0]): Promise<string> {
  return HEAD + astToString(await openapiTS(document));
}

/**
 * Writes the JavaScript and its declarations: ES modules, and CommonJS modules in `cjs`.
 * @throws Error for a type error
 */
function build(directory: string): void {
  emit({ outDir: directory });
  emit({
    outDir: `${directory}/cjs`,
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    verbatimModuleSyntax: false,
  });
  // The package itself has the type "module".
  Deno.writeTextFileSync(`${directory}/cjs/package.json`, '{ "type": "commonjs" }\n');
}

function emit(changed: ts.CompilerOptions): void {
  const folder = new URL(".", import.meta.url).pathname;
  const { config } = ts.readConfigFile(`${folder}tsconfig.json`, ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, { ...options, ...changed });
  const { diagnostics } = program.emit();
  const faults = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (faults.length === 0) return;
  throw new Error(ts.formatDiagnostics(faults, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  }));
}
