export { androidVersion } from "./device/android-version.ts";
export { HostClient } from "./host/host-client.ts";
export { STACK_FILE } from "./host/device-save.ts";
export {
  type Asks,
  type Gone,
  HostError,
  type HostErrorCode,
  type HostedMachine,
  type Watcher,
} from "./host/control-protocol.ts";
export { type ControlServer, startControlServer } from "./host/control-server.ts";
export { DeviceHost, type DeviceHostOptions } from "./host/device-host.ts";
export { HostRunsAlready } from "./host/listen-once.ts";
