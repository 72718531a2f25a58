import { connect } from "node:net";
import { type Duplex, nodeSocketDuplex } from "@terrarium/adb";

/** The most that one read of the socket takes; a key frame of a phone's screen fits. */
const READ_BYTES = 64 * 1024;

/**
 * Dials a TCP port. Every read goes into the same buffer: Node would otherwise allocate 64 KiB for each, most often for
 * the 24 bytes of an OKAY, and pass it through its stream machinery.
 */
export function dial(address: { host: string; port: number }): Duplex {
  const buffer = new Uint8Array(READ_BYTES);
  let receive: (chunk: Uint8Array) => void = () => undefined;
  const socket = connect({
    ...address,
    noDelay: true,
    onread: {
      buffer,
      callback: (length) => {
        receive(buffer.subarray(0, length));
        return true;
      },
    },
  });
  const duplex = nodeSocketDuplex(socket);
  return {
    ...duplex,
    listen(events) {
      receive = (chunk) => events.data(chunk);
      duplex.listen(events);
    },
  };
}
