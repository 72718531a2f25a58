export { setTime } from "./client/set-time.ts";
export { Handoff } from "./handoff.ts";
export { AdbError, isPeerFault, type AdbErrorCode } from "./errors.ts";
export type { ByteStream } from "./byte-stream.ts";
export { joinStreams } from "./join-streams.ts";
export type { Duplex, DuplexEvents } from "./connection/duplex.ts";
export { nodeSocketDuplex } from "./connection/node-socket.ts";
export type { DeviceBanner } from "./connection/banner.ts";
export { AdbKey } from "./auth/adb-key.ts";
export { adbKeyFile, adbKeyIn } from "./auth/key-file.ts";
export type { KeySource } from "./auth/host-auth.ts";
export { KeyAnswerer } from "./auth/key-answerer.ts";
export { command, MAX_PAYLOAD_BYTES } from "./packet/constants.ts";
export { encodePacket, type Packet } from "./packet/packet.ts";
export { PacketReader } from "./packet/packet-reader.ts";
export type { DeviceAuthOptions } from "./auth/device-auth.ts";
export { answersAll, type BootEvidence } from "./client/boot-evidence.ts";
export { type BootWait, waitForBoot } from "./client/wait-for-boot.ts";
export { writeToDisks } from "./client/write-to-disks.ts";
export { watchLink } from "./client/watch-link.ts";
export { dumpUi } from "./client/dump-ui.ts";
export { connectAdb, type ConnectOptions } from "./client/connect-adb.ts";
export { quoteShell } from "./shell/quote.ts";
export type {
  AdbLink,
  AdbProcess,
  InstallOptions,
  PushOptions,
  RemoteEntry,
  RemoteStat,
  ReverseForward,
  ShellOptions,
  ShellResult,
  SpawnOptions,
} from "./client/adb-link.ts";
export type { AdbDaemon, AdbDaemonOptions, DeviceIdentity } from "./daemon/adb-daemon.ts";
export { relayAdb, type RelayOptions } from "./daemon/relay-adb.ts";
export { serveAdb } from "./daemon/serve-adb.ts";
export { ReverseTable } from "./daemon/reverse-table.ts";
export type {
  ByteSink,
  DeviceServices,
  LocalSocketKind,
  ShellRequest,
  SocketHandler,
  WindowSize,
} from "./daemon/device-services.ts";
export {
  DeviceFileError,
  errnos,
  type DeviceFiles,
  type Errno,
  type FileEntry,
  type FileStat,
  type FileWriter,
} from "./daemon/device-files.ts";
