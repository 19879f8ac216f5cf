/**
 * Reads the metropolitan areas of the United States and Canada, metros.tsv. Each line has a key, its
 * folded names separated by `|`, and its cities by state or province: "US-CA:oakland|berkeley;…".
 */
import table from "./metros.tsv" with { type: "text" };

/** A metropolitan area. */
interface Metro {
  key: string;
  names: readonly string[];
  /** Cities by state or province, such as "US-CA". */
  cities: readonly (readonly [region: string, cities: readonly string[]])[];
}

export const METROS: readonly Metro[] = table.split("\n").filter((line) => line !== "")
  .map((line) => {
    const [key, names, cities] = line.split("\t") as [string, string, string];
    return {
      key,
      names: names.split("|"),
      cities: cities.split(";").map((group) => {
        const [region, list] = group.split(":") as [string, string];
        return [region, list.split("|")] as const;
      }),
    };
  });
