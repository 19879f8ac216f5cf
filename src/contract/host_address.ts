/** Returns `host:port` as URLs and permissions have it, an IPv6 address in brackets. */
export function hostAddress(host: string, port: number | string): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
