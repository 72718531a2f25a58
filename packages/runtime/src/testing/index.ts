export {
  describeRuntime,
  type RuntimeTraits,
  type RuntimeUnderTest,
  type SavingUnderTest,
} from "./describe-runtime.ts";
export { FakeMachines, fakeRuntime, type FakeRuntimeOptions } from "./fake-runtime.ts";
export { MemoryLayers } from "./memory-layers.ts";
export { aMachineSpec } from "./a-machine-spec.ts";
