import type { ChargedUnits } from "../metrics.ts";
import type { Caller } from "../operations/action.ts";

/** State of a request on its way through a door, as Hono carries it. */
export interface DoorEnvironment {
  Bindings: {
    /** True if the request came by HTTP/1.1, which requires a Host header. */
    requires_host: boolean;
  };
  Variables: {
    request_id: string;
    /** Route as the route table writes it. The path itself is the caller's. */
    route?: string;
    /** The name of the tool that is called. */
    tool?: string;
    /** Caller whose key the request has; absent if it has none that could be one. */
    caller?: Caller;
    /** Code of the failure that is answered. */
    code?: string;
    /** Units that the request was charged. */
    charged?: ChargedUnits;
  };
}
