import type { HardwareSpec } from "./machine.ts";

const FRAMES_PER_SECOND = 30;

/** What the init of redroid, which is Android in a container, reads. */
export function redroidArguments({ displays: [display] }: HardwareSpec): string[] {
  const { width = 720, height = 1280, density = 320 } = display ?? {};
  const values = { width, height, dpi: density, fps: FRAMES_PER_SECOND, gpu_mode: "guest" };
  const own = Object.entries(values).map(([name, value]) => `androidboot.redroid_${name}=${value}`);
  return [...own, "androidboot.use_memfd=1"];
}
