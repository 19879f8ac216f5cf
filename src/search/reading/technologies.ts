/** Technologies that a query names: products, languages and tools, in any case of letters. */
import { TECHNOLOGY_NAMES } from "../../ingest/classify/technology_names.ts";
import { memoized } from "../engine/memoized.ts";
import { fold } from "../engine/words.ts";

/** Names that are everyday words: they count behind a cue such as "uses" only. */
const ORDINARY: ReadonlySet<string> = new Set(
  ("swift|rust|react|spark|helm|looker|amplitude|asana|celery|flask|flutter|hive|maven|oracle cloud|" +
    "prometheus|puppet|rails|redux|ruby|sage intacct|scala|selenium|snowflake|svelte|tableau|workday|" +
    "confluence|elixir|bash|perl|ansible|angular|alteryx|coupa|databricks|okta|twilio|zoho|sap|sql|" +
    "shopify|salesforce|hubspot|zendesk|splunk|docusign|cloudflare|akamai|airtable|figma|github|gitlab|" +
    "informatica|genesys|jamf|klaviyo|mixpanel|heroku|firebase|fivetran|contentful|crowdstrike|datadog|" +
    "pagerduty|servicenow|new relic|quickbooks|netsuite|mongo|java|python|go").split("|"),
);
/** Those of them that are hardly ever anything else. */
const CLEAR: ReadonlySet<string> = new Set(
  ("python|java|salesforce|sql|sap|servicenow|netsuite|hubspot|snowflake|tableau|angular|ansible|scala|" +
    "quickbooks|workday|shopify|databricks|github|gitlab|splunk|okta|datadog").split("|"),
);

/** Keys of products by the keys of all of their spellings. */
const KEY_OF_SPELLING = new Map<string, string>();
const UNCLEAR = new Set<string>();
for (const line of TECHNOLOGY_NAMES.trim().split("\n")) {
  const [first, ...spellings] = line.split("=");
  for (const spelling of [first!, ...spellings]) {
    const key = plainKey(spelling);
    KEY_OF_SPELLING.set(key, plainKey(first!));
    const folded = fold(spelling);
    if (ORDINARY.has(folded) && !CLEAR.has(folded)) UNCLEAR.add(key);
  }
}

/** Maximum number of words in the name of a technology. */
export const TECHNOLOGY_WORDS_MAX = 4;

/** Returns the canonical key of a technology: folded, without spaces; "+" and "#" stay. */
export const technologyKey = memoized((name) => {
  const key = plainKey(name);
  return KEY_OF_SPELLING.get(key) ?? key;
});

/** Keys that sources use for what a query calls by another name. */
const ASKED_AS: Readonly<Record<string, string>> = { go: "golang", machinelearning: "ml" };

/** Returns the keys that a technology of a query may have in records. */
export function askedTechnologyKeys(name: string): string[] {
  const key = technologyKey(name);
  const further = ASKED_AS[key];
  return further === undefined ? [key] : [key, further];
}

function plainKey(name: string): string {
  return fold(name).replace(/[^\p{L}\p{N}+#]+/gu, "");
}

/** Returns whether a key is that of a technology in any text, without a cue. */
export function isTechnology(key: string): boolean {
  return KEY_OF_SPELLING.has(key) && !UNCLEAR.has(key);
}
