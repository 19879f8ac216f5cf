/**
 * Reads the address of a request: checks its host and target, finds its path below the base path,
 * and reads its query parameters.
 */
import { getPath } from "hono/utils/url";
import { z } from "zod";
import type { FieldFault } from "../contract/faults.ts";
import { NO_SUCH_FIELD } from "../contract/fields.ts";

/** Pattern of a host name or address in a Host header (RFC 9110, 7.2), with its port. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{0,5})?$/i;

/** Pattern of a request's URL, which the server builds from Host and target without a check. */
const ADDRESS = /^https?:\/\/([^/?#]*)\/[^#]*$/;

/** Last authority that was found valid. Nearly all requests of a service have the same one. */
let lastValid: string | undefined;

/**
 * Returns whether a request has a valid Host and target. The server builds the request's URL from
 * both, so an invalid Host such as `x/docs#` would change the path of the URL.
 *
 * A target that names a host itself (`GET http://x/docs`) is valid, and takes precedence over Host
 * (RFC 9112, 3.2.2).
 *
 * @param requires_host true if the request came by HTTP/1.1, which requires a Host header
 */
export function hasValidTarget(request: Request, requires_host: boolean): boolean {
  const host = request.headers.get("host");
  if (host === null ? requires_host : !isAuthority(host)) return false;
  const [, authority] = ADDRESS.exec(request.url) ?? [];
  return authority !== undefined && isAuthority(authority);
}

function isAuthority(text: string): boolean {
  if (text === lastValid) return true;
  if (!AUTHORITY.test(text) || !URL.canParse(`http://${text}/`)) return false;
  lastValid = text;
  return true;
}

/**
 * Methods that are logged by name. Any other method is arbitrary text of the caller, which must not
 * get into the log.
 */
const METHODS = /^(?:CONNECT|DELETE|GET|HEAD|OPTIONS|PATCH|POST|PUT|TRACE)$/;

/** Returns a method for the log; `OTHER` for an unknown one. */
export function loggedMethod(method: string): string {
  return METHODS.test(method) ? method : "OTHER";
}

/**
 * Returns a request that the router can handle. The router looks up the method in a plain object,
 * which also has members such as `constructor`. An unknown method is therefore replaced.
 */
export function routable(request: Request): Request {
  const method = loggedMethod(request.method);
  if (method === request.method) return request;
  // A copy of the request would include its signal, about which Deno warns on stderr.
  const url = URL.canParse(request.url) ? request.url : "http://localhost/";
  return new Request(url, { method, headers: request.headers });
}

/**
 * Router path of the base path without a slash at its end. Such a request is redirected, because
 * relative links would fail there.
 */
export const BASE = "/..";

/** Router path of every path outside of the base path. No route matches it. */
const BESIDE = "/../..";

/**
 * Returns the path for the router: the part after the base path.
 *
 * @param base_path not empty, without a slash at its end
 */
export function pathBelow(base_path: string, request: Request): string {
  const path = getPath(request);
  if (path === base_path) return BASE;
  return path.startsWith(`${base_path}/`) ? path.slice(base_path.length) : BESIDE;
}

/** A field of an input as a parameter of a query. */
interface Parameter {
  /** Name of the input's field. */
  field: string;
  /** Name in the query. The name of a list ends in `[]`, and the parameter is repeated. */
  name: string;
  list: boolean;
  /** True if the values are integers. */
  integer: boolean;
}

/** Returns the parameters of an input, in the order of its fields. */
export function parametersOf(input: z.ZodObject): Parameter[] {
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  return Object.entries(properties).map(([field, schema]) => {
    const { type, items } = schema as z.core.JSONSchema.BaseSchema;
    const list = type === "array";
    const itemType = list ? (items as z.core.JSONSchema.BaseSchema).type : type;
    return {
      field,
      name: list ? `${field}[]` : field,
      list,
      integer: itemType === "integer",
    };
  });
}

/**
 * Reads query parameters. Repeated parameters `domains[]` become the list `domains`. As in a form, a
 * plus sign is a space, and %2B is a plus sign.
 */
export function readParameters(
  query: URLSearchParams,
  parameters: readonly Parameter[],
): { inputs: Record<string, unknown>; faults: FieldFault[] } {
  const inputs: Record<string, unknown> = {};
  // Each name has at most one fault, however often it is repeated.
  const faults = new Map<string, FieldFault>();
  const refuse = (name: string, sentence: string) => faults.set(name, { path: [name], sentence });
  for (const [name, text] of query) {
    const parameter = parameters.find((one) => one.name === name) ?? misspelt(name, parameters);
    if (parameter === undefined) {
      refuse(name, NO_SUCH_FIELD);
      continue;
    }
    // The value is read as that of the intended parameter, so that it is checked as well.
    if (parameter.name !== name) {
      const repeated = parameter.list ? ", once for each value" : "";
      refuse(name, `${NO_SUCH_FIELD}, write ${parameter.name}${repeated}`);
    }
    const { field, list, integer } = parameter;
    const value = integer ? integerOf(text) : text;
    if (list) ((inputs[field] ??= []) as unknown[]).push(value);
    else if (Object.hasOwn(inputs, field)) refuse(name, "given more than once");
    else inputs[field] = value;
  }
  return { inputs, faults: [...faults.values()] };
}

/** Returns the parameter that a name with a missing or superfluous `[]` was meant for. */
function misspelt(name: string, parameters: readonly Parameter[]): Parameter | undefined {
  const field = name.endsWith("[]") ? name.slice(0, -2) : name;
  return parameters.find((one) => one.field === field);
}

/**
 * Returns the integer in a text of a path or query. Any other text is unchanged, and refused later.
 */
export function integerOf(text: string | undefined): number | string | undefined {
  if (text === undefined || !/^(0|[1-9][0-9]*)$/.test(text)) return text;
  return Math.min(Number(text), Number.MAX_VALUE);
}

/** Hosts that always name the machine itself. */
const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** Headers that a proxy adds. The caller of a proxy may be on any machine. */
const PROXY_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
];

/**
 * Returns whether a request names a loopback host, and shows no sign of a proxy or of a page of
 * another site. Other host names are refused, because their owners can point them at this machine.
 */
export function isAskedAtLoopback({ url, headers }: Request): boolean {
  const host = headers.get("host")?.toLowerCase().replace(/:[0-9]*$/, "");
  const hosts = [new URL(url).hostname, host];
  const site = headers.get("sec-fetch-site");
  return hosts.every((host) => host === undefined || LOOPBACK_HOSTS.includes(host)) &&
    !PROXY_HEADERS.some((name) => headers.has(name)) &&
    (site === null || site === "same-origin" || site === "none");
}
