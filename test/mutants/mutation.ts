/** A change of one place in a file that a programmer could make by mistake, and its drawing. */
import { hash } from "node:crypto";
import { sqlMutations } from "./sql.ts";
import { typescriptMutations } from "./typescript.ts";

/** A small bug: the text between two offsets of a file is replaced. */
export interface Mutation {
  file: string;
  start: number;
  end: number;
  replacement: string;
}

/** Change of a text, before its file is known. */
export type Change = Omit<Mutation, "file">;

/** Returns every mutation of a file, by the rules of its language. */
export function mutationsOf(file: string, text: string): Mutation[] {
  const changes = file.endsWith(".sql") ? sqlMutations(text) : typescriptMutations(text);
  return changes.map((change) => ({ file, ...change }));
}

/**
 * Draws mutations. The same seed draws the same ones from the same files, and a larger count adds to
 * those of a smaller one.
 */
export function draw(
  mutations: readonly Mutation[],
  { seed, count }: { seed: number; count: number },
): Mutation[] {
  const ranked = mutations.map((mutation) => ({
    mutation,
    rank: hash("sha256", `${seed} ${JSON.stringify(mutation)}`),
  }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  return ranked.slice(0, count).map(({ mutation }) => mutation);
}

/** Returns the text of a file with a mutation. */
export function plant(text: string, { start, end, replacement }: Change): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

/** Describes a mutation in one line: its file and line, and what is replaced by what. */
export function describe(text: string, mutation: Mutation): string {
  const { file, start, end, replacement } = mutation;
  const line = text.slice(0, start).split("\n").length;
  const context = text.split("\n")[line - 1]!.trim();
  const oneLine = (part: string) => part.replace(/\s+/g, " ").trim().slice(0, 60);
  return `${file}:${line}  ${oneLine(text.slice(start, end))} → ${oneLine(replacement)}  in ${
    oneLine(context)
  }`;
}
