/** Defines the tables of a search engine: their names, fields and attributes. */

/** A set of tables. One set serves searches, and a rebuild fills the other set. */
export type TableSet = "a" | "b";

/** Names of the fields with analyzed texts, as in OBSERVATION_FIELDS. */
export const TEXT_FIELDS = ["company", "observed_fact", "why_it_may_matter", "texts"] as const;
/** Names of the fields with exact terms. */
const TERM_FIELDS = ["facets", "hostnames"] as const;
export const FIELDS = [...TEXT_FIELDS, ...TERM_FIELDS];

/** Types of the attributes, by name. Instants are microseconds since 1970. */
export const ATTRIBUTES = {
  company_id: "bigint",
  country: "uint",
  kind: "uint",
  demand_class: "uint",
  occurred_at: "bigint",
  observed_at: "bigint",
  expires_at: "bigint",
  closes_at: "bigint",
  amount: "float",
  sectors: "uint",
} as const;

/** Value of an absent `occurred_at` or `closes_at`. It is before every instant. */
export const NEVER_BEFORE = "-1000000000000000000";
/** Value of `expires_at` of an observation that never expires. It is after every instant. */
export const NEVER_AFTER = "1000000000000000000";
/** Amount of an observation that states none: -2^60, which is exact in single precision. */
export const UNKNOWN_AMOUNT = "-1152921504606846976.0";

/** Version of the format. Raise it with every change of the tables, so that they are refilled. */
export const TABLE_FORMAT = 2;

/** Max number of shards that the tables may have. */
export const SHARDS_MAX = 256;

/** Returns the name of the distributed table over all shards of a set. */
export function distributedTable(set: TableSet): string {
  return `evidence_${set}`;
}

/** Returns the name of one shard's table. */
export function shardTable(set: TableSet, shard: number): string {
  return `evidence_${set}_${shard}`;
}

/** Parses the name of a shard's table; returns undefined for other tables. */
export function readShardTable(name: string): { set: TableSet; shard: number } | undefined {
  const match = /^evidence_([ab])_(0|[1-9]\d{0,2})$/.exec(name);
  return match === null ? undefined : { set: match[1] as TableSet, shard: Number(match[2]) };
}

/** Returns the shard of all observations of a company. */
export function shardOf(company_id: number, shards: number): number {
  return company_id % shards;
}

/** Characters of tokens: see encoded_terms.ts. */
export const TOKEN_CHARACTERS = "0..9, a..z, _";
