import type { ChargedUnits } from "../metrics.ts";
import type { Caller } from "../operations/action.ts";

/** What is known of a request on its way through a door, as Hono carries it. */
export interface DoorEnvironment {
  Bindings: {
    /** True if the request came by HTTP/1.1, which requires a Host header. */
    requires_host: boolean;
  };
  Variables: {
    request_id: string;
    /** As the route table writes it; a path is the caller's. */
    route?: string;
    /** The name of the tool that is called. */
    tool?: string;
    /** Whose key the request has; absent if it has none that could be one. */
    caller?: Caller;
    /** Code of the failure that is answered. */
    code?: string;
    /** What the request was charged. */
    charged?: ChargedUnits;
  };
}
