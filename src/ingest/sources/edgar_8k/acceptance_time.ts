/**
 * Recognizes the time zone of the member `acceptanceDateTime`, which ends in Z even if it is
 * Eastern time.
 */
import { normalizeInstant } from "../../../contract/instant.ts";
import { EASTERN_TIME, instantInZone } from "../../formats/local_time.ts";
import { textOf } from "../../mapping/template.ts";

/** Time zone of the times in a file. */
export type AcceptanceZone = "utc" | "eastern";

/** The fields of a row from which the time zone is recognized. */
interface AcceptedFiling {
  form: unknown;
  filingDate: unknown;
  acceptanceDateTime: unknown;
}

/**
 * Returns the time zone in which more rows have possible times, or "utc" if both have equally many.
 * EDGAR accepts filings from 6:00 to 22:00 Eastern time. Apart from a few forms, the filing date of
 * a filing accepted after 17:30 is the next business day.
 */
export function acceptanceZoneOf(filings: Iterable<AcceptedFiling>): AcceptanceZone {
  let surplus = 0;
  for (const filing of filings) {
    // A time of Eastern time with a Z is read as one of UTC.
    surplus += Number(isPossible(filing, "UTC")) - Number(isPossible(filing, EASTERN_TIME.US));
  }
  return surplus > 0 ? "eastern" : "utc";
}

/** Returns the instant of a time in a file, or undefined if the text is not a time. */
export function acceptedInstant(text: string, zone: AcceptanceZone): string | undefined {
  const instant = normalizeInstant(text);
  if (instant === undefined || zone === "utc") return instant;
  const [date, time] = instant.replace("Z", "").split("T");
  return instantInZone(EASTERN_TIME.US, date!, time!);
}

/** First and last minute of the day, in Eastern time, at which EDGAR accepts filings. */
const OPENS = 6 * 60;
const CLOSES = 22 * 60;
/** Minute of the day after which a filing gets the date of the next business day. */
const DAY_ENDS = 17 * 60 + 30;
/** Max days until the next business day, including a long weekend. */
const DAYS_MAX = 5;
/**
 * Matches forms that get the date of the same day until EDGAR closes. These are reports on holdings
 * of insiders and owners, and registrations of further securities ("…MEF").
 */
const LATE_FORM = /^(?:[345]|144|SC 13[DG]|SCHEDULE 13[DG])(?:\/A)?$|MEF$/;

/** Returns whether EDGAR can have accepted a filing at its local time in a zone. */
function isPossible({ form, filingDate, acceptanceDateTime }: AcceptedFiling, zone: string) {
  const accepted = normalizeInstant(textOf(acceptanceDateTime));
  if (accepted === undefined) return false;
  const local = Temporal.Instant.from(accepted).toZonedDateTimeISO(zone);
  const minute = local.hour * 60 + local.minute;
  if (minute < OPENS || minute > CLOSES) return false;
  const date = local.toPlainDate();
  const filed = textOf(filingDate);
  const isSameDay = filed === date.toString();
  if (minute <= DAY_ENDS) return isSameDay;
  if (isSameDay) return LATE_FORM.test(textOf(form));
  return filed > date.toString() && filed <= date.add({ days: DAYS_MAX }).toString();
}
