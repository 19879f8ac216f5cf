/** Reads the raw records of the sources, independently of the code that ingests them. */
import { parse } from "csv-parse";
import { REAL_DATA } from "../../support/real_records.ts";

/** A raw record with the name that its source gives to the company. */
interface Named {
  name: string;
}

/** A tender of any of the three sources. */
export interface Tender extends Named {
  source: "canadabuys" | "toronto" | "sam";
  /** Titles and description, as far as the source has them. */
  text: string;
  /** Day of publication as YYYY-MM-DD, or empty. */
  published: string;
  /** Closing day as YYYY-MM-DD, or empty. */
  closes: string;
  /** Two-letter code of the state, or empty. */
  state: string;
  /** Code of the set-aside, or empty. */
  set_aside: string;
}

/** One item of a Form 8-K. */
interface Filing extends Named {
  item: string;
  /** Day of the report as YYYY-MM-DD. */
  reported: string;
  /** Description of the industry by the SEC. */
  industry: string;
  state: string;
  former_names: string[];
  tickers: string[];
}

/** A funding round, with the values of the export's columns. */
interface Round extends Named {
  category: string;
  state: string;
  region: string;
  city: string;
  type: string;
  /** Day of the round as YYYY-MM-DD. */
  funded: string;
  /** Amount in US dollars, or NaN. */
  amount: number;
}

/** A legal entity. */
interface Entity extends Named {
  /** ISO 3166-2 code of the region. */
  region: string;
  city: string;
  other_names: string[];
}

/** A company that hires remote workers. */
interface Remote extends Named {
  technologies: string[];
}

/** An open position. */
interface Posting extends Named {
  title: string;
  location: string;
}

/** Reads the tenders of all sources. */
export async function readTenders(): Promise<Tender[]> {
  return [...await readCanadaBuys(), ...await readToronto(), ...readSam()];
}

async function readCanadaBuys(): Promise<Tender[]> {
  const rows = await readCsv("canadabuys/openTenderNotice.csv");
  return rows.map((row) => ({
    source: "canadabuys",
    name: row["contractingEntityName-nomEntitContractante-eng"]!,
    text: [
      row["title-titre-eng"],
      row["title-titre-fra"],
      row["tenderDescription-descriptionAppelOffres-eng"],
    ].join("\n"),
    published: row["publicationDate-datePublication"]!.slice(0, 10),
    closes: row["tenderClosingDate-appelOffresDateCloture"]!.slice(0, 10),
    state: "",
    set_aside: "",
  }));
}

async function readToronto(): Promise<Tender[]> {
  const rows = await readCsv("toronto/all_solicitations.csv");
  return rows.map((row) => {
    const division = row["Division"]!.replaceAll(" and ", " & ");
    return {
      source: "toronto",
      // A notice of several divisions counts as one of the City of Toronto itself.
      name: division === "" || division.includes(",") && !KNOWN_COMMAS.test(division)
        ? "City of Toronto"
        : `City of Toronto – ${division}`,
      text: row["Solicitation Document Description"]!,
      published: row["Issue Date"]!,
      closes: row["Submission Deadline"]!,
      state: "",
      set_aside: "",
    };
  });
}

/** Pattern of the single divisions whose name contains a comma. */
const KNOWN_COMMAS =
  /^(Parks, Forestry & Recreation|Shelter, Support & Housing Administration|Social Development, Finance & Administration|Pension, Payroll & Employee Benefits)$/;

function readSam(): Tender[] {
  const { opportunitiesData } = readJson("sam/get_opportunities_v2_sample.json") as {
    opportunitiesData: {
      title: string;
      fullParentPathName: string;
      postedDate: string;
      responseDeadLine: string | null;
      typeOfSetAside: string | null;
      placeOfPerformance?: { state?: { code?: string } } | null;
    }[];
  };
  return opportunitiesData.map((notice) => {
    const offices = notice.fullParentPathName.split(".");
    return {
      source: "sam",
      name: `${offices[1]} – ${offices.at(-1)}`,
      text: notice.title,
      published: notice.postedDate,
      closes: notice.responseDeadLine?.slice(0, 10) ?? "",
      state: notice.placeOfPerformance?.state?.code ?? "",
      set_aside: notice.typeOfSetAside ?? "",
    };
  });
}

