export { describeRuntime, type RuntimeUnderTest } from "./describe-runtime.ts";
export { FakeMachines, fakeRuntime, type FakeRuntimeOptions } from "./fake-runtime.ts";
export { aMachineSpec } from "./a-machine-spec.ts";
