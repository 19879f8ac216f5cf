/** Serves the service below a base path, as one part of a site. */
import { getPath } from "hono/utils/url";

/** Route of the base path without a slash at its end, from which relative links would fail. */
export const BASE = "/..";

/** Route of every path outside of the base path. No real route can be the same. */
const BESIDE = "/../..";

/**
 * Returns the path for the router: the part after the base path.
 *
 * @param base_path not empty, without a slash at its end
 */
export function pathBelow(base_path: string, request: Request): string {
  const path = getPath(request);
  if (path === base_path) return BASE;
  return path.startsWith(`${base_path}/`) ? path.slice(base_path.length) : BESIDE;
}
