export { aborted } from "./aborted.ts";
export type { Clock } from "./clock.ts";
export { every } from "./every.ts";
export { ShiftedClock } from "./shifted-clock.ts";
export { systemClock } from "./system-clock.ts";
export { TestClock } from "./test-clock.ts";
