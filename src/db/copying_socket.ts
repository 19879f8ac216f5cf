/** Sockets that keep no more memory than what they have read. */
import { Buffer } from "node:buffer";
import { connect, type IpcNetConnectOpts, type Socket, type TcpNetConnectOpts } from "node:net";

/** Bytes of the buffer that all reads of one socket use. */
const READ_BYTES = 65_536;

/**
 * Connects a socket whose reads go into one buffer and are copied out of it. The runtime otherwise
 * allocates 64 KiB for every read. V8 counts only the bytes that were read, so it collects too late,
 * and a process that asks often holds tens of megabytes. A socket that is to be upgraded to TLS must
 * not be one of these: the upgrade would never get an answer.
 */
export function connectCopying(options: TcpNetConnectOpts | IpcNetConnectOpts): Socket {
  const socket: Socket = connect({
    ...options,
    onread: {
      buffer: new Uint8Array(READ_BYTES),
      callback: (count: number, bytes: Uint8Array) =>
        socket.push(Buffer.from(bytes.subarray(0, count))),
    },
  } as TcpNetConnectOpts);
  return socket;
}
