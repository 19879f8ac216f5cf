/** Every source this service can read, by its name. */
import type { Source } from "./source.ts";
import { canadabuys } from "./sources/canadabuys.ts";

const ALL: readonly Source[] = [
  canadabuys,
];

export const SOURCES: ReadonlyMap<string, Source> = new Map(
  ALL.map((source) => [source.name, source]),
);
