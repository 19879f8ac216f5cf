/** Starts servers. If a server cannot listen, the error names the wrong setting. */
import { hostAddress } from "../contract/host_address.ts";

/** Address of a server, and the handler of its errors. */
type ListenOptions = Pick<Deno.ServeTcpOptions, "onError"> & {
  hostname: string;
  /** Port; 0 for any free one. */
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
