export type * from "./machine.ts";
export { NoSlotError, type DeviceRuntime } from "./device-runtime.ts";
export { defineRuntime, type RuntimeContext, type RuntimePackage } from "./runtime-package.ts";
