/** SQLite's FTS5 in memory, over texts of stems. */
import { DatabaseSync } from "node:sqlite";
import { FIELDS, tokensOf } from "../corpus.ts";
import type { Query } from "../queries.ts";
import { type Engine, type Hit, type NumberedTexts, WEIGHTS } from "./engine.ts";

export function createSqlite(): Engine<NumberedTexts> {
  const db = new DatabaseSync(":memory:");
  db.exec(`
    create virtual table documents using fts5(${FIELDS.join()}, content='', tokenize='unicode61');
    insert into documents (documents, rank) values ('rank', 'bm25(${
    Object.values(WEIGHTS).join()
  })');
    create table observations (id integer primary key, country text, kind text);
  `);
  const unfiltered = db.prepare(`
    select rowid as observation_id, -rank as score
    from documents where documents match ? order by rank limit ?
  `);
  const filtered = db.prepare(`
    select documents.rowid as observation_id, -rank as score
    from documents join observations o on o.id = documents.rowid
    where documents match ? and o.country = ? and o.kind = ? order by rank limit ?
  `);
  return {
    name: "SQLite FTS5",
    fill(corpus) {
      const addText = db.prepare(
        `insert into documents (rowid, ${FIELDS.join()}) values (?${", ?".repeat(FIELDS.length)})`,
      );
      const add = db.prepare("insert into observations values (?, ?, ?)");
      db.exec("begin");
      for (const document of corpus.documents()) {
        const texts = tokensOf(corpus, document);
        addText.run(document.observation_id, ...FIELDS.map((field) => texts[field]!));
        add.run(document.observation_id, document.country, document.kind);
      }
      // Merges the index into one segment, as SQLite would in idle time.
      db.exec("insert into documents (documents) values ('optimize'); commit; analyze;");
    },
    search(query, limit) {
      const { filter } = query;
      const hits = filter
        ? filtered.all(matchOf(query), filter.country, filter.kind, limit)
        : unfiltered.all(matchOf(query), limit);
      return hits as unknown as Hit[];
    },
    nativeBytes() {
      const { page_count } = db.prepare("pragma page_count").get()!;
      const { page_size } = db.prepare("pragma page_size").get()!;
      return Number(page_count) * Number(page_size);
    },
    close: () => db.close(),
  };
}

function matchOf({ tokens }: Query): string {
  return tokens.split(" ").map((token) => `"${token}"`).join(" OR ");
}
