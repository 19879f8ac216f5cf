/** All sources, by name. */
import type { Source } from "./kit/source.ts";
import { ashby } from "./ashby/ashby.ts";
import { canadabuys } from "./canadabuys/canadabuys.ts";
import { crunchbase2013 } from "./crunchbase_2013/crunchbase_2013.ts";
import { edgar8k } from "./edgar_8k/edgar_8k.ts";
import { formD } from "./form_d/form_d.ts";
import { gleif } from "./gleif/gleif.ts";
import { greenhouse } from "./greenhouse/greenhouse.ts";
import { homepage } from "./homepage/homepage.ts";
import { lever } from "./lever/lever.ts";
import { personio } from "./personio/personio.ts";
import { recruitee } from "./recruitee/recruitee.ts";
import { remoteJobs } from "./remote_jobs/remote_jobs.ts";
import { sam } from "./sam/sam.ts";
import { seao } from "./seao/seao.ts";
import { smartrecruiters } from "./smartrecruiters/smartrecruiters.ts";
import { toronto } from "./toronto/toronto.ts";

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
  personio,
  recruitee,
  remoteJobs,
  sam,
  seao,
  smartrecruiters,
  toronto,
];

export const SOURCES: ReadonlyMap<string, Source> = new Map(
  ALL.map((source) => [source.name, source]),
);
