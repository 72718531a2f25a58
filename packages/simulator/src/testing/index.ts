export { makeApk, type MakeApkOptions } from "./make-apk.ts";
export { aSpec } from "./a-spec.ts";
