/** Reads choices: of "insurers or credit unions", a record needs only one. */
import type { Draft, DraftUnit } from "./draft.ts";
import { isCertainKind } from "./question.ts";

/**
 * Pattern of the text between two operands of a choice: a comma, a conjunction or both, and then up
 * to two articles or prepositions.
 */
const BETWEEN =
  /^\s*(?:,|[,/]?\s*(?:and|or|and\/or|et|ou|et\/ou)|\/)\s*(?:(?:of|for|the|an?|d[eu]s?|les?|la|l|un|une|pour|en|aux?)[\s']+){0,2}$/i;
const CONJUNCTION = /and|or|et|ou|\//i;
/** Pattern of the text between two words of an operand. */
const INSIDE = /^[\s'&-]*$/;

/**
 * Lets the words of each operand of "and" or "or" be met by the other operands as well. Companies
 * that do both are rare, and whoever asks for "museums and theatres" wants those that are either.
 * Only neighbouring words belong to an operand: "design and construction of schools" is a choice of
 * design or construction.
 */
export function readChoices(draft: Draft): void {
  for (const operands of choicesOf(draft)) {
    const ways = operands.map((operand) => operand.flatMap((unit) => unit.ways));
    for (const [at, operand] of operands.entries()) {
      const others = ways.filter((_, other) => other !== at).flat();
      for (const unit of operand) unit.ways = [...unit.ways, ...others];
    }
  }
}

function choicesOf({ units, text }: Draft): DraftUnit[][][] {
  const chains: { operands: DraftUnit[][]; isCoordinated: boolean }[] = [];
  let last: DraftUnit | undefined;
  for (const unit of units) {
    // "clinics hiring nurses": what the clinics do is no operand.
    if (unit.is_filler || unit.condition !== undefined || unit.ways.some(isCertainKind)) {
      last = undefined;
      continue;
    }
    const between = last && text.cased.slice(last.end, unit.start);
    if (between !== undefined && INSIDE.test(between)) chains.at(-1)!.operands.at(-1)!.push(unit);
    else if (between !== undefined && BETWEEN.test(between)) {
      const chain = chains.at(-1)!;
      chain.operands.push([unit]);
      chain.isCoordinated ||= CONJUNCTION.test(between);
    } else chains.push({ operands: [[unit]], isCoordinated: false });
    last = unit;
  }
  return chains.filter(({ isCoordinated }) => isCoordinated).map(({ operands }) => operands);
}
