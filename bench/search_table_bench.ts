/**
 * Does the search meet its floors? Prints the rows of all benches that ran before it. Benches run
 * in the order of their names, so this one is the last of the search benches.
 */
import { say } from "./child.ts";
import { floorTable, keptFloors } from "./floors.ts";

const floors = keptFloors();
if (floors.length > 0) {
  const day = new Date().toISOString().slice(0, 10);
  say(`\n# Floors of the search\n\n${floorTable(floors)}\n`);
  say(`${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno}, ${day}`);
}
