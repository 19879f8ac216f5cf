/** Checks of `doctor` outside of the database: files, disk, memory, the running service. */
import { statfs } from "node:fs/promises";
import { listSharedFiles } from "../db/data_directory.ts";
import { isHalfRestored } from "../db/backup.ts";
import { isCreated } from "../db/embedded.ts";
import { fault, type Finding, ok, warning } from "./finding.ts";

/** Checks that the directory contains a complete database that only its owner can read. */
export async function checkDirectory(data_dir: string): Promise<Finding[]> {
  const check = "directory";
  if (await isHalfRestored(data_dir)) {
    return [fault(
      check,
      `A restore into ${data_dir} was interrupted.`,
      "Remove the directory, and restore again.",
    )];
  }
  if (!await isCreated(data_dir)) {
    return [fault(
      check,
      `There is no database in ${data_dir}.`,
      "Check DATA_DIR. `deno task start` creates a database.",
    )];
  }
  const shared = await listSharedFiles(data_dir);
  if (shared.length > 0) {
    return [fault(
      check,
      `Other users have access to ${shared.length} files, such as ${shared[0]}.`,
      `Run chmod -R go= ${data_dir}, or start the service, which does it.`,
    )];
  }
  return [ok(check, `No other user can read the database in ${data_dir}.`)];
}

/**
 * Min number of free bytes. PostgreSQL and PGlite stop when a disk is full. The number is chosen.
 */
const DISK_BYTES_MIN = 1 << 30;
/** Min share of free bytes. The share is chosen. */
const DISK_SHARE_MIN = 0.05;

/** Space on the disk of a directory. Space reserved for root is neither free nor part of the total. */
interface DiskSpace {
  free_bytes: number;
  /** Used and free space. */
  total_bytes: number;
}

/** Reads the free and total space on the disk of a directory. */
export async function readDisk(path: string): Promise<DiskSpace> {
  const { bsize, bavail, bfree, blocks } = await statfs(path);
  return { free_bytes: bavail * bsize, total_bytes: (blocks - bfree + bavail) * bsize };
}

/** Checks that the disk has enough free space. */
export function checkDisk({ free_bytes, total_bytes }: DiskSpace): Finding[] {
  const message = `${gigabytes(free_bytes)} of ${gigabytes(total_bytes)} GB are free.`;
  const remedy = "Free space, or move DATA_DIR to a larger disk.";
  if (free_bytes < DISK_BYTES_MIN) return [fault("disk", message, remedy)];
  if (free_bytes < DISK_SHARE_MIN * total_bytes) return [warning("disk", message, remedy)];
  return [ok("disk", message)];
}

/**
 * Number of bytes per observation while the index is built, for the index and the data to build it.
 */
const BUILD_BYTES_PER_OBSERVATION = 2_000;
/** Number of bytes of a process with an empty index. */
const PROCESS_BYTES = 300e6;

/** Checks that a process has enough memory for the index. */
export function checkMemory(
  { available_bytes, observations }: { available_bytes: number; observations: number },
): Finding[] {
  const needed = PROCESS_BYTES + observations * BUILD_BYTES_PER_OBSERVATION;
  const message = `${gigabytes(available_bytes)} GB of memory are available; a process needs ` +
    `about ${gigabytes(needed)} GB to build its index of ${observations} observations.`;
  return available_bytes < needed
    ? [fault("memory", message, "Give the machine more memory, or run fewer processes on it.")]
    : [ok("memory", message)];
}

/** State of the service at the address of the settings. */
interface ServiceState {
  /** Answer of `/readyz`; absent if the service does not answer. */
  ready?: { status: string; reason?: string };
  /** Text of `/metrics`; absent if it is not served. */
  metrics?: string;
}

/** Requests the readiness of the service, and its metrics if they have an address. */
export async function readService(
  { url, metrics_url }: { url: string; metrics_url?: string },
): Promise<ServiceState> {
  const ask = async (address: string) => {
    try {
      return await (await fetch(address, { signal: AbortSignal.timeout(5_000) })).text();
    } catch {
      return undefined;
    }
  };
  const [ready, metrics] = await Promise.all([
    ask(`${url}/readyz`),
    metrics_url === undefined ? undefined : ask(`${metrics_url}/metrics`),
  ]);
  return { ready: ready === undefined ? undefined : readReady(ready), metrics };
}

function readReady(text: string): ServiceState["ready"] {
  try {
    const { status, reason } = JSON.parse(text);
    return { status: String(status), ...reason !== undefined && { reason: String(reason) } };
  } catch {
    return { status: "not ready", reason: "another program answers at this address" };
  }
}

/**
 * Checks that the service is ready, and that its index contains the observations of the dataset.
 */
export function checkService(
  { ready, metrics }: ServiceState,
  { url, deliverable }: { url: string; deliverable: number },
): Finding[] {
  if (ready === undefined) {
    return [warning(
      "service",
      `No service answers at ${url}.`,
      "Start the service, or run doctor with its HOST and PORT.",
    )];
  }
  if (ready.status !== "ready") {
    return [fault("service", `The service is not ready: ${ready.reason}.`, "Read its log.")];
  }
  return [ok("service", `The service at ${url} is ready.`), ...checkIndex(metrics, deliverable)];
}

/**
 * Max difference between the index and the dataset, as a share of the dataset, in addition to 10
 * observations. They may differ because both change while doctor reads. The share is chosen.
 */
const INDEX_SHARE_MAX = 0.01;
/** Max seconds since the index last contained all changes. The number is chosen. */
const INDEX_LAG_SECONDS_MAX = 60;

function checkIndex(metrics: string | undefined, deliverable: number): Finding[] {
  const value = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, "m").exec(metrics ?? "")?.[1] ?? NaN);
  const documents = value("ce_index_documents");
  const lag = value("ce_index_lag_seconds");
  if (Number.isNaN(documents)) {
    return [warning(
      "index",
      "The index cannot be compared with the dataset.",
      "Set METRICS_PORT for the service and for doctor.",
    )];
  }
  const message = `The index holds ${documents} observations of ${deliverable}, ` +
    `as of ${Math.round(lag)} s ago.`;
  const differs = Math.abs(documents - deliverable) > 10 + deliverable * INDEX_SHARE_MAX;
  return differs || lag > INDEX_LAG_SECONDS_MAX
    ? [fault(
      "index",
      message,
      "Read the service's log. A restart without index.snapshot rebuilds the index.",
    )]
    : [ok("index", message)];
}

function gigabytes(bytes: number): string {
  return (bytes / 1e9).toFixed(1);
}
