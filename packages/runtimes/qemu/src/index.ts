export { qemuRuntime, type QemuRuntimeOptions } from "./qemu-runtime.ts";
export { runtime } from "./runtime.ts";
