export { androidEmulator, type AndroidEmulatorOptions } from "./emulator-runtime.ts";
export { runtime } from "./runtime.ts";
