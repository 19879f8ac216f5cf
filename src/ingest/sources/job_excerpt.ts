/** The passages of a posting that are shown as evidence of it. */
import { RECORD_LIMITS } from "../../contract/record.ts";
import { passageOf } from "../passage.ts";
import type { Pay } from "../pay.ts";
import { cutAtWord } from "../text.ts";

/** Headings behind which a posting describes the opening, not the employer. */
const ROLE_HEADING =
  /^[^\p{L}\n]*(?:about (?:the|this|your) (?:role|position|job|opportunity|team)|(?:the|your|this) (?:role|opportunity|position|job)|role|the team and role|what you(?:['’]ll| will) (?:do|be doing)|(?:core |key )?responsibilities|(?:job|role|position) (?:summary|description|overview)|overview of the role|in this role|à propos du (?:rôle|poste)|le (?:rôle|poste)|vos responsabilités)\b[^\n]{0,40}$/imu;
const MIN_ROLE_CHARACTERS = 200;
const PAY_CHARACTERS = 300;

/**
 * Returns the description of the opening, at most as long as an excerpt may be, and the line that
 * states the pay if the description does not. All are parts of the text as it stands.
 */
export function excerptsOf(
  text: string,
  { job, pay }: { job: string; pay: Pay | undefined },
): string[] {
  const start = text.search(ROLE_HEADING);
  const role = start === -1 ? "" : text.slice(start);
  const first = role.length >= MIN_ROLE_CHARACTERS
    ? passageOf(role, "", RECORD_LIMITS.excerpt_characters)
    : passageOf(text, job, RECORD_LIMITS.excerpt_characters);
  const line = pay === undefined ? undefined : lineOfPay(text, pay);
  return line === undefined || first.includes(line) ? [first] : [first, line];
}

function lineOfPay(text: string, pay: Pay): string | undefined {
  const figures = [pay.min, pay.max].filter((value) => value != null).map((
    value,
  ) => [value.toLocaleString("en-CA"), String(value), `${value / 1_000}K`, `${value / 1_000}k`]);
  const line = text.split("\n").find((line) =>
    figures.every((spellings) => spellings.some((spelling) => line.includes(spelling)))
  );
  return line && cutAtWord(line, PAY_CHARACTERS);
}
