export { fetchAdbd, type Adbd } from "./fetch-adbd.ts";
export { fetchDebian } from "./fetch-debian.ts";
export { makeReferenceRoot } from "./reference-root.ts";
export { startGenuineAdbd, type GenuineAdbd } from "./genuine-adbd.ts";
export { MemoryDuplex, type MemoryDuplexOptions } from "./memory-duplex.ts";
export { ToyDevice } from "./toy-device.ts";
export { ToyFiles } from "./toy-files.ts";
export { hasStockAdb, startStockAdb, type StockAdb } from "./stock-adb.ts";
