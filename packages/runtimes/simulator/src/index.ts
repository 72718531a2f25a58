export { runtime } from "./runtime.ts";
export { simulatorRuntime, type SimulatorRuntime, type SimulatorRuntimeOptions } from "./simulator-runtime.ts";
