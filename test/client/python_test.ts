/** The Python client as users get it: installed in an empty environment, against the service. */
import assert from "node:assert/strict";
import { VERSION } from "../../src/contract/version.ts";
import { findPython } from "../support/interpreters.ts";
import { clientTest, cut } from "../support/client_service.ts";
import { askingWorld } from "../support/markdown.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Packages that the client, its build and its check need. They come from the registry. */
const NEEDED = ["httpx>=0.27,<1", "hatchling>=1.27", "build", "mypy"];

/**
 * Builds the client as its README says, and installs the wheel in a new virtual environment. Returns
 * the interpreter; undefined if Python is too old, or the registry of Python packages cannot be
 * reached.
 */
async function installClient(python: string, directory: string): Promise<string | undefined> {
  const run = (program: string, args: string[]) =>
    new Deno.Command(program, { args, cwd: directory }).output();
  const made = await run(python, ["-c", VENV, `${directory}/venv`]);
  if (!made.success) return undefined;
  const installed = `${directory}/venv/bin/python`;
  // The interpreter of the environment is started by the permitted one.
  const module = (...args: string[]) => run(python, ["-c", RUN, installed, "-m", ...args]);
  const pip = (...args: string[]) => module("pip", "install", "--quiet", ...args);
  if (!(await pip("--timeout", "5", "--retries", "0", ...NEEDED)).success) return undefined;
  const source = `${directory}/source`;
  await copyFolder("client/python", source);
  const built = await module("build", "--no-isolation", source);
  assert.ok(built.success, decode(built.stdout) + decode(built.stderr));
  const files = [...Deno.readDirSync(`${source}/dist`)].map(({ name }) => name).sort();
  assert.deepEqual(files, [
    `company_evidence_client-${VERSION}-py3-none-any.whl`,
    `company_evidence_client-${VERSION}.tar.gz`,
  ]);
  const { success, stderr } = await pip("--no-index", `${source}/dist/${files[0]}`);
  assert.ok(success, decode(stderr));
  return installed;
}

/** Program that makes a virtual environment if this Python has the version that the client needs. */
const VENV = "import sys, venv; assert sys.version_info >= (3, 11); " +
  "venv.create(sys.argv[1], with_pip=True)";

/** Program that starts another interpreter with the remaining arguments. */
const RUN = "import subprocess, sys; sys.exit(subprocess.run(sys.argv[1:]).returncode)";

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}

const README = Deno.readTextFileSync("client/python/README.md");
const PROGRAMS = [...README.matchAll(/^```py\n(.*?)^```$/gms)].map(([, program]) => program!);

const NAME = "the programs of client/python/README.md run with the installed client";
const python = findPython();
const directory = await Deno.makeTempDir({ prefix: "ce-python-" });
addEventListener("unload", () => Deno.removeSync(directory, { recursive: true }));
const installed = python && await installClient(python, directory);
if (python === undefined || installed === undefined) {
  const reason = python === undefined
    ? "no Python"
    : "Python before 3.11, no venv, or no registry of Python packages";
  Deno.test({ name: `${NAME} (skipped: ${reason})`, ignore: true, fn() {} });
} else {
  clientTest(NAME, async ({ url, world, requests, next, serve }) => {
    const env = { SERVICE_URL: url, CE_API_KEY: world.keys.entitled };
    const run = async (program: string) => {
      const { success, stdout, stderr } = await new Deno.Command(python, {
        args: ["-c", RUN, installed, "-c", askingWorld(program)],
        cwd: directory,
        env,
      }).output();
      assert.ok(success, decode(stderr));
      return decode(stdout).trim().split("\n").at(-1);
    };
    assert.equal(PROGRAMS.length, 2);
    // The first answer is cut off, so the client repeats the request with its key.
    next.push((request) => cut(serve(request)));
    assert.equal(await run(PROGRAMS[0]!), "3 companies delivered and charged");
    assert.equal(requests.length, 2);
    assert.equal(requests[0], requests[1]);
    requests.length = 0;
    assert.equal(await run(PROGRAMS[1]!), "2 invalid_search");
    const pages = requests.slice(0, 2);
    assert.deepEqual(
      pages,
      ["nightly-1", "nightly-1/2"].map((key) => `POST /api/companies/search ${key}`),
    );
    // A time of Retry-After that is over means no wait.
    const headers = { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" };
    const error = { code: "unavailable", message: "The service restarts." };
    next.push(() => Response.json({ error }, { status: 503, headers }));
    assert.equal(
      await run(OTHER_CALLS),
      "North 1 2 found ['An API key is required', '`key` is no API key: i', 'TypeError', " +
        "'ServiceError']",
    );
    // A redirect is no answer of the service, and a further attempt would not help.
    next.push(() => new Response(null, { status: 302, headers: { location: "/elsewhere" } }));
    assert.equal(await run(REDIRECTED), "The answer has status 302 and is not the service's.");
    // The installed package has types, which find the fault in the last line.
    await Deno.writeTextFile(`${directory}/program.py`, TYPED);
    const checked = await new Deno.Command(python, {
      args: ["-c", RUN, installed, "-m", "mypy", "--strict", "program.py"],
      cwd: directory,
    }).output();
    assert.match(
      decode(checked.stdout),
      /^program\.py:5: error: TypedDict "CompanySearchResult" has no key "nothing"[^\n]*\nFound 1 error/,
    );
  });
}

Deno.test("client/python/pyproject.toml has the service's version", () => {
  const [, version] = /^version = "(.*)"$/m.exec(
    Deno.readTextFileSync("client/python/pyproject.toml"),
  )!;
  assert.equal(version, VERSION);
});

/** Program with one error of types, in its last line. */
const TYPED = `
from company_evidence_client import EvidenceClient
page = EvidenceClient("http://127.0.0.1", "k").search_companies("q", filters={"countries": ["CA"]})
fact: str = page["companies"][0]["observations"][0]["observed_fact"]
page["nothing"]
`;

/** Program that makes the other calls. */
const OTHER_CALLS = `
import os
from company_evidence_client import EvidenceClient, ServiceError
refused = []
for key in ["", "ce_…"]:
    try:
        EvidenceClient("http://127.0.0.1", key)
    except ValueError as error:
        refused.append(str(error)[:22])
with EvidenceClient(os.environ["SERVICE_URL"], os.environ["CE_API_KEY"]) as client:
    looked = client.get_companies(domains=["north.example"])
    company = client.get_company(looked["companies"][0]["id"])
    listed = list(client.observation_pages(["north.example"], "2020-01-01T00:00:00Z", limit=1))
    client.get_observation(listed[0]["observations"][0]["id"])
    later = client.search_companies("freezer warehouse", limit=2, background=True)
    client.get_usage()
    for options in {"filters": {"countries": {"CA"}}}, {"request_key": ""}:
        try:
            client.search_companies("freezer", **options)
        except (TypeError, ServiceError) as error:
            refused.append(type(error).__name__)
    print(company["name"], len(looked["lookups"]), len(later["companies"]),
          looked["lookups"][0]["status"], refused)
`;

/** Program that prints why a call failed. */
const REDIRECTED = `
import os
from company_evidence_client import ConnectionFailed, EvidenceClient
with EvidenceClient(os.environ["SERVICE_URL"], os.environ["CE_API_KEY"]) as client:
    try:
        client.get_usage()
    except ConnectionFailed as failure:
        print(failure)
`;
