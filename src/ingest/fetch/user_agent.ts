import { API_VERSION } from "../../contract/version.ts";

/** The token by which a robots.txt names this program (RFC 9309, 2.2.1). */
export const PRODUCT_TOKEN = "company-evidence";

/**
 * Returns the User-Agent header with the operator's contact, which the Securities and Exchange
 * Commission demands of every program (https://www.sec.gov/os/accessing-edgar-data).
 */
export function userAgent(contact: string | undefined): string {
  return `${PRODUCT_TOKEN}/${API_VERSION}${contact === undefined ? "" : ` (+${contact})`}`;
}
