export type * from "./machine.ts";
export { checkLayer, type Layer, LayerDamagedError, type LayerStore, SaveTooLargeError } from "./layers.ts";
export { NoSlotError, type DeviceRuntime } from "./device-runtime.ts";
export { defineRuntime, type RuntimeContext, type RuntimePackage } from "./runtime-package.ts";
