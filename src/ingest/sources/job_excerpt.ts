/** Chooses the passages of a posting that are shown as evidence. */
import { RECORD_LIMITS } from "../../contract/record.ts";
import { passageOf } from "../record/passage.ts";
import type { Pay } from "../classify/pay.ts";
import { cutAtWord } from "../text/clean_text.ts";

/** Matches a heading after which a posting describes the role, not the employer. */
const ROLE_HEADING =
  /^[^\p{L}\n]*(?:about (?:the|this|your) (?:role|position|job|opportunity|team)|(?:the|your|this) (?:role|opportunity|position|job)|role|the team and role|what you(?:['’]ll| will) (?:do|be doing)|(?:core |key )?responsibilities|(?:job|role|position) (?:summary|description|overview)|overview of the role|in this role|à propos du (?:rôle|poste)|le (?:rôle|poste)|vos responsabilités)\b[^\n]{0,40}$/imu;
/** Matches words of a sentence about the role. */
const ABOUT_ROLE =
  /\b(?:you(?:['’]ll| will)|(?:we(?:['’]re| are)|is|are) (?:looking for|seeking|hiring)|this (?:role|position)|the (?:role|successful candidate|ideal candidate)|as (?:an?|our) [\p{L} -]{2,60}, you|responsible for|responsibilities|vous (?:serez|allez|aurez)|nous recherchons)(?!\p{L})/iu;
const MIN_ROLE_CHARACTERS = 200;
const PAY_CHARACTERS = 300;

/**
 * Returns the description of the role, cut to the length of an excerpt. If it is not recognized,
 * returns the text instead, or the passage that best fits the job's title if the text is too long.
 * The line that states the pay follows, unless the excerpt contains it.
 */
export function excerptsOf(
  text: string,
  { job, pay }: { job: string; pay: Pay | undefined },
): string[] {
  const role = roleIn(text, job);
  const first = role === undefined
    ? passageOf(text, job, RECORD_LIMITS.excerpt_characters)
    : passageOf(role, "", RECORD_LIMITS.excerpt_characters);
  const line = pay === undefined ? undefined : lineOfPay(text, pay);
  return line === undefined || first.includes(line) ? [first] : [first, line];
}

/**
 * Returns the text about the role: the text after a heading, or else the text from the first
 * sentence about the role. The text before that is usually about the employer. Returns undefined if
 * little is said about the role, or if the whole text fits into an excerpt.
 */
function roleIn(text: string, job: string): string | undefined {
  if (text.length <= RECORD_LIMITS.excerpt_characters) return undefined;
  const heading = ROLE_HEADING.exec(text);
  const underHeading = heading === null
    ? ""
    : text.slice(heading.index + heading[0].length).trimStart();
  if (underHeading.length >= MIN_ROLE_CHARACTERS) return underHeading;
  const body = text.startsWith(`${job}\n`) ? job.length + 1 : 0;
  const about = text.slice(body).search(ABOUT_ROLE);
  if (about === -1) return undefined;
  const before = text.slice(0, body + about);
  const start = Math.max(
    ...[...before.matchAll(/\n|[.!?][^\S\n]+/g)].map(({ 0: end, index }) => index + end.length),
    body,
  );
  return text.length - start >= MIN_ROLE_CHARACTERS ? text.slice(start) : undefined;
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
