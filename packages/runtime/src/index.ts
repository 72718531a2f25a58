export type * from "./machine.ts";
export { NoSlotError, type DeviceRuntime, type RuntimeCapabilities } from "./device-runtime.ts";
