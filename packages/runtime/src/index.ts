export type * from "./machine.ts";
export { checkLayer, type Layer, LayerDamagedError, type LayerStore, SaveTooLargeError } from "./layers.ts";
export { type AdbPoolAccess, NoSlotError, type DeviceRuntime, type FoundDevice } from "./device-runtime.ts";
export { defineRuntime, type RuntimeContext, type RuntimePackage } from "./runtime-package.ts";
export { ByteReader } from "./byte-reader.ts";
export { type Ask, askIn } from "./ask-in.ts";
export { cutTar, joinTars } from "./cut-tar.ts";
export { apiLevelOf, imageByTag, NO_VERSION, offeredHardware, osVersionOf } from "./offered.ts";
export { redroidArguments } from "./redroid.ts";
export {
  androidSdkPlaces,
  findAndroidSdk,
  isThere,
  propertiesIn,
  type SystemImage,
  systemImagesOf,
} from "./android-sdk.ts";
export { Checksums } from "./checksums.ts";
export { endProcesses, killProcesses, processesWith } from "./processes-with.ts";
export { type Accel, hasVirtualization, tryToBoot, whyNotKvm } from "./accel.ts";
export { cutFiles, type FileToSave, restoreFiles } from "./saved-files.ts";
export { CachedStates } from "./cached-states.ts";
export { MachineRecord } from "./machine-folders.ts";
export { type Held, type MachineControl, ProcessRuntime, recordOf } from "./process-runtime.ts";
export { startProcess, withFreePort } from "./start-process.ts";
export { savedUserData, savedUserDataSize, saveUserData, type UserDataPart } from "./user-data.ts";
export { placeOf } from "./place-of.ts";
export { freeLoopbackPort, type LoopbackPort, openLoopbackPort } from "./loopback-port.ts";
export { Turns } from "./turns.ts";
