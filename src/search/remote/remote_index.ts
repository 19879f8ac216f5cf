/** The index of a cluster behind its alias: its positions, and the documents that are written. */
import { z } from "zod";
import { type Cluster, ClusterError, type ClusterRequest } from "./cluster.ts";
import { INDEX_BODY, INDEX_FORMAT } from "./stored_record.ts";

/** Alias under which searches find the index. */
export const ALIAS = "company-evidence";

/** Beginning of the names of indexes in the format of this program. */
export const NAME = `${ALIAS}-${INDEX_FORMAT}-`;

/** Max milliseconds of a request that writes: those after which OpenSearch itself gives up. */
const WRITE_MILLISECONDS = 60_000;

/** Max milliseconds of a request for the state of the index. */
const STATE_MILLISECONDS = 2_000;

/** Id of the document that holds the position of the index. It has none of the other fields. */
const POSITION_ID = "position";

const Position = z.object({
  /** Format of the index (INDEX_FORMAT). */
  format: z.string(),
  dataset_id: z.string(),
  vocabulary: z.string(),
  change_seq: z.int(),
  id: z.int(),
  /** Clock of the dataset up to which the index contains all changes; -1 before the first. */
  clock: z.int(),
});

/** Position in the dataset's changes up to which an index contains them. */
export type IndexPosition = z.infer<typeof Position>;

/** Tells whether an index holds records of a dataset, in the format of this program. */
export function isUsable(
  position: IndexPosition | undefined,
  dataset_id: string,
): position is IndexPosition {
  return position?.format === INDEX_FORMAT && position.dataset_id === dataset_id;
}

/** A document to write; without a source it is deleted. */
export interface WrittenRecord {
  id: number;
  /** Change of the record. An older one does not replace a newer one. */
  version: number;
  source?: Record<string, unknown>;
}

const Any = z.record(z.string(), z.unknown());

const BulkAnswer = z.object({
  errors: z.boolean(),
  items: z.array(z.record(
    z.string(),
    z.object({ error: z.object({ type: z.string(), reason: z.string().nullish() }) }),
  )).optional(),
});

/** Error of a record that changes nothing, because a newer change came first. */
const CONFLICT = "version_conflict_engine_exception";

/** Reads and writes the indexes of the service in a cluster. */
export class RemoteIndex {
  /** A routing value for each shard, once they are found. */
  routings: readonly string[] = [];

  constructor(readonly cluster: Cluster) {}

  /** Returns the position of an index, or of that behind the alias; undefined if there is none. */
  async position(index = ALIAS): Promise<IndexPosition | undefined> {
    const shape = z.object({ _source: z.object({ position: Position }) });
    return (await this.#find(`${index}/_doc/${POSITION_ID}`, shape))?._source.position;
  }

  /** Counts the records behind the alias. */
  async count(): Promise<number> {
    const answer = await this.#find(`${ALIAS}/_count`, z.object({ count: z.int() }));
    return Math.max(0, (answer?.count ?? 1) - 1);
  }

  /** Finds the routing values. They depend only on the number of shards. */
  async findRoutings(): Promise<void> {
    const shards = await this.#shardsOf("");
    if (this.routings.length === shards.length) return;
    const routings = new Map<number, string>();
    for (let n = 0; routings.size < shards.length; n++) {
      const [shard] = await this.#shardsOf(`?routing=${n}`);
      if (!routings.has(shard!)) routings.set(shard!, String(n));
    }
    this.routings = [...routings.values()];
  }

  /** Tells whether the cluster refuses writes to the index, as it does if a disk is full. */
  async isReadOnly(): Promise<boolean> {
    const settings = await this.#find(
      `${ALIAS}/_settings/index.blocks.*?flat_settings=true`,
      z.record(z.string(), z.object({ settings: z.record(z.string(), z.string()) })),
    );
    return Object.values(settings ?? {})
      .some((one) => Object.values(one.settings).includes("true"));
  }

