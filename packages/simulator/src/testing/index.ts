export { aSpec } from "./a-spec.ts";
export { makeApk, type MakeApkOptions } from "./make-apk.ts";
export { openSession, type ScrcpySession } from "./scrcpy-session.ts";
export { testDevice, type TestDevice } from "./test-device.ts";
