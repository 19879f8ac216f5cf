import type { ChargedUnits } from "../metrics.ts";
import type { Caller } from "../operations/action.ts";

/** State of a request in a door, as Hono carries it. */
export interface DoorEnvironment {
  Bindings: {
    /** True if the request came by HTTP/1.1, which requires a Host header. */
    requires_host: boolean;
  };
  Variables: {
    request_id: string;
    /** Route in the notation of the route table. The path itself is the caller's text. */
    route?: string;
    /** Name of the called tool. */
    tool?: string;
    /** Caller of the request; absent if it has no well-formed key. */
    caller?: Caller;
    /** Code of the failure in the answer. */
    code?: string;
    /** Units that the request was charged. */
    charged?: ChargedUnits;
  };
}
