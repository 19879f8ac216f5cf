/**
 * Writes messages of a serving process to standard error, as text for a terminal or as log lines.
 */
import { createLog, type Log } from "../log.ts";
import { CLOCK, drawShare, LINE_MILLISECONDS, type Ticker } from "../ingest/record/progress.ts";

/** A message in both forms. */
interface Announcement {
  /** Message for a log. It must not contain an API key. */
  message: string;
  fields?: Record<string, string | number>;
  /** Text for a reader at a terminal; the message if absent. */
  text?: string;
}

/** Output for messages of a process of `start` or `work`. */
export interface Announcer {
  say(announcement: Announcement): void;
  /** Shows the completed share of a build until the returned function is called. */
  watchBuild(progress: () => number): () => void;
}

interface AnnouncerOptions {
  /** True if standard error is a terminal with a reader. */
  terminal: boolean;
  log: Log;
  write(line: string): void;
  /** Fixes the clock of the progress in tests. */
  ticker?: Ticker;
}

/**
 * Creates an announcer. A terminal gets sentences and bars. Otherwise, messages are lines of JSON,
 * whatever the log level. The progress of a build is then logged at level `info`.
 */
export function createAnnouncer(
  { terminal, log, write, ticker = CLOCK }: AnnouncerOptions,
): Announcer {
  if (terminal) {
    return {
      say: ({ message, text = message }) => write(text),
      watchBuild: (progress) => drawShare("building the index", progress),
    };
  }
  const lines = createLog("info", (line) => write(line.trimEnd()));
  return {
    say: ({ message, fields }) => lines.info(message, fields),
    watchBuild(progress) {
      return ticker.every(LINE_MILLISECONDS, () => {
        log.info("building the index", { percent: Math.floor(progress() * 100) });
      });
    },
  };
}
