export type * from "./machine.ts";
export { checkLayer, type Layer, LayerDamagedError, type LayerStore, SaveTooLargeError } from "./layers.ts";
export { NoSlotError, type DeviceRuntime, type FoundDevice } from "./device-runtime.ts";
export { defineRuntime, type RuntimeContext, type RuntimePackage } from "./runtime-package.ts";
export { placeOf } from "./place-of.ts";
export { type LoopbackPort, openLoopbackPort } from "./loopback-port.ts";
export { Turns } from "./turns.ts";
