/** Finds the keys that sources require. */
import type { Settings } from "../../config.ts";
import type { Remote } from "../sources/kit/source.ts";

/**
 * Returns the headers with a source's key: an empty object if the source needs no key, undefined if
 * the setting of its key is missing. A source without its key gets no requests.
 */
export type KeyOf = (remote: Pick<Remote, "key">) => Record<string, string> | undefined;

/** The settings that contain keys of sources. */
export type KeySettings = Pick<Settings, "SAM_API_KEY" | "feed_headers">;

/** Returns a function that finds the keys of sources in the settings. */
export function createKeyOf(settings: KeySettings): KeyOf {
  return ({ key }) => {
    if (key === undefined) return {};
    if ("variable" in key) return settings.feed_headers[key.variable];
    const value = settings[key.setting];
    return value === undefined ? undefined : { [key.header]: value };
  };
}