  /** Returns the names of all indexes of the service, the one with the alias first. */
  async list(): Promise<{ names: string[]; current: string | undefined }> {
    const shape = z.record(z.string(), z.object({ aliases: Any }));
    const indexes = await this.#write({ method: "GET", path: `${ALIAS}-*/_alias` }, shape);
    const all = Object.keys(indexes).sort();
    const current = all.find((name) => ALIAS in indexes[name]!.aliases);
    return { names: [...new Set([current ?? [], all].flat())], current };
  }

  /** Creates an empty index. @returns its name */
  async create({ shards, replicas }: { shards: number; replicas: number }): Promise<string> {
    const name = `${NAME}${Date.now()}`;
    const { settings, mappings } = INDEX_BODY;
    const size = { number_of_shards: shards, number_of_replicas: replicas };
    const body = { mappings, settings: { ...settings, ...size } };
    await this.#write({ method: "PUT", path: name, body }, Any);
    return name;
  }

  /** Lets searches use an index, and deletes the others. */
  async publish(index: string, others: readonly string[]): Promise<void> {
    await this.#write({
      method: "POST",
      path: "_aliases",
      body: {
        actions: [
          { add: { index, alias: ALIAS } },
          ...others.map((other) => ({ remove_index: { index: other } })),
        ],
      },
    }, Any);
  }

  /** Writes records, the position, or both. @throws ClusterError if one could not be written */
  async write(
    index: string,
    { records, position }: { records: readonly WrittenRecord[]; position?: IndexPosition },
  ): Promise<void> {
    if (records.length > 0) await this.#bulk(index, records);
    if (position === undefined) return;
    // The position comes last, so that it never promises records that are not written.
    await this.#write({
      method: "PUT",
      // A writer that has lost the lease must not take the position back to an earlier clock.
      path: `${index}/_doc/${POSITION_ID}?version=${position.clock + 2}&version_type=external_gte`,
      body: { position },
    }, Any);
  }

  /** Makes all that was written visible to searches. */
  async refresh(index = ALIAS): Promise<void> {
    await this.#write({ method: "POST", path: `${index}/_refresh` }, Any);
  }

  async #bulk(index: string, records: readonly WrittenRecord[]): Promise<void> {
    const lines = records.flatMap(({ id, version, source }) => {
      const meta = { _id: String(id), version, version_type: "external_gte" };
      return source === undefined ? [{ delete: meta }] : [{ index: meta }, source];
    });
    const { items = [] } = await this.#write({
      method: "POST",
      path: `${index}/_bulk?filter_path=errors,items.*.error.type,items.*.error.reason`,
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
    }, BulkAnswer);
    for (const { error } of items.flatMap((item) => Object.values(item))) {
      if (error.type === CONFLICT) continue;
      throw new ClusterError(`a record was refused: ${error.type} ${error.reason}`, 200);
    }
  }

  /** Returns the numbers of the shards that a search with these parameters reaches. */
  async #shardsOf(query: string): Promise<number[]> {
    const shape = z.object({
      shards: z.array(z.array(z.object({ shard: z.int() })).min(1)).min(1),
    });
    const request = { method: "GET", path: `${ALIAS}/_search_shards${query}` } as const;
    const { shards } = await this.cluster.ask(
      { ...request, milliseconds: STATE_MILLISECONDS },
      shape,
    );
    return shards.map(([copy]) => copy!.shard);
  }

  #write<Answer>(request: Omit<ClusterRequest, "milliseconds">, shape: z.ZodType<Answer>) {
    return this.cluster.ask({ ...request, milliseconds: WRITE_MILLISECONDS }, shape);
  }

  /** Returns what is at a path; undefined if the cluster does not know the index or document. */
  async #find<Answer>(path: string, shape: z.ZodType<Answer>): Promise<Answer | undefined> {
    try {
      const request = { method: "GET", path, milliseconds: STATE_MILLISECONDS } as const;
      return await this.cluster.ask(request, shape);
    } catch (error) {
      if (error instanceof ClusterError && error.status === 404) return undefined;
      throw error;
    }
  }
}
