import { API_VERSION } from "../../contract/version.ts";

/** The token by which a robots.txt names this program (RFC 9309, 2.2.1). */
export const PRODUCT_TOKEN = "company-evidence";

/**
 * Returns how requests name themselves, with where the operator is reached, as the Securities and
 * Exchange Commission asks of every program (https://www.sec.gov/os/accessing-edgar-data).
 */
export function userAgent(contact: string | undefined): string {
  return `${PRODUCT_TOKEN}/${API_VERSION}${contact === undefined ? "" : ` (+${contact})`}`;
}
