/** What was promised of the search, and what was measured? The last of a run, over all before it. */
import { say } from "./child.ts";
import { floorTable, keptFloors } from "./floors.ts";

const floors = keptFloors();
if (floors.length > 0) {
  const day = new Date().toISOString().slice(0, 10);
  say(`\n# Floors of the search\n\n${floorTable(floors)}\n`);
  say(`${navigator.hardwareConcurrency} cores, Deno ${Deno.version.deno}, ${day}`);
}
