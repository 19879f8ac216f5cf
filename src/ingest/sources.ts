/** Every source this service can read, by its name. */
import type { Source } from "./source.ts";
import { ashby } from "./sources/ashby.ts";
import { canadabuys } from "./sources/canadabuys.ts";
import { crunchbase2013 } from "./sources/crunchbase_2013.ts";
import { edgar8k } from "./sources/edgar_8k.ts";
import { formD } from "./sources/form_d.ts";
import { gleif } from "./sources/gleif.ts";
import { greenhouse } from "./sources/greenhouse.ts";
import { homepage } from "./sources/homepage.ts";
import { lever } from "./sources/lever.ts";
import { remoteJobs } from "./sources/remote_jobs.ts";
import { sam } from "./sources/sam.ts";
import { toronto } from "./sources/toronto.ts";

const ALL: readonly Source[] = [
  ashby,
  canadabuys,
  crunchbase2013,
  edgar8k,
  formD,
  gleif,
  greenhouse,
  homepage,
  lever,
  remoteJobs,
  sam,
  toronto,
];

export const SOURCES: ReadonlyMap<string, Source> = new Map(
  ALL.map((source) => [source.name, source]),
);
