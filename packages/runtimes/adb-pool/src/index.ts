export { adbPool, type AdbPoolOptions } from "./adb-pool.ts";
export { runtime } from "./runtime.ts";
