/** Starts servers, and says which setting is wrong if they cannot listen. */
import { hostAddress } from "../contract/host_address.ts";

/** Address of a server, and how it answers what its handler throws. */
type ListenOptions = Pick<Deno.ServeTcpOptions, "onError"> & {
  hostname: string;
  /** Zero for any free port. */
  port: number;
  /** Name of the setting that holds the port. */
  setting: "PORT" | "METRICS_PORT";
};

/**
 * Listens at an address.
 * @throws Error that names the address and the setting
 */
export function listen(
  { setting, ...options }: ListenOptions,
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> {
  try {
    return Deno.serve({ ...options, onListen: () => {} }, handler);
  } catch (error) {
    const address = hostAddress(options.hostname, options.port);
    throw new Error(`Cannot listen at ${address}. Is ${setting} right?`, { cause: error });
  }
}
