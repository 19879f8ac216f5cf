/** British and American spellings of a word. */

import { baseOf } from "../trades/inflection.ts";

type Variant = readonly [ending: RegExp, replacement: string];

/** Each pair of spellings in both directions. */
const VARIANTS: readonly Variant[] = [
  [/is(?=(?:e|ed|es|ing|ation|ations|er|ers)$)/, "iz"],
  [/iz(?=(?:e|ed|es|ing|ation|ations|er|ers)$)/, "is"],
  [/ys(?=(?:e|ed|es|ing|er|ers)$)/, "yz"],
  [/yz(?=(?:e|ed|es|ing|er|ers)$)/, "ys"],
  [/our(?=(?:s|ed|ing|al|able)?$)/, "or"],
  [/or(?=(?:s|ed|ing|al|able)?$)/, "our"],
  [/(?<=[bt])re(?=s?$)/, "er"],
  [/(?<=[bt])er(?=s?$)/, "re"],
  [/ll(?=(?:ed|ing|er|ers)$)/, "l"],
  [/l(?=(?:ed|ing|er|ers)$)/, "ll"],
  [/ogue(?=s?$)/, "og"],
  [/og(?=s?$)/, "ogue"],
  [/ence(?=s?$)/, "ense"],
  [/ense(?=s?$)/, "ence"],
];

/** Returns other spellings of a folded word, and its French form without gender. Some are no words. */
export function spellingVariants(word: string): string[] {
  return [
    ...VARIANTS.filter(([ending]) => ending.test(word))
      .map(([ending, replacement]) => word.replace(ending, replacement)),
    baseOf(word, "french"),
  ];
}