/** Reads all items of all Forms 8-K. */
export function readFilings(): Filing[] {
  return namesIn("edgar/submissions", /^CIK\d+\.json$/).flatMap((path) => {
    const { name, tickers, sicDescription, addresses, formerNames, filings } = readJson(path) as {
      name: string;
      tickers: string[];
      sicDescription: string;
      addresses: { business?: { stateOrCountry: string | null } };
      formerNames: { name: string }[];
      filings: { recent: { form: string[]; items: string[]; reportDate: string[] } };
    };
    const { form, items, reportDate } = filings.recent;
    const common = {
      name,
      tickers,
      industry: sicDescription ?? "",
      state: addresses.business?.stateOrCountry ?? "",
      former_names: formerNames.map((former) => former.name),
    };
    return form.flatMap((form_name, index) =>
      form_name.startsWith("8-K")
        ? items[index]!.split(",").map((item) => ({
          ...common,
          item,
          reported: reportDate[index]!,
        }))
        : []
    );
  });
}

/** Reads the issuers of Forms D, in either format of the file. */
export function readIssuers(): Named[] {
  return namesIn("edgar/form_d", /\.(xml|txt)$/).flatMap((path) => {
    const [, name] = Deno.readTextFileSync(REAL_DATA + path)
      .match(/<entityName>([^<]+)/) ?? [];
    return name === undefined ? [] : [{ name: name.replaceAll("&amp;", "&") }];
  });
}

/** Reads the funding rounds. */
export async function readRounds(): Promise<Round[]> {
  const rows = await readCsv("crunchbase_2013/rounds.csv");
  return rows.map((row) => ({
    name: row.company_name!,
    category: row.company_category_code!,
    state: row.company_state_code!,
    region: row.company_region!,
    city: row.company_city!,
    type: row.funding_round_type!,
    funded: row.funded_at!,
    amount: Number(row.raised_amount_usd || NaN),
  }));
}

/** Reads the legal entities. */
export function readEntities(): Entity[] {
  return linesOf("gleif/us_ca_records.jsonl").map((line) => {
    const { Entity } = JSON.parse(line);
    const { Region, City } = Entity.HeadquartersAddress;
    const other_names = Entity.OtherEntityNames?.OtherEntityName ?? [];
    return {
      name: Entity.LegalName.$,
      region: Region?.$ ?? "",
      city: City.$,
      other_names: [other_names].flat().map((one: { $: string }) => one.$),
    };
  });
}

/** Reads the companies that hire remote workers. */
export function readRemote(): Remote[] {
  return linesOf("remote_jobs/companies.jsonl").map((line) => {
    const { title, technologies } = JSON.parse(line);
    return { name: title, technologies: technologies ?? [] };
  });
}

/** Reads the open positions of the three job boards. */
export function readPostings(): Posting[] {
  const ashby = readJson("job_boards/ashby_sample.json") as {
    jobs: { title: string; location: string }[];
  };
  const greenhouse = readJson("job_boards/greenhouse_sample.json") as {
    jobs: { title: string; company_name: string; location: { name: string } }[];
  };
  const lever = readJson("job_boards/lever_sample.json") as {
    text: string;
    categories: { location: string };
  }[];
  // Ashby and Lever name the employer only in the addresses of the postings.
  return [
    ...ashby.jobs.map(({ title, location }) => ({ name: "OpenEvidence", title, location })),
    ...greenhouse.jobs.map(({ title, company_name, location }) => ({
      name: company_name,
      title,
      location: location.name,
    })),
    ...lever.map(({ text, categories }) => ({
      name: "Palantir",
      title: text,
      location: categories.location,
    })),
  ];
}

function readCsv(path: string): Promise<Record<string, string>[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, string>[]>();
  const options = { bom: true, columns: true, relax_column_count: true } as const;
  parse(
    Deno.readTextFileSync(REAL_DATA + path),
    options,
    (error, rows) => error ? reject(error) : resolve(rows as unknown as Record<string, string>[]),
  );
  return promise;
}

function readJson(path: string): unknown {
  return JSON.parse(Deno.readTextFileSync(REAL_DATA + path));
}

function linesOf(path: string): string[] {
  return Deno.readTextFileSync(REAL_DATA + path).split("\n").filter((line) => line.trim() !== "");
}

function namesIn(folder: string, pattern: RegExp): string[] {
  return [...Deno.readDirSync(REAL_DATA + folder)]
    .map(({ name }) => name)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);
}
