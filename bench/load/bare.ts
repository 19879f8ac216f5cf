/** Serves a minimal handler, which queries the rows of an answer of the service and returns them. */
import { connect } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";

const { sql } = await connect({
  database_url: Deno.args[0]!,
  data_dir: "",
  log: createLog("error"),
});

/** Queries by path. `ids` is the parameter `of` of the address: one id, or several with commas. */
const QUERIES: Record<string, (ids: string) => PromiseLike<unknown>> = {
  "/replay": (ids) =>
    sql`
      select o.*, e.* from observations o join evidence e on e.observation_id = o.id
      where o.id = any(${ids.split(",").map(Number)})
    `,
  "/usage": (ids) => sql`select * from allowances where subscription_id = ${Number(ids)}`,
  "/company": (ids) =>
    sql`
      select o.*, e.* from observations o join evidence e on e.observation_id = o.id
      where o.id in (
        select id from observations where company_id = ${Number(ids)}
        order by occurred_at desc nulls last, observed_at desc, id desc limit 3
      )
    `,
  "/observation": (ids) =>
    sql`
      select o.*, e.* from observations o join evidence e on e.observation_id = o.id
      where o.id = ${Number(ids)}
    `,
};

const server = Deno.serve({
  hostname: "127.0.0.1",
  port: 0,
  onListen: ({ port }) => {
    Deno.stderr.writeSync(
      new TextEncoder().encode(`listening on http://127.0.0.1:${port}\n`),
    );
  },
}, async ({ url }) => {
  const { pathname, searchParams } = new URL(url);
  return Response.json(await QUERIES[pathname]!(searchParams.get("of")!));
});
Deno.addSignalListener("SIGTERM", () => void server.shutdown().then(() => Deno.exit(0)));
