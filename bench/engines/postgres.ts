/** PostgreSQL's full text search (GIN, ts_rank_cd) over texts of stems. */
import { connect, type Database } from "../../src/db/connect.ts";
import { createLog } from "../../src/log.ts";
import { type Cluster, startCluster } from "../../test/support/cluster.ts";
import { type Corpus, type CorpusDocument, FIELDS, tokensOf } from "../corpus.ts";
import type { Engine, Hit } from "./engine.ts";

const BATCH = 1_000;

/**
 * Creates the engine on a temporary server, which runs this machine's binaries.
 *
 * @returns undefined if the machine has no such binaries
 */
export async function createPostgres(): Promise<Engine | undefined> {
  const cluster = await startCluster();
  if (cluster === undefined) return;
  const db = await connect({
    database_url: cluster.url,
    data_dir: "",
    log: createLog("error"),
    statement_timeout_seconds: 600,
  });
  return {
    name: "PostgreSQL full text",
    fill: (corpus) => fill(db, corpus),
    search: ({ tokens, filter }, limit) => {
      const query = tokens.split(" ").join(" | ");
      const { country, kind } = filter ?? {};
      return db.sql<Hit[]>`
        select id as observation_id, ts_rank_cd(words, query) as score
        from texts, to_tsquery('simple', ${query}) query
        where words @@ query
          ${filter ? db.sql`and country = ${country!} and kind = ${kind!}` : db.sql``}
        order by score desc, id
        limit ${limit}
      `;
    },
    async nativeBytes() {
      const [row] = await db.sql<[{ bytes: number }]>`
        select pg_total_relation_size('texts')::float8 as bytes
      `;
      return row.bytes;
    },
    close: () => close(db, cluster),
  };
}

async function fill({ sql }: Database, corpus: Corpus): Promise<void> {
  await sql`create table texts (id int primary key, country text, kind text, words tsvector)`;
  for (let from = 0; from < corpus.size; from += BATCH) {
    await insert(sql, corpus, [...corpus.documents(from, Math.min(from + BATCH, corpus.size))]);
  }
  await sql`create index on texts using gin (words)`;
  await sql`create index on texts (country, kind)`;
  await sql`vacuum analyze texts`;
}

async function insert(
  sql: Database["sql"],
  corpus: Corpus,
  documents: CorpusDocument[],
): Promise<void> {
  const rows = documents.map((document) => ({
    id: document.observation_id,
    country: document.country,
    kind: document.kind,
    texts: tokensOf(corpus, document),
  }));
  const column = (place: number) => rows.map(({ texts }) => texts[FIELDS[place]!]!);
  await sql`
    insert into texts
    select
      id,
      country,
      kind,
      setweight(to_tsvector('simple', company), 'A') ||
        setweight(to_tsvector('simple', observed_fact), 'B') ||
        to_tsvector('simple', why_it_may_matter) ||
        to_tsvector('simple', texts)
    from unnest(
      ${rows.map(({ id }) => id)}::int[],
      ${rows.map(({ country }) => country)}::text[],
      ${rows.map(({ kind }) => kind)}::text[],
      ${column(0)}::text[],
      ${column(1)}::text[],
      ${column(2)}::text[],
      ${column(3)}::text[]
    ) as row (id, country, kind, company, observed_fact, why_it_may_matter, texts)
  `;
}

async function close(db: Database, cluster: Cluster): Promise<void> {
  await db.close();
  await cluster.stop();
}
