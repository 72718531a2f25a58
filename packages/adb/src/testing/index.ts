export { MemoryDuplex, type MemoryDuplexOptions } from "./memory-duplex.ts";
export { ToyDevice } from "./toy-device.ts";
export { ToyFiles } from "./toy-files.ts";
