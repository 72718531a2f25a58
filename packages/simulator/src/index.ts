export { HostClient } from "./host/host-client.ts";
export { type Gone, HostError, type HostErrorCode, type HostedMachine } from "./host/control-protocol.ts";

/** The file that `node` runs as the host process; its options stand in the file. */
export const hostMain = new URL("./host/main.ts", import.meta.url);
