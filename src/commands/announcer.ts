/** Messages of a serving process on standard error: lines for a reader, or lines of a log. */
import { createLog, type Log } from "../log.ts";
import { CLOCK, drawShare, LINE_MILLISECONDS, type Ticker } from "../ingest/record/progress.ts";

/** One thing to say. */
interface Announcement {
  /** Message for a log. It holds no key. */
  message: string;
  fields?: Record<string, string | number>;
  /** Text for a reader at a terminal; the message if absent. */
  text?: string;
}

/** The voice of a process that serves or works. */
export interface Announcer {
  say(announcement: Announcement): void;
  /** Shows the share of a build that is done, until what it returns is called. */
  watchBuild(progress: () => number): () => void;
}

interface AnnouncerOptions {
  /** True if a reader sits at the terminal. */
  terminal: boolean;
  log: Log;
  write(line: string): void;
  /** Fixes the clock of the progress in tests. */
  ticker?: Ticker;
}

/** Speaks to a reader in sentences and bars, and otherwise in lines of JSON, whatever the log level. */
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
