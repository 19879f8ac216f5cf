/**
 * The HTTP door. It turns a web-standard Request into a Response. All answers of actions over HTTP
 * are written here.
 */
import { type Context as HonoContext, Hono, type MiddlewareHandler } from "hono";
import type { z } from "zod";
import type { KeyIdentities, KeyIdentity } from "../accounts/known_keys.ts";
import type { Actions } from "../actions.ts";
import type { NotReady } from "../contract/health.ts";
import { INPUTS } from "../contract/inputs.ts";
import type { PendingResult } from "../contract/operation.ts";
import { errorEnvelope, failureFacts, failureOf, replyFacts } from "../doors/answer.ts";
import { type DoorEnvironment, readCaller, readHeaderKey, readJson } from "../doors/request.ts";
import { Failure } from "../failures.ts";
import { type Log, unitFields } from "../log.ts";
import type { ChargedUnits, Metrics } from "../metrics.ts";
import type { Caller, Reply } from "../operations/action.ts";
import type { RawInputs } from "../operations/inputs.ts";
import { read, run, type RunContext } from "../operations/run.ts";
import { enterBody } from "../operations/turns.ts";
import { describeRequest } from "../tracing.ts";
import { pageResponse, pagesBelow } from "./pages.ts";
import { type Route, ROUTES } from "./routes.ts";
import {
  BASE,
  hasValidTarget,
  integerOf,
  isAskedAtLoopback,
  loggedMethod,
  parametersOf,
  pathBelow,
  readParameters,
  routable,
} from "./target.ts";

/** Reason why a service is not ready, as `/readyz` reports it. */
export type Obstacle = Omit<z.infer<typeof NotReady>, "status">;

/** Dependencies of the HTTP door. */
interface HandlerOptions {
  context: RunContext;
  actions: Actions;
  log: Log;
  /** Returns why the service cannot serve at present; undefined if it can. */
  notReady: () => Promise<Obstacle | undefined>;
  /**
   * Door that answers POST at `/mcp`. Errors that it throws are answered like those of this door.
   */
  mcp: Hono<DoorEnvironment>;
  /** Base path of all routes, without a slash at its end; empty for the root. */
  base_path: string;
  /** Identities that name accounts in the log. */
  identities: Pick<KeyIdentities, "identify">;
  metrics?: Pick<Metrics, "requestStarted" | "requestEnded">;
  /** Descriptions of the MCP door's tools, for the reference page (`/docs`). */
  tools: readonly object[];
  /**
   * Returns the key of the demo if the service has no other data than the demo. Absent: the key is
   * never returned.
   */
  demo_key?: () => Promise<string | undefined>;
}

/** Transport of a request. */
export interface Transport {
  /** True if it came by HTTP/1.1, which requires a Host header. */
  requires_host: boolean;
}

/** Function that answers a request. If `transport` is absent, no Host header is required. */
export type Handler = (request: Request, transport?: Transport) => Response | Promise<Response>;

