/** Formats the address of a service, for connections and for permissions. */
import { hostAddress } from "../contract/host_address.ts";

/** Returns the URL at which this machine reaches a service that listens on the host and port. */
export function serviceAddress(host: string, port: number | string): string {
  const name = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${hostAddress(name, port)}`;
}
