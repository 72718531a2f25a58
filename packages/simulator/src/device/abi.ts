import type { ImageSpec } from "@terrarium/runtime";

/** The native ABIs a device of this architecture runs, best first, as `ro.product.cpu.abilist` says. */
export function abisOf(arch: ImageSpec["arch"]): string[] {
  if (arch === "arm64") return ["arm64-v8a", "armeabi-v7a", "armeabi"];
  return arch === "x86_64" ? ["x86_64", "x86"] : ["x86"];
}