/** Creates the handler of all routes. */
export function createHandler(options: HandlerOptions): Handler {
  const { base_path } = options;
  const app = new Hono<DoorEnvironment>(
    base_path === "" ? {} : { getPath: (request) => pathBelow(base_path, request) },
  );
  app.use(observed(options));
  // The check precedes all routes, because the path and the address depend on the Host header.
  app.use(async (c, next) => {
    if (!hasValidTarget(c.req.raw, c.env.requires_host)) throw new Failure("malformed_request");
    // The server decodes chunks alone. It passes a body with a further coding on as if it had none.
    if (!/^chunked$/i.test(c.req.header("transfer-encoding") ?? "chunked")) {
      throw new Failure("malformed_request", {
        message: "Transfer-Encoding: chunked is required.",
      });
    }
    await next();
  });
  app.get("/healthz", (c) => {
    c.set("route", "/healthz");
    return c.json({ status: "alive" });
  });
  app.get("/readyz", async (c) => {
    c.set("route", "/readyz");
    const obstacle = await options.notReady();
    return obstacle === undefined
      ? c.json({ status: "ready" })
      : c.json({ status: "not ready", ...obstacle }, 503);
  });
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const routes = ROUTES.filter((route) => route.path === path);
    for (const route of routes) {
      app.on(route.method, path, async (c) => {
        if (!methodsOf(route).includes(c.req.method)) return methodNotAllowed(c, methodsOf(route));
        c.set("route", path);
        const reply = await answer(options, route, c);
        return replyResponse(reply, path);
      });
    }
    // These routes precede later patterns: /api/companies/search must not match the path of a
    // company.
    app.all(path, (c) => methodNotAllowed(c, routes.flatMap(methodsOf)));
  }
  app.use("/mcp", (c, next) => {
    c.set("route", "/mcp");
    return next();
  });
  app.route("/mcp", options.mcp);
  app.all("/mcp", (c) => methodNotAllowed(c, ["POST"]));
  const pages = pagesBelow(base_path, options.tools);
  for (const [path, page] of pages) {
    app.get(path, (c) => {
      c.set("route", path);
      return pageResponse(c.req.raw, page);
    });
  }
  app.get("/console/demo_key", async (c) => {
    c.set("route", "/console/demo_key");
    const demo_key = isAskedAtLoopback(c.req.raw) ? await options.demo_key?.() : undefined;
    return c.json({ demo_key: demo_key ?? null }, 200, {
      "cache-control": "no-store",
      "cross-origin-resource-policy": "same-origin",
    });
  });
  if (base_path !== "") app.get(BASE, (c) => c.redirect(`${base_path}/`, 308));
  for (const path of ["/healthz", "/readyz", "/console/demo_key", ...pages.keys()]) {
    app.all(path, (c) => methodNotAllowed(c, ["GET", "HEAD"]));
  }
  app.notFound((c) => refused(c, new Failure("not_found")));
  app.onError((thrown, c) => {
    const { log } = options;
    return refused(c, failureOf(thrown, { log, request_id: c.get("request_id") }));
  });
  return (request, transport = { requires_host: false }) => app.fetch(routable(request), transport);
}

/** Adds the Request-Id to every answer, a line to the log, and a time to the metrics. */
function observed(
  { log, identities, metrics }: HandlerOptions,
): MiddlewareHandler<DoorEnvironment> {
  return async (c, next) => {
    const request_id = crypto.randomUUID();
    c.set("request_id", request_id);
    const started = performance.now();
    const end = metrics?.requestStarted();
    await next();
    end?.();
    // Without a body, the server would state the length 0.
    if (c.req.method === "HEAD" && !c.res.headers.has("content-length")) {
      const { byteLength } = await c.res.clone().arrayBuffer();
      c.res.headers.set("content-length", String(byteLength));
    }
    c.res.headers.set("request-id", request_id);
    const milliseconds = performance.now() - started;
    // The log contains the route instead of the path, which is arbitrary text of the caller.
    const route = c.get("route");
    const { status } = c.res;
    const method = loggedMethod(c.req.method);
    metrics?.requestEnded({ method, route: route ?? "", status, seconds: milliseconds / 1000 });
    const [caller, code] = [c.get("caller"), c.get("code")];
    describeRequest({ method, route, request_id, code });
    // Balancers, monitors and pages of the console request these routes regularly.
    const isRoutine = /^\/(healthz|readyz)$|^\/console\//.test(route ?? "");
    const write = (identity?: KeyIdentity) =>
      log[isRoutine ? "debug" : "info"]("request", {
        request_id,
        method,
        route: route ?? null,
        tool: c.get("tool"),
        status,
        code,
        ...identity,
        ...unitFields(c.get("charged")),
        ms: Math.round(milliseconds * 10) / 10,
      });
    // Without a valid key there is no account to name. A charged key was revoked during the work.
    if (caller === undefined || status === 401 && c.get("charged") === undefined) write();
    else void identities.identify(caller).then(write);
  };
}

