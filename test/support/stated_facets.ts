/** Facets that a record's sentence states, for records of sources whose mapping gives none yet. */
import type { NormalRecord } from "../../src/ingest/normalize.ts";

const STATES =
  "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV " +
  "NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY";
const NAMES: Readonly<Record<string, string>> = {
  "new york": "NY",
  "new york city": "NY",
  nyc: "NY",
  brooklyn: "NY",
  "san francisco": "CA",
  "mountain view": "CA",
  "redwood city": "CA",
  "palo alto": "CA",
  "santa clara": "CA",
  "los gatos": "CA",
  "los angeles": "CA",
  chicago: "IL",
  boston: "MA",
  seattle: "WA",
  pittsburgh: "PA",
  minneapolis: "MN",
  "salt lake city": "UT",
  virginia: "VA",
  florida: "FL",
};

/** Returns the record as it is where it has places, else with those of its sentence. */
export function withStatedFacets(record: NormalRecord): NormalRecord {
  if (record.facets.places !== undefined) return record;
  const fact = record.observed_fact;
  const places = placesIn(fact);
  const technologies = /lists these technologies: ([^.]+)/.exec(fact)?.[1]?.split(", ");
  const industry = record.source === "crunchbase_2013"
    ? / \(([^();,]+)[;)]/.exec(fact)?.[1]
    : /; ([^;]+)(?:; [A-Z, -]+)?\. CIK/.exec(fact)?.[1];
  return {
    ...record,
    facets: {
      ...record.facets,
      ...places.length > 0 && { places },
      ...technologies && { technologies },
      ...industry && { industry },
    },
  };
}

function placesIn(fact: string): object[] {
  const coded = fact.matchAll(
    new RegExp(`([\\p{L}.' -]+), (${STATES.replaceAll(" ", "|")})\\b`, "gu"),
  ).map(([, city, region]) => ({ country: "US", region, city: city!.trim() }));
  const named = Object.entries(NAMES).filter(([name]) =>
    new RegExp(`\\b${name}\\b`, "i").test(fact)
  ).map(([city, region]) => ({ country: "US", region, city: city === "nyc" ? "new york" : city }));
  return [...coded, ...named];
}
