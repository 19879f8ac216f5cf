/** The HTTP door: web-standard Request in, Response out. */
import { type Context as HonoContext, Hono, type MiddlewareHandler } from "hono";
import type { KnownKeys } from "../accounts/known_keys.ts";
import type { Actions } from "../actions.ts";
import { INPUTS } from "../contract/inputs.ts";
import type { DoorEnvironment } from "../doors/environment.ts";
import { failureOf } from "../doors/answer.ts";
import { readCaller, readHeaderKey } from "../doors/request.ts";
import { Failure } from "../failures.ts";
import type { Log } from "../log.ts";
import type { Caller, Reply } from "../operations/action.ts";
import { readInputs } from "../operations/inputs.ts";
import { refusable, run, type RunContext } from "../operations/run.ts";
import { pageResponse, PAGES } from "./pages.ts";
import { integerOf, readJsonBody, readParameters } from "./request.ts";
import { parametersOf } from "./parameters.ts";
import { failureResponse, replyResponse } from "./response.ts";
import { type Route, ROUTES } from "./routes.ts";
import { hasValidTarget, loggedMethod, routable } from "./target.ts";

export interface HandlerOptions {
  context: RunContext;
  actions: Actions;
  log: Log;
  keys: KnownKeys;
  /** Why the service cannot serve just now; nothing when it can. */
  notReady: () => string | undefined | Promise<string | undefined>;
  /** The other door: what takes POST at `/mcp`. What it throws is answered like anything else. */
  mcp: Hono<DoorEnvironment>;
}

/** How a request came in. */
export interface Transport {
  /** True if it came by HTTP/1.1, which requires a Host header. */
  requires_host: boolean;
}

/** Answers a request; without a transport it need not have a Host header. */
export type Handler = (request: Request, transport?: Transport) => Response | Promise<Response>;

export function createHandler(options: HandlerOptions): Handler {
  const app = new Hono<DoorEnvironment>();
  app.use(identified(options.log));
  // Before the path or the address is used: both depend on what Host says.
  app.use(async (c, next) => {
    if (!hasValidTarget(c.req.raw, c.env.requires_host)) throw new Failure("malformed_request");
    await next();
  });
  app.get("/healthz", (c) => c.json({ status: "alive" }));
  app.get("/readyz", async (c) => {
    const reason = await options.notReady();
    return reason === undefined
      ? c.json({ status: "ready" })
      : c.json({ status: "not ready", reason }, 503);
  });
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const routes = ROUTES.filter((route) => route.path === path);
    for (const route of routes) {
      app.on(route.method, path, async (c) => {
        if (!methodsOf(route).includes(c.req.method)) return methodNotAllowed(methodsOf(route));
        c.set("route", path);
        return replyResponse(await answer(options, route, c));
      });
    }
    // Before a later pattern can take the path: /api/companies/search is no company's.
    app.all(path, () => methodNotAllowed(routes.flatMap(methodsOf)));
  }
  app.use("/mcp", (c, next) => {
    c.set("route", "/mcp");
    return next();
  });
  app.route("/mcp", options.mcp);
  app.all("/mcp", () => methodNotAllowed(["POST"]));
  for (const path of PAGES.keys()) app.get(path, (c) => pageResponse(c.req.raw, path));
  app.get("/", (c) => c.redirect("/docs", 303));
  for (const path of ["/healthz", "/readyz", "/", ...PAGES.keys()]) {
    app.all(path, () => methodNotAllowed(["GET", "HEAD"]));
  }
  app.notFound(() => failureResponse(new Failure("not_found")));
  app.onError((thrown, c) => {
    const { log } = options;
    return failureResponse(failureOf(thrown, { log, request_id: c.get("request_id") }));
  });
  return (request, transport = { requires_host: false }) => app.fetch(routable(request), transport);
}

/** Gives every answer its Request-Id and the log its line: the route, since a path is the caller's. */
function identified(log: Log): MiddlewareHandler<DoorEnvironment> {
  return async (c, next) => {
    const request_id = crypto.randomUUID();
    c.set("request_id", request_id);
    const started = performance.now();
    await next();
    c.res.headers.set("request-id", request_id);
    log.info("request", {
      request_id,
      method: loggedMethod(c.req.method),
      route: c.get("route") ?? null,
      tool: c.get("tool"),
      status: c.res.status,
      ms: Math.round((performance.now() - started) * 10) / 10,
    });
  };
}

/** Parameters of the actions that are asked by a query. */
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
  return options.keys.watch(caller, () => perform(options, { route, caller, c }));
}

async function perform(
  { context, actions, keys }: HandlerOptions,
  { route, caller, c }: { route: Route; caller: Caller; c: HonoContext<DoorEnvironment> },
): Promise<Reply> {
  const request = c.req.raw;
  const { searchParams } = new URL(request.url);
  const query = readParameters(searchParams, PARAMETERS.get(route.action) ?? []);
  if (route.kind === "metered") {
    const action = actions.metered.get(route.action)!;
    return await run(context, action, caller, async () => {
      const { key, faults } = readHeaderKey(request.headers);
      const refused = [...faults, ...query.faults];
      if (route.input === "query") {
        return { request_key: key, inputs: query.inputs, faults: refused };
      }
      await keys.require(context, caller);
      const body = await readJsonBody(request);
      return { request_key: key, ...body, faults: [...refused, ...body.faults ?? []] };
    });
  }
  const action = actions.reads.get(route.action)!;
  const inputs = route.input === "id" ? { id: integerOf(c.req.param("id")) } : {};
  const { faults } = query;
  const read = await refusable(context, caller, () => readInputs(action, { inputs, faults }));
  return await action.read(context, caller, read);
}

/** HEAD asks for no body: it would be charged for what it does not get, so only reads take it. */
function methodsOf({ method, kind }: Route): string[] {
  return method === "GET" && kind === "read" ? [method, "HEAD"] : [method];
}

function methodNotAllowed(methods: string[]): Response {
  const response = failureResponse(new Failure("method_not_allowed"));
  response.headers.set("allow", methods.join(", "));
  return response;
}
