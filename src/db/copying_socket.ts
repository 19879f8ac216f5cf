/** Opens sockets whose chunks occupy only as much memory as the bytes that were read. */
import { Buffer } from "node:buffer";
import { connect, type IpcNetConnectOpts, type Socket, type TcpNetConnectOpts } from "node:net";

/** Number of bytes of the buffer that all reads of a socket share. */
const READ_BYTES = 65_536;

/**
 * Connects a socket that reads into one buffer and copies the bytes out of it. By default, the
 * runtime allocates 64 KiB for every read. V8 counts only the bytes that were read, so it would
 * collect too late, and a busy process would occupy tens of megabytes more. TLS must not use this
 * socket, because its handshake would never receive an answer.
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
