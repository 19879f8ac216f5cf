// Builds the requests of the console, and writes them as curl commands, MCP calls and programs.

/**
 * @typedef {object} Call
 * @property {string} action name of the action
 * @property {"GET" | "POST"} method
 * @property {string} path relative to the service, such as `api/usage`
 * @property {[string, string][]} [params]
 * @property {object} [body]
 * @property {string} [key] idempotency key of a metered request
 * @property {boolean} [isOpen] true if the call needs no API key
 */

/** Address of the service: the folder of this page. It is correct behind a proxy, too. */
export const BASE = new URL(".", document.baseURI).href;

/** Returns the address of a call. Brackets stay readable, because `curl -g` accepts them. */
export function addressOf({ path, params = [] }) {
  const query = params.map(([name, value]) => `${name}=${encoded(value)}`).join("&");
  return BASE + path + (query && `?${query}`);
}

const encoded = (value) => encodeURIComponent(value).replaceAll("%3A", ":");

/** Returns a search of companies without empty filters. */
export function searchCall({ query, filters, limit, background, cursor }) {
  const body = { query };
  if (Object.keys(filters).length > 0) body.filters = filters;
  body.limit = limit;
  if (cursor) body.cursor = cursor;
  if (background) body.background = true;
  return { action: "search_companies", method: "POST", path: "api/companies/search", body };
}

/** Returns a listing of the observations of hostnames. */
export function listingCall({ domains, since, kinds, limit, cursor }) {
  return {
    action: "list_observations",
    method: "GET",
    path: "api/observations",
    params: [
      ...domains.map((domain) => ["domains[]", domain]),
      ["since", since],
      ...kinds.map((kind) => ["kinds[]", kind]),
      ["limit", String(limit)],
      ...cursor ? [["cursor", cursor]] : [],
    ],
  };
}

/** Returns a lookup by hostnames, or by ids if all targets are numbers. */
export function lookupCall(targets) {
  const name = targets.every((one) => /^[0-9]+$/.test(one)) ? "ids[]" : "domains[]";
  return {
    action: "get_companies",
    method: "GET",
    path: "api/companies",
    params: targets.map((one) => [name, one]),
  };
}

export const companyCall = (id) => ({
  action: "get_company",
  method: "GET",
  path: `api/companies/${id}`,
});

export const operationCall = (id) => ({
  action: "get_operation",
  method: "GET",
  path: `api/usages/${id}`,
});

export const usageCall = () => ({ action: "get_usage", method: "GET", path: "api/usage" });

const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Returns the headers of a call, except for the API key. */
function headersOf({ path, body, key }) {
  return [
    ...key ? [["Idempotency-Key", key]] : [],
    ...body ? [["Content-Type", "application/json"]] : [],
    // The MCP server refuses requests that do not accept both.
    ...path === "mcp" ? [["Accept", "application/json, text/event-stream"]] : [],
  ];
}

/** Returns a call as a curl command for a shell. */
export function asCurl(call) {
  const { method, body } = call;
  const lines = [
    `curl -sS ${method === "GET" ? "-g " : ""}${quoted(addressOf(call))}`,
    ...call.isOpen ? [] : [`-H "Authorization: Bearer $CE_API_KEY"`],
    ...headersOf(call).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...body ? [`-d ${quoted(JSON.stringify(body))}`] : [],
  ];
  return lines.join(" \\\n  ");
}

/** Returns a call as TypeScript for Deno, Node and Bun. */
export function asTypeScript(call) {
  const { method, body } = call;
  const text = body && JSON.stringify(body, null, 2).replaceAll("\n", "\n  ");
  return [
    `import process from "node:process";`,
    "",
    `const response = await fetch(${JSON.stringify(addressOf(call))}, {`,
    ...method === "GET" ? [] : [`  method: ${JSON.stringify(method)},`],
    "  headers: {",
    ...call.isOpen ? [] : ["    Authorization: `Bearer ${process.env.CE_API_KEY}`,"],
    ...headersOf(call).map(([name, value]) => `    "${name}": ${JSON.stringify(value)},`),
    "  },",
    ...text ? [`  body: JSON.stringify(${text}),`] : [],
    "});",
    "const answer = await response.json();",
    "if (!response.ok) throw new Error(answer.error.message);",
    "console.log(JSON.stringify(answer, null, 2));",
  ].join("\n");
}

/** Returns a call as a Python program that needs only the standard library. */
export function asPython(call) {
  const { method, body } = call;
  const text = body && JSON.stringify(body, null, 4).replaceAll("\n", "\n    ");
  return [
    "import json",
    "import os",
    "import urllib.request",
    "",
    "request = urllib.request.Request(",
    `    ${JSON.stringify(addressOf(call))},`,
    ...text ? [`    data=json.dumps(${inPython(text)}).encode(),`] : [],
    "    headers={",
    ...call.isOpen ? [] : [`        "Authorization": "Bearer " + os.environ["CE_API_KEY"],`],
    ...headersOf(call).map(([name, value]) => `        "${name}": ${JSON.stringify(value)},`),
    "    },",
    ...method === "GET" ? [] : [`    method=${JSON.stringify(method)},`],
    ")",
    "with urllib.request.urlopen(request) as answer:",
    "    print(json.dumps(json.load(answer), indent=2))",
  ].join("\n");
}

/** Names of the JSON literals in Python. */
const LITERALS = { true: "True", false: "False", null: "None" };

/** Returns a JSON text as Python. Only the literals outside of strings differ. */
function inPython(json) {
  return json.replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    (token) => LITERALS[token] ?? token,
  );
}

/** Returns the equivalent tool and its arguments; undefined if there is none. */
function toolOf({ action, path, params = [], body, key }) {
  const id = Number(path.split("/").at(-1));
  switch (action) {
    case "search_companies":
      return { name: action, arguments: { ...body, request_key: key } };
    case "get_companies": {
      const [[name]] = params.length > 0 ? params : [["domains[]"]];
      const values = params.map(([, value]) => name === "ids[]" ? Number(value) : value);
      return { name: action, arguments: { [name.slice(0, -2)]: values, request_key: key } };
    }
    case "get_company":
      return { name: action, arguments: { id } };
    case "get_operation":
      return { name: "get_usage", arguments: { id } };
    case "get_usage":
      return { name: "get_usage", arguments: {} };
  }
}

/** Returns a call as a call of an MCP tool, over the transport that agents use. */
export function asMcp(call) {
  const tool = toolOf(call);
  if (!tool) {
    return "No tool lists observations by domain. An agent looks the companies up with\n" +
      "get_companies, or calls this path over HTTP.";
  }
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool };
  return [
    `curl -sS ${quoted(`${BASE}mcp`)}`,
    `-H "Authorization: Bearer $CE_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-H 'Accept: application/json, text/event-stream'`,
    `-d ${quoted(JSON.stringify(message, null, 2))}`,
  ].join(" \\\n  ");
}
