import type { Settings } from "../../config.ts";
import type { Remote } from "../sources/source.ts";

/**
 * The headers that carry a source's key, none where it needs no key; nothing where its setting is
 * not set: such a source is not asked.
 */
export type KeyOf = (remote: Remote) => Record<string, string> | undefined;

export function createKeyOf(settings: Pick<Settings, "SAM_API_KEY">): KeyOf {
  return ({ key }) => {
    if (key === undefined) return {};
    const value = settings[key.setting];
    return value === undefined ? undefined : { [key.header]: value };
  };
}
