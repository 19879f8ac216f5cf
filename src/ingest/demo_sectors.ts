import { GOODS_SECTORS } from "./demo_sectors_goods.ts";
import { PEOPLE_SECTORS } from "./demo_sectors_people.ts";
import { SERVICE_SECTORS } from "./demo_sectors_services.ts";
import type { SectorWords } from "./demo_words.ts";

/** All twenty sectors. */
export const SECTOR_WORDS: readonly SectorWords[] = [
  ...GOODS_SECTORS,
  ...SERVICE_SECTORS,
  ...PEOPLE_SECTORS,
];
