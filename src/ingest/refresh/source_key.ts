import type { Settings } from "../../config.ts";
import type { Remote } from "../sources/source.ts";

/**
 * Returns the headers with a source's key: an empty object if the source needs no key, undefined if
 * the setting of its key is missing. A source without its key gets no requests.
 */
export type KeyOf = (remote: Remote) => Record<string, string> | undefined;

/** Returns a function that finds the keys of sources in the settings. */
export function createKeyOf(settings: Pick<Settings, "SAM_API_KEY">): KeyOf {
  return ({ key }) => {
    if (key === undefined) return {};
    const value = settings[key.setting];
    return value === undefined ? undefined : { [key.header]: value };
  };
}
