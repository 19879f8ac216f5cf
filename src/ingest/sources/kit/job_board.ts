/** Makes a source of a job board from its mapping. A board lists the openings of one employer. */
import { z } from "zod";
import type { LeftOut, ReadContext, SourceEntry } from "../../record/entry.ts";
import { parseJson, readElements } from "../../formats/json.ts";
import { readXmlRows } from "../../formats/xml.ts";
import { shownValue } from "../../masking/mask_text.ts";
import { valueIn } from "../../mapping/template.ts";
import { type Judged, normalizeRecord } from "../../record/normalize.ts";
import type { PlaceReading } from "../../classify/places.ts";
import { BoardMapping } from "./board_mapping.ts";
import { prefixOfBoard, recordOfPosting } from "./job_record.ts";
import { createPostingReader, type PostingOutcome } from "./mapped_board.ts";
import type { Remote, Source } from "./source.ts";

/**
 * Returns the source of a board.
 *
 * @param schema converts a posting to the form that the mapping describes. Absent: the posting has
 * that form
 * @throws z.ZodError if the value is not a mapping of a board
 */
export function sourceOfBoard(value: unknown, schema: z.ZodType = z.looseObject({})): Source {
  const mapping = BoardMapping.parse(value);
  const read = createPostingReader(mapping, schema);
  return {
    name: mapping.source,
    title: `Job boards on ${mapping.title}`,
    licence: `no open licence; published by each employer through ${mapping.api}`,
    attribution: `Job postings published by the employer through ${mapping.title}.`,
    natural_key: `${mapping.natural_key}; a posting in both countries has a second record, whose ` +
      `id ends in the country${mapping.own_sites ? SITE_AS_BOARD : ""}`,
    left_out: "postings without a location that is clearly in Canada or the United States; " +
      `names, e-mail addresses and telephone numbers of persons in texts${mapping.left_out}`,
    read: (stream, context) => readPostings(stream, { mapping, context, read }),
    remote: remoteOf(mapping.remote),
  };
}

const SITE_AS_BOARD =
  ". In a file without addresses of boards, the hostname of the employer's site replaces the board";

function remoteOf({ address, path, accept = "application/json", target }: BoardMapping["remote"]) {
  return {
    address,
    target: { meaning: target.meaning, pattern: new RegExp(target.pattern) },
    interval_seconds: 21_600,
    pause_milliseconds: 1_000,
    bytes_max: 64 * 1_048_576,
    request(address, { target }) {
      const board = encodeURIComponent(target!);
      const base = address.includes("{board}")
        ? address.replace("{board}", board)
        : `${address}/${board}`;
      return { url: base + path, accept, target };
    },
    // A posting that is no longer in the answer is closed.
    listed: (target) => ({ external_id_prefix: prefixOfBoard(target!) }),
  } satisfies Remote;
}

/**
 * Reads a board's answer into entries. A posting gives one entry for each country in which it is
 * open, or one entry if it is left out or rejected.
 */
async function* readPostings(
  stream: AsyncIterable<Uint8Array>,
  { mapping, context, read }: {
    mapping: BoardMapping;
    context: ReadContext;
    read: (posting: unknown, context: ReadContext) => PostingOutcome;
  },
): AsyncGenerator<SourceEntry> {
  let position = 0;
  for await (const { line, parsed } of parsedPostings(stream, mapping)) {
    const element = ++position;
    const outcome = "reason" in parsed
      ? { reason: `the element ${parsed.reason}` }
      : read(parsed.value, context);
    for (const judged of judgedOf(outcome, context)) {
      yield {
        line,
        get raw() {
          return { element, ...shownOf("value" in parsed ? parsed.value : undefined, mapping) };
        },
        judged,
        ...("reason" in parsed && "reason" in judged && { doubt: judged.reason }),
      };
    }
  }
}

/**
 * Yields each element as a value, or the reason why it is none. In XML, the number of an element
 * stands for that of its line.
 */
async function* parsedPostings(
  stream: AsyncIterable<Uint8Array>,
  { array, element }: BoardMapping,
): AsyncGenerator<{ line: number; parsed: ReturnType<typeof parseJson> }> {
  if (element === undefined) {
    for await (const { number: line, text, fault } of readElements(stream, { member: array })) {
      yield { line, parsed: fault === undefined ? parseJson(text) : { reason: fault } };
    }
  } else {
    for await (const { number: line, value, fault } of readXmlRows(stream, element)) {
      yield { line, parsed: fault === undefined ? { value } : { reason: fault } };
    }
  }
}

/**
 * Returns the members that identify a posting, masked and cut. The number of its line is not enough
 * to find it, because the whole answer can be one line.
 */
function shownOf(value: unknown, { id, job, url }: BoardMapping): Record<string, unknown> {
  const members = [id, job, url].map((path) => [path, valueIn(value, path)])
    .filter(([, member]) => typeof member === "string" || typeof member === "number");
  return shownValue(Object.fromEntries(members));
}

function judgedOf(outcome: PostingOutcome, context: ReadContext): (Judged | LeftOut)[] {
  if (!("posting" in outcome)) return [outcome];
  const { posting } = outcome;
  const countries = [...new Set(posting.reading.places.map(({ country }) => country))];
  if (countries.length === 0) return [{ left_out: whyNowhere(posting.reading) }];
  const board = context.target ?? posting.board ?? posting.site;
  if (board === undefined) return [{ reason: "the posting's address names no board" }];
  return countries.map((country) =>
    normalizeRecord(recordOfPosting(posting, { context, board, country, countries }))
  );
}

function whyNowhere({ elsewhere, unclear }: PlaceReading): string {
  if (unclear) return "a place whose country is not clear";
  return elsewhere
    ? "a place outside Canada and the United States"
    : "no place that names a country";
}
