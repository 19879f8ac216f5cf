/** A service that is one part of a site: everything it serves lies below a path of its own. */
import { getPath } from "hono/utils/url";

/** Stands for the base path without the slash at its end, from which relative links would go astray. */
export const BASE = "/..";

/** Stands for every path beside the base path. No route can have it. */
const BESIDE = "/../..";

/**
 * Returns the path that the router looks up for a request: what follows the base path.
 *
 * @param base_path not empty, without a slash at its end
 */
export function pathBelow(base_path: string, request: Request): string {
  const path = getPath(request);
  if (path === base_path) return BASE;
  return path.startsWith(`${base_path}/`) ? path.slice(base_path.length) : BESIDE;
}
