/** Rules that read times such as "two weeks ago" and "il y a un an". */
import { ago, COUNT, NUMBER, numberOf, UNIT, unitOf } from "./calendar.ts";
import { rule, type TimeRule } from "./time_rule.ts";

/** The rules in the order in which they are tried. */
export const AGO_RULES: readonly TimeRule[] = [
  rule(
    `(?:(?<!not |no )more than|not? less than|over|at least|before|until) ${COUNT} ${UNIT} ago; ` +
      `${COUNT} ${UNIT} ago or (?:earlier|before|more|longer); ` +
      `il y a (?:plus d[e']?|au moins) ?${COUNT} ${UNIT}`,
    (groups, now) => {
      const [number, unit] = groups.filter((group) => group !== undefined);
      return { after: null, before: ago(now, { number: number!, unit: unit! }) };
    },
  ),
  rule(
    `(?:between )?${NUMBER}(?: (?:to|or|and) |\\s?[-–]\\s?)${NUMBER} ${UNIT} ago; ` +
      `il y a (?:entre )?${NUMBER} (?:a|ou|et) ${NUMBER} ${UNIT}`,
    (groups, now) => {
      const [first, last, unit] = groups.filter((group) => group !== undefined);
      const [near, far] = [numberOf(first!), numberOf(last!)].sort((a, b) => a - b);
      return {
        after: unitOf(unit!, { now, back: far }).after,
        before: unitOf(unit!, { now, back: near }).before,
      };
    },
  ),
  rule(
    `(?<!half )${COUNT} ${UNIT} ago; il y a (?:environ |pres de )?${COUNT} ${UNIT}`,
    (groups, now) => {
      const [number, unit] = groups.filter((group) => group !== undefined);
      return unitOf(unit!, { now, back: numberOf(number!) });
    },
  ),
];