/** Query parameters of each action whose inputs are in the query. */
const PARAMETERS = new Map(
  ROUTES.filter(({ input }) => input === "query")
    .map(({ action }) => [action, parametersOf(INPUTS[action])]),
);

function answer(
  options: HandlerOptions,
  route: Route,
  c: HonoContext<DoorEnvironment>,
): Promise<Reply> {
  const caller = readCaller(c.req.raw.headers);
  c.set("caller", caller);
  return options.context.keys.watch(caller, () => perform(options, { route, caller, c }));
}

async function perform(
  { context, actions }: HandlerOptions,
  { route, caller, c }: { route: Route; caller: Caller; c: HonoContext<DoorEnvironment> },
): Promise<Reply> {
  const request = c.req.raw;
  const { searchParams } = new URL(request.url);
  const query = readParameters(searchParams, PARAMETERS.get(route.action) ?? []);
  if (route.kind === "metered") {
    const action = actions.metered.get(route.action)!;
    const charged = (units: ChargedUnits) => c.set("charged", units);
    return await run({ ...context, charged }, action, caller, async (subscription_id) => {
      const { key, faults } = readHeaderKey(request.headers);
      const refused = [...faults, ...query.faults];
      if (route.input === "query") {
        return { request_key: key, inputs: query.inputs, faults: refused };
      }
      using _place = enterBody(context.bodies, subscription_id);
      const body = await readBodyInputs(request);
      return { request_key: key, ...body, faults: [...refused, ...body.faults ?? []] };
    });
  }
  const action = actions.reads.get(route.action)!;
  const inputs = route.input === "id" ? { id: integerOf(c.req.param("id")) } : {};
  return await read(context, action, caller, () => ({ inputs, faults: query.faults }));
}

/**
 * Reads a JSON body. A text that cannot be parsed is a fault of the inputs.
 * @throws Failure of readJson
 */
async function readBodyInputs(request: Request): Promise<RawInputs> {
  try {
    return { inputs: await readJson(request) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { faults: [{ path: ["body"], sentence: error.message }] };
  }
}

/**
 * Returns the methods of a route. Only reads accept HEAD: a metered request would be charged for a
 * body that HEAD does not return.
 */
function methodsOf({ method, kind }: Route): string[] {
  return method === "GET" && kind === "read" ? [method, "HEAD"] : [method];
}

function refused(c: HonoContext<DoorEnvironment>, failure: Failure): Response {
  c.set("code", failure.code);
  return failureResponse(failure);
}

function methodNotAllowed(c: HonoContext<DoorEnvironment>, methods: string[]): Response {
  const response = refused(c, new Failure("method_not_allowed"));
  response.headers.set("allow", methods.join(", "));
  return response;
}

/**
 * Seconds after which an unfinished operation may be polled. It is the smallest number of whole
 * seconds, which `Retry-After` requires.
 */
const POLL_SECONDS = 1;

/**
 * Turns a reply into a response. The response for an unfinished operation has the address for
 * polling. It is relative to the address of the request, because a proxy may add a prefix to paths.
 * @param path path of the request's route
 */
function replyResponse(reply: Reply, path: string): Response {
  const depth = path.split("/").length - "/api/usages".split("/").length;
  const headers = {
    "content-type": "application/json",
    "cache-control": "no-store",
    ...replyFacts(reply),
    ...reply.status === 202 && {
      "location": `${"../".repeat(depth)}usages/${(reply.body as PendingResult).usage.id}`,
      "retry-after": String(POLL_SECONDS),
    },
  };
  return new Response(JSON.stringify(reply.body), { status: reply.status, headers });
}

/** Turns a failure into a response. */
export function failureResponse(failure: Failure): Response {
  const headers = new Headers({ "cache-control": "no-store", ...failureFacts(failure) });
  if (failure.status === 401) headers.set("www-authenticate", "Bearer");
  return Response.json(errorEnvelope(failure), { status: failure.status, headers });
}
