/** Returns `host:port` in the form of URLs and permissions. An IPv6 address is in brackets. */
export function hostAddress(host: string, port: number | string): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
