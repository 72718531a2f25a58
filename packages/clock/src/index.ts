export { abortable } from "./abortable.ts";
export { aborted } from "./aborted.ts";
export type { Clock } from "./clock.ts";
export { every } from "./every.ts";
export { ShiftedClock } from "./shifted-clock.ts";
export { systemClock } from "./system-clock.ts";
export { TestClock } from "./test-clock.ts";
export { within } from "./within.ts";
