/** A bare handler with one query of the rows that an answer of the service is made of. */
import { connect } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";

const { sql } = await connect({
  database_url: Deno.args[0]!,
  data_dir: "",
  log: createLog("error"),
});

/** The queries by path; `of` is what the address asks about. */
const QUERIES: Record<string, (of: string) => PromiseLike<unknown>> = {
  "/replay": (of) =>
    sql`
      select o.*, e.* from observations o join evidence e on e.observation_id = o.id
      where o.id = any(${of.split(",").map(Number)})
    `,
  "/usage": (of) => sql`select * from allowances where subscription_id = ${Number(of)}`,
  "/company": (of) =>
    sql`
      select o.*, e.* from observations o join evidence e on e.observation_id = o.id
      where o.id in (
        select id from observations where company_id = ${Number(of)}
        order by occurred_at desc nulls last, observed_at desc, id desc limit 3
      )
    `,
  "/observation": (of) =>
    sql`
      select o.*, e.* from observations o join evidence e on e.observation_id = o.id
      where o.id = ${Number(of)}
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
